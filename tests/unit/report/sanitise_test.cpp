// Text from outside cannot do or pretend anything.
#include "report/sanitise.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "report/excerpt.h"
#include "report/quote.h"
#include "report/utf8.h"

using report::sanitise;

TEST_CASE("controls, formats and invalid bytes become visible escapes") {
    CHECK(sanitise("a\nb\tc\rd") == "a\\nb\\tc\\rd");
    CHECK(sanitise("\x1b[31m\x07\x7f") == "\\x1b[31m\\x07\\x7f");
    CHECK(sanitise("\xc2\x9b") == "\\u009b");
    CHECK(sanitise("a\xe2\x80\xae"
                   "b\xe2\x81\xa6\xe2\x80\x8b\xe2\x80\x8d\xef\xbb\xbf") ==
          "a\\u202eb\\u2066\\u200b\\u200d\\ufeff");
    CHECK(sanitise("\xc2\xa0\xe2\x80\xa8\xe3\x85\xa4\xc2\xad") == "\\u00a0\\u2028\\u3164\\u00ad");
    CHECK(sanitise("\xf3\xa0\x81\x81") == "\\U000e0041");
    CHECK(sanitise("\xff\xc3(\xed\xa0\x80\xc0\xaf") == "\\xff\\xc3(\\xed\\xa0\\x80\\xc0\\xaf");
    CHECK(sanitise(std::string_view("\0", 1)) == "\\x00");
}

TEST_CASE("ordinary text of any language stays as it is") {
    for (const char* text : {"/home/u/a b", "/tmp/größe", "/tmp/日本語.txt", "/tmp/e\xcc\x81",
                             "C:\\dir", "a = b", "x: y"}) {
        CHECK(sanitise(text) == text);
        CHECK(report::is_plain(text));
    }
}

TEST_CASE("combining characters need a base and do not pile up") {
    CHECK(sanitise("\xcc\x81"
                   "a") == "\\u0301a");
    CHECK(sanitise("a\xcc\x81\xcc\x81\xcc\x81\xcc\x81") == "a\xcc\x81\xcc\x81\\u0301\\u0301");
}

TEST_CASE("text shaped like a report is broken up") {
    CHECK(sanitise("sbxsh: blocked") == "sbxsh\\x3a blocked");
    CHECK(sanitise("  = rule: x") == "  \\x3d rule: x");
    CHECK(sanitise("│ x") == "\\u2502 x");
}

TEST_CASE("a long text loses its middle") {
    CHECK(sanitise("abcdefghij", 10) == "abcdefghij");
    CHECK(sanitise("abcdefghijk", 9) == "abcd…hijk");
    CHECK(sanitise("日本語日本語", 9) == "日本…本語");
    const std::string huge = "/start" + std::string(5'000'000, 'x') + "/end";
    const std::string shown = sanitise(huge, 41);
    CHECK(shown == "/start" + std::string(14, 'x') + "…" + std::string(16, 'x') + "/end");
}

TEST_CASE("quoting keeps every byte and prints harmlessly") {
    using report::shell_quote;
    CHECK(shell_quote("/etc/hosts") == "/etc/hosts");
    CHECK(shell_quote("") == "''");
    CHECK(shell_quote("a b") == "'a b'");
    CHECK(shell_quote("it's $x") == "'it'\\''s $x'");
    CHECK(shell_quote("A=1") == "'A=1'");
    CHECK(shell_quote("--a=1") == "--a=1");
    CHECK(shell_quote("~/x") == "'~/x'");
    CHECK(shell_quote("größe") == "'größe'");
    CHECK(shell_quote("a\nb\x1b'\\\xff"
                      "f") == "$'a\\nb\\x1b\\'\\\\\\xfff'");
    CHECK(shell_quote("sbxsh: x") == "$'sbxsh\\x3a x'");
    CHECK(report::shell_join({"elevate", "--write", "/a b"}) == "elevate --write '/a b'");
}

TEST_CASE("carets stand under the characters that they mark") {
    using report::excerpt;
    CHECK(excerpt("cat a", {4, 5}, "x") == "  │ cat a\n  │     ^ x\n");
    CHECK(excerpt("日本 > é", {7, 11}, "x") == "  │ 日本 > é\n  │      ^^^ x\n");
    CHECK(excerpt("e\xcc\x81 > a", {4, 7}, "x") == "  │ e\xcc\x81 > a\n  │   ^^^ x\n");
    CHECK(excerpt("a\tb", {2, 3}, "x") == "  │ a   b\n  │     ^ x\n");
    CHECK(excerpt("\x1b b", {2, 3}, "x") == "  │ \\x1b b\n  │      ^ x\n");
}

TEST_CASE("of several lines only the one concerned is shown, with its number") {
    using report::excerpt;
    CHECK(excerpt("a\nbc d\ne", {5, 6}, "x") == "  2 │ bc d\n    │    ^ x\n");
    CHECK(excerpt("a\nbc d\ne", {5, 8}, "x") == "  2 │ bc d\n    │    ^ x (to line 3)\n");
    CHECK(excerpt("a b\n", {2, 3}, "x") == "  │ a b\n  │   ^ x\n");
    CHECK(excerpt(std::string(11, '\n') + "a", {11, 12}, "x") == "  12 │ a\n     │ ^ x\n");
}

TEST_CASE("a long line is cut around the mark to a hundred columns") {
    const std::string text = std::string(3000, 'a') + " > f " + std::string(3000, 'b');
    const std::string out = report::excerpt(text, {3001, 3004}, "x");
    CHECK(out == "  │ …" + std::string(30, 'a') + " > f " + std::string(59, 'b') + "…\n  │ " +
                     std::string(32, ' ') + "^^^ x\n");
    const std::string tail = report::excerpt(std::string(200, 'a') + " > f", {201, 204}, "x");
    CHECK(tail == "  │ …" + std::string(90, 'a') + " > f\n  │ " + std::string(92, ' ') + "^^^ x\n");
    const std::string head = report::excerpt("> f " + std::string(200, 'a'), {0, 3}, "x");
    CHECK(head == "  │ > f " + std::string(90, 'a') + "…\n  │ ^^^ x\n");
}

TEST_CASE("an excerpt of any bytes and any span is two lines of valid text") {
    std::string text;
    for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 37);
    for (std::size_t begin = 0; begin <= text.size(); ++begin) {
        const std::string out = report::excerpt(text, {begin, begin + 5}, "x");
        CHECK(report::is_utf8(out));
        CHECK(std::count(out.begin(), out.end(), '\n') == 2);
    }
}
