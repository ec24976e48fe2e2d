// Words: where they end, what they are worth, and where each byte came from.
#include "command/word.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "command/parser.h"

namespace {

command::Word first_argument(std::string_view text) {
    const command::Script script = command::parse(text);
    REQUIRE(script.commands.size() >= 1);
    REQUIRE(script.commands[0].words.size() >= 2);
    return script.commands[0].words[1];
}

std::string value(std::string_view text) {
    const command::Word word = first_argument(text);
    CHECK(word.constant);
    CHECK(word.literal.at.size() == word.literal.text.size());
    return word.literal.text;
}

}  // namespace

TEST_CASE("quoting is removed from a constant word") {
    CHECK(value("x plain") == "plain");
    CHECK(value(R"(x a\ b)") == "a b");
    CHECK(value(R"(x 'a b'"c d"\')") == "a bc d'");
    CHECK(value(R"(x "a\"\$\`\\\n")") == R"(a"$`\\n)");
    CHECK(value("x a\\\nb") == "ab");
    CHECK(value("x \"a\\\nb\"") == "ab");
    CHECK(value("x ''") == "");
    CHECK(value("x $\"loc\"") == "loc");
    CHECK(value(R"(x $'\t\x41\101\u00e9\e\cA\'\q')") == "\tAA\xc3\xa9\x1b\x01'\\q");
    CHECK(value("x {}") == "{}");
    CHECK(value("x [") == "[");
    CHECK(value("x '*'\\?\"[a]\"") == "*?[a]");
}

TEST_CASE("a word that bash would still expand is not constant") {
    for (const char* word : {"$a", "${a}", "a$(b)", "`b`", "\"$a\"", "~/x", "*.c", "a?", "[ab]",
                             "{a,b}", "{1..3}", "$((1))", "<(a)", "@(a|b)", "$?", "$1"}) {
        CAPTURE(word);
        CHECK_FALSE(first_argument(std::string("x ") + word).constant);
    }
}

TEST_CASE("what follows the last expansion of a word is known") {
    CHECK(first_argument("x \"$HOME/.ssh/id rsa\"").literal.text == "/.ssh/id rsa");
    CHECK(first_argument("x ${d}'/hosts'").literal.text == "/hosts");
    CHECK(first_argument("x ~/hosts").literal.text == "~/hosts");
    CHECK_FALSE(first_argument("x ~/hosts").expands);
    CHECK(first_argument("x a$b").literal.text == "");
}

TEST_CASE("each byte of a value knows where it was written") {
    const command::Word word = first_argument(R"(x a'b'$'\x43')");
    CHECK(word.literal.text == "abC");
    CHECK(word.literal.at == std::vector<std::uint32_t>{2, 4, 8});
}

TEST_CASE("expansions end where bash ends them") {
    const auto text_of = [](std::string_view text) {
        const core::Span span = first_argument(text).span;
        return std::string(text.substr(span.begin, span.size()));
    };
    CHECK(text_of("x $(a ')' \")\" # )\n) y") == "$(a ')' \")\" # )\n)");
    CHECK(text_of("x $(case a in a) b;; esac) y") == "$(case a in a) b;; esac)");
    CHECK(text_of("x ${a:-$(b } c)} y") == "${a:-$(b } c)}");
    CHECK(text_of("x ${a:-'}'}z y") == "${a:-'}'}z");
    CHECK(text_of("x \"${a:-\"b c\"}\" y") == "\"${a:-\"b c\"}\"");
    CHECK(text_of("x $((1 + (2 * $(b)))) y") == "$((1 + (2 * $(b))))");
    CHECK(text_of("x $((a) | (b)) y") == "$((a) | (b))");
    CHECK(text_of("x `a \\`b\\` c` y") == "`a \\`b\\` c`");
    CHECK(text_of("x a@(b|c d)e y") == "a@(b|c d)e");
    CHECK(text_of("x <(a b)c y") == "<(a b)c");
}
