// Members of a Denial and their JSON names, one row each.
#include "report/wire.h"

#include <array>
#include <cstdint>
#include <limits>

namespace report {

namespace {

using Json = nlohmann::ordered_json;

struct TextMember {
    const char* name;
    std::string Denial::*member;
};
constexpr std::array texts{
    TextMember{"access", &Denial::access}, TextMember{"operation", &Denial::operation},
    TextMember{"object", &Denial::object}, TextMember{"call", &Denial::call},
    TextMember{"rule", &Denial::rule},     TextMember{"origin", &Denial::origin},
    TextMember{"reason", &Denial::reason}, TextMember{"detail", &Denial::detail},
    TextMember{"note", &Denial::note},
};

struct FlagMember {
    const char* name;
    bool Denial::*member;
};
constexpr std::array flags{FlagMember{"by_shell", &Denial::by_shell},
                           FlagMember{"failed", &Denial::failed},
                           FlagMember{"likely", &Denial::likely}};

Json bounded(std::string_view text) {
    return json_text(text.substr(0, max_wire_text));
}

Json list(const std::vector<std::string>& words) {
    Json out = Json::array();
    std::size_t left = max_wire_argv;
    for (const std::string& word : words) {
        if (out.size() == max_wire_arguments || left == 0) break;
        const std::string_view kept = std::string_view(word).substr(0, left);
        left -= kept.size();
        out.push_back(json_text(kept));
    }
    return out;
}

Json process(const Process& process) {
    return {
        {"pid", process.pid}, {"program", bounded(process.program)}, {"argv", list(process.argv)}};
}

/// Reads members one by one and remembers the first that is missing or wrong.
class Reader {
  public:
    explicit Reader(const Json& value) : value_(value) {}

    std::string text(const char* name) {
        auto out = raw_text(member(name), max_wire_text);
        return out ? std::move(*out) : failed(name, std::string());
    }
    bool flag(const char* name) {
        const Json& value = member(name);
        return value.is_boolean() ? value.get<bool>() : failed(name, false);
    }
    template <class Number>
    Number number(const char* name) {
        const Json& value = member(name);
        if (!value.is_number_integer()) return failed(name, Number{});
        if (value.is_number_unsigned()) {
            const auto n = value.get<std::uint64_t>();
            const auto most = static_cast<std::uint64_t>(std::numeric_limits<Number>::max());
            return n <= most ? static_cast<Number>(n) : failed(name, Number{});
        }
        const auto n = value.get<std::int64_t>();
        const bool fits = std::numeric_limits<Number>::is_signed &&
                          n >= static_cast<std::int64_t>(std::numeric_limits<std::int32_t>::min());
        return fits ? static_cast<Number>(n) : failed(name, Number{});
    }
    std::vector<std::string> words(const char* name) {
        std::vector<std::string> out;
        const Json& value = member(name);
        if (!value.is_array() || value.size() > max_wire_arguments) return failed(name, out);
        for (const Json& each : value) {
            auto word = raw_text(each, max_wire_argv);
            if (!word) return failed(name, out);
            out.push_back(std::move(*word));
        }
        return out;
    }
    const Json& member(const char* name) const {
        static const Json none;
        const auto at = value_.is_object() ? value_.find(name) : value_.end();
        return value_.is_object() && at != value_.end() ? *at : none;
    }
    template <class T>
    T failed(const char* name, T value) {
        if (wrong.empty()) wrong = name;
        return value;
    }
    std::string wrong;

  private:
    const Json& value_;
};

Process read_process(const Json& value, std::string& wrong) {
    Reader reader(value);
    Process out{reader.number<pid_t>("pid"), reader.text("program"), reader.words("argv")};
    if (wrong.empty() && !reader.wrong.empty()) wrong = "process." + reader.wrong;
    return out;
}

}  // namespace

Json to_value(const Denial& denial) {
    Json out = {{"sequence", denial.sequence}};
    for (const TextMember& each : texts) out[each.name] = bounded(denial.*each.member);
    out["error"] = denial.error;
    out["grant"] = list(denial.grant);
    out["process"] = process(denial.process);
    Json between = Json::array();
    for (const Process& each : denial.between) {
        if (between.size() == max_wire_ancestors) break;
        between.push_back(process(each));
    }
    out["between"] = std::move(between);
    for (const FlagMember& each : flags) out[each.name] = denial.*each.member;
    return out;
}

std::string to_json(const Denial& denial) {
    return to_value(denial).dump(-1, ' ', true);
}

core::Result<Denial> from_json(std::string_view text) {
    const auto error = [](std::string detail) {
        return core::fail(core::Error{"read", "denial", 0, std::move(detail), {}});
    };
    if (text.size() > max_wire) return error("it is too long");
    const Json value = Json::parse(text.begin(), text.end(), nullptr, false);
    if (!value.is_object()) return error("it is no JSON object");
    Reader reader(value);
    Denial denial;
    denial.sequence = reader.number<std::uint64_t>("sequence");
    for (const TextMember& each : texts) denial.*each.member = reader.text(each.name);
    denial.error = reader.number<int>("error");
    denial.grant = reader.words("grant");
    denial.process = read_process(reader.member("process"), reader.wrong);
    const Json& between = reader.member("between");
    if (!between.is_array() || between.size() > max_wire_ancestors) {
        reader.failed("between", 0);
    } else {
        for (const Json& each : between) denial.between.push_back(read_process(each, reader.wrong));
    }
    for (const FlagMember& each : flags) denial.*each.member = reader.flag(each.name);
    if (!reader.wrong.empty()) return error("member '" + reader.wrong + "' is missing or wrong");
    return denial;
}

}  // namespace report
