// Denials survive their serialisation byte for byte.
#include "report/wire.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "denials.h"

namespace {

using report::Denial;

Denial full() {
    Denial denial = report::by(report::write_denial("/tmp/\xff\n\x1b\xe2\x80\xae"), "/bin/a\xfe",
                               {"a", "", "\x80"}, {{7, "/bin/make", {"make", "all"}}, {6, "", {}}});
    denial.sequence = 0xffffffffffffffffULL;
    denial.detail = "core.fsmonitor";
    denial.note = "n";
    denial.by_shell = true;
    denial.likely = true;
    denial.error = -1;
    return denial;
}

}  // namespace

TEST_CASE("a denial survives the way through JSON") {
    const std::string text = report::to_json(full());
    CHECK(std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; }));
    const auto back = report::from_json(text);
    REQUIRE(back.has_value());
    CHECK(report::to_json(*back) == text);
    CHECK(back->object == full().object);
    CHECK(back->process.program == "/bin/a\xfe");
    CHECK(back->process.argv == full().process.argv);
    CHECK(back->between.size() == 2);
    CHECK(back->between[0].pid == 7);
    CHECK(back->between[0].argv == full().between[0].argv);
    CHECK(back->sequence == full().sequence);
    CHECK(back->error == -1);
    CHECK(back->by_shell);
    CHECK(back->failed);
    CHECK(back->likely);
    CHECK(back->grant == full().grant);
}

TEST_CASE("every length of bytes that are no text survives") {
    for (std::size_t length = 1; length < 40; ++length) {
        Denial denial = report::write_denial();
        denial.object.clear();
        for (std::size_t i = 0; i < length; ++i) denial.object += static_cast<char>(0xff - i * 7);
        const auto back = report::from_json(report::to_json(denial));
        REQUIRE(back.has_value());
        CHECK(back->object == denial.object);
    }
}

TEST_CASE("what is too large is cut off and can be read back") {
    Denial denial = full();
    denial.object.assign(100'000, '\x01');
    denial.process.argv.assign(1000, std::string(1000, '\x02'));
    denial.between.assign(100, denial.process);
    const std::string text = report::to_json(denial);
    CHECK(text.size() <= report::max_wire);
    const auto back = report::from_json(text);
    REQUIRE(back.has_value());
    CHECK(back->object.size() == report::max_wire_text);
    CHECK(back->between.size() == report::max_wire_ancestors);
}

TEST_CASE("what is no denial is an error that names the member") {
    const auto message = [](std::string_view text) {
        const auto back = report::from_json(text);
        return back ? std::string("read") : back.error().message();
    };
    CHECK(message("") == "denial: cannot read: it is no JSON object");
    CHECK(message("{") == "denial: cannot read: it is no JSON object");
    CHECK(message("[]") == "denial: cannot read: it is no JSON object");
    CHECK(message("{}") == "denial: cannot read: member 'sequence' is missing or wrong");
    CHECK(message(std::string(report::max_wire + 1, ' ')) == "denial: cannot read: it is too long");
    const auto with = [&](const char* member, report::Denial denial, nlohmann::ordered_json value) {
        auto json = report::to_value(denial);
        json[member] = std::move(value);
        return message(json.dump());
    };
    CHECK(with("object", report::write_denial(), 1) ==
          "denial: cannot read: member 'object' is missing or wrong");
    CHECK(with("object", report::write_denial(), {{"base64", "?"}}) ==
          "denial: cannot read: member 'object' is missing or wrong");
    CHECK(with("error", report::write_denial(), 1e300) ==
          "denial: cannot read: member 'error' is missing or wrong");
    CHECK(with("error", report::write_denial(), 5000000000) ==
          "denial: cannot read: member 'error' is missing or wrong");
    CHECK(with("sequence", report::write_denial(), -1) ==
          "denial: cannot read: member 'sequence' is missing or wrong");
    CHECK(with("process", report::write_denial(), 1) ==
          "denial: cannot read: member 'process.pid' is missing or wrong");
    CHECK(with("between", report::write_denial(), 1) ==
          "denial: cannot read: member 'between' is missing or wrong");
    CHECK(with("failed", report::write_denial(), "yes") ==
          "denial: cannot read: member 'failed' is missing or wrong");
}
