// sbxctl log: the newest records of the audit log.
#include <charconv>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "audit/log.h"
#include "ctl/commands.h"
#include "ctl/speech.h"
#include "launch/surroundings.h"

namespace ctl {
namespace {

constexpr std::size_t usual_count = 20;

std::string text_of(const nlohmann::json& record, const char* name) {
    const auto found = record.find(name);
    return found != record.end() && found->is_string() ? shown(found->get<std::string>()) : "";
}

std::string number_of(const nlohmann::json& record, const char* name) {
    const auto found = record.find(name);
    return found != record.end() && found->is_number_integer()
               ? std::to_string(found->get<std::int64_t>())
               : "?";
}

/// One line for a person.
std::string as_text(const nlohmann::json& record) {
    const std::string command = text_of(record, "command");
    std::string text = text_of(record, "time") + " ";
    if (record.value("event", "") == "refusal") {
        text += "refused  " + text_of(record, "operation") + " " + text_of(record, "object") +
                " (" + text_of(record, "rule") + ")";
    } else {
        text += record.contains("signal") ? "signal " + number_of(record, "signal")
                                          : "status " + number_of(record, "status");
        text += ", " + number_of(record, "duration_ms") + " ms, " + number_of(record, "refusals") +
                " refused";
    }
    return text + "  " + text_of(record, "cwd") + "$ " + command + "\n";
}

/// The newest `count` lines that are asked for, oldest first.
std::vector<std::string> select(std::vector<std::string> lines, std::size_t count, bool denied) {
    std::vector<std::string> chosen;
    for (auto line = lines.rbegin(); line != lines.rend() && chosen.size() < count; ++line) {
        if (denied && line->find("{\"event\":\"refusal\"") != 0) continue;
        if (!nlohmann::json::accept(*line)) continue;
        chosen.push_back(std::move(*line));
    }
    return {std::make_move_iterator(chosen.rbegin()), std::make_move_iterator(chosen.rend())};
}

}  // namespace

int log(const Request& request) {
    std::vector<std::string> words = request.arguments;
    const bool json = take_flag(words, "--json");
    const bool denied = take_flag(words, "--denied");
    std::size_t count = usual_count;
    if (!words.empty() && words[0].starts_with("-n")) {
        std::string number = words[0].substr(2);
        words.erase(words.begin());
        if (number.empty() && !words.empty()) {
            number = words[0];
            words.erase(words.begin());
        }
        const auto parsed = std::from_chars(number.data(), number.data() + number.size(), count);
        if (number.empty() || parsed.ec != std::errc() || *parsed.ptr != '\0')
            return misuse("-n needs a number");
    }
    if (!words.empty()) return misuse("log takes no argument '" + words[0] + "'");
    const auto scene = launch::look_around({}, request.environment);
    if (!scene) return quit(scene.error());
    std::string text;
    for (const std::string& line :
         select(audit::read_lines(scene->variables.state), count, denied)) {
        text += json ? line + "\n" : as_text(nlohmann::json::parse(line));
    }
    return print(text);
}

}  // namespace ctl
