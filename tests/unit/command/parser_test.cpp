// The shape of trees, their spans, and what happens with text that is no command line.
#include "command/parser.h"

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "command/outline.h"

namespace {

using command::Node;
using command::NodeKind;
using command::Script;

std::string show(std::string_view text, core::Span span) {
    return std::string(text.substr(span.begin, span.size()));
}

std::string shape(std::string_view text, const Node& node) {
    static constexpr std::array<std::string_view, 12> names{"",       "pipe",     "list", "sub",
                                                            "group",  "if",       "loop", "case",
                                                            "clause", "function", "test", "arith"};
    std::string out(names[static_cast<std::size_t>(node.kind)]);
    out += '(';
    for (const auto& word : node.assignments) out += "=" + show(text, word.span) + " ";
    for (const auto& word : node.words) out += show(text, word.span) + " ";
    for (const auto& redirection : node.redirections)
        out += "{" + show(text, redirection.span) + "} ";
    for (const Node& child : node.children) out += shape(text, child) + child.after;
    if (out.back() == ' ') out.pop_back();
    return out + ")";
}

std::string shape(std::string_view text) {
    const Script script = command::parse(text);
    std::string out;
    for (const Node& node : script.commands) out += shape(text, node) + node.after;
    return script.complete ? out : out + " incomplete";
}

void check_tiles(std::string_view text, const Script& script) {
    std::size_t at = script.span.begin;
    for (const command::Token& token : script.tokens) {
        CHECK(token.span.begin == at);
        CHECK(token.span.end > at);
        at = token.span.end;
    }
    CHECK(at == script.span.end);
    CHECK(script.span.end <= text.size());
}

}  // namespace

TEST_CASE("lists and pipelines") {
    CHECK(shape("a; b & c && d || e | f |& g\nh") ==
          "(a);(b)&list((c)&&(d)||pipe((e)|(f)|&(g)))\n(h)");
    CHECK(shape("! a | b") == "pipe((a)|(b))");
    CHECK(shape("time -p a") == "pipe((a))");
    CHECK(shape("a &&\n\n b |\n c") == "list((a)&&pipe((b)|(c)))");
    CHECK(shape("  # only a comment") == "");
    CHECK(shape("a # b; c\nd") == "(a)\n(d)");
    CHECK(shape("a#b") == "(a#b)");
}

TEST_CASE("simple commands with assignments and redirections") {
    CHECK(shape("A=1 B+=$x c[1]=2 cmd D=3") == "(=A=1 =B+=$x =c[1]=2 cmd D=3)");
    CHECK(shape("a=(1 'x y' $(b)) c") == "(=a=(1 'x y' $(b)) c)");
    CHECK(shape("a >f 2>&1 <<<x 3<> y &>>z {fd}>w b 2") ==
          "(a b 2 {>f} {2>&1} {<<<x} {3<> y} {&>>z} {{fd}>w})");
    CHECK(shape("> f a") == "(a {> f})");
    CHECK(shape("a < <(b >c)") == "(a {< <(b >c)})");
    CHECK(shape("echo if then fi { }") == "(echo if then fi { })");
}

TEST_CASE("compound commands") {
    CHECK(shape("(a; b) >f") == "sub({>f} (a);(b))");
    CHECK(shape("{ a; b; } 2>f") == "group({2>f} (a);(b);)");
    CHECK(shape("if a; then b; elif c; then d; else e; fi") == "if((a);(b);(c);(d);(e);)");
    CHECK(shape("while read x; do a; done <f") == "loop({<f} (read x);(a);)");
    CHECK(shape("for i in 1 2; do a $i; done") == "loop(i 1 2 (a $i);)");
    CHECK(shape("for ((i=0; i<$(n); i++)); do a; done") == "loop(i=0; i<$(n); i++ (a);)");
    CHECK(shape("for i\ndo a; done") == "loop(i (a);)");
    CHECK(shape("case $x in a|b) c;; (d) e;& *) ;; esac >f") ==
          "case($x {>f} clause(a b (c))clause(d (e))clause(*))");
    CHECK(shape("f() { a; }; function g { b; }") ==
          "function(f group((a);));function(g group((b);))");
    CHECK(shape("[[ -f a && $b =~ ^(c|d)$ ]] && e") == "list(test(-f a $b =~ ^ c d $)&&(e))");
    CHECK(shape("(( a > 1 )) || b") == "list(arith( a > 1 )||(b))");
    CHECK(shape("((a); (b))") == "sub(sub((a));sub((b)))");
    CHECK(shape("coproc a b") == "(a b)");
}

TEST_CASE("here-documents belong to the line that announces them") {
    const std::string text = "cat <<E <<-'F' >o; b\nx $(c) y\nE\n\tz $(d)\n\tF\ne\n";
    CHECK(shape(text) == "(cat {<<E} {<<-'F'} {>o});(b)\n(e)\n");
    const Script script = command::parse(text);
    REQUIRE(script.heredocs.size() == 2);
    CHECK(show(text, script.heredocs[0].span) == "x $(c) y\n");
    CHECK(show(text, script.heredocs[1].span) == "\tz $(d)\n");
    CHECK(script.heredocs[0].body.parts.size() == 1);
    CHECK(script.heredocs[1].body.parts.empty());
    CHECK(script.commands[0].redirections[1].heredoc == 1);
    check_tiles(text, script);
}

TEST_CASE("a here-document inside a substitution ends inside it") {
    const std::string text = "git commit -m \"$(cat <<'E'\nit's ) fine\nE\n)\" && b";
    CHECK(shape(text) == "list((git commit -m \"$(cat <<'E'\nit's ) fine\nE\n)\")&&(b))");
}

TEST_CASE("nested scripts carry spans of the whole text") {
    const std::string text = "x \"$(a b)\" `c \\`d e\\``";
    const Script script = command::parse(text);
    REQUIRE(script.complete);
    const auto& words = script.commands[0].words;
    const Script& first = words[1].parts[0].parts[0].scripts[0];
    CHECK(show(text, first.commands[0].span) == "a b");
    const Script& second = words[2].parts[0].scripts[0];
    const Script& inner = second.commands[0].words[1].parts[0].scripts[0];
    CHECK(show(text, inner.commands[0].words[0].span) == "d");
}

TEST_CASE("tokens tile the text") {
    for (const std::string_view text : {"a  b;c&&d\\\n e # f\n(g)>h 2>&1 <<<i", "\n\n a \n",
                                        "if a\nthen b\nfi", "a ) b } c fi", "((1+2)) ; [[ a ]]"}) {
        CAPTURE(text);
        check_tiles(text, command::parse(text));
    }
}

TEST_CASE("what cannot be understood leaves the rest of the tree") {
    CHECK(shape("a ) b") == "(a)(b) incomplete");
    CHECK(shape("fi; a") == "(a) incomplete");
    CHECK(shape("if a; then b") == "if((a);(b)) incomplete");
    CHECK(shape("a && && b") == "list((a)&&())(b) incomplete");
    CHECK(shape("a >; b") == "(a {>});(b) incomplete");
    CHECK(shape("echo 'x") == "(echo 'x) incomplete");
    CHECK(shape("echo $(a") == "(echo $(a) incomplete");
    CHECK(shape("cat <<E\nx") == "(cat {<<E})\n incomplete");
}

TEST_CASE("every prefix and every cut of a rich text is survived, with tokens that tile") {
    const std::string text =
        "f() { case \"${x:-`a \\`b\\``}\" in (*[a-z]) echo $((1+$(c <<E\nd\nE\n))) >&2;; esac; }; "
        "for ((;;)); do [[ a =~ (b) ]] || { while :; do a=(1 $'\\x41' @(x|y)); done < <(z) "
        "2>>$\"q\"; }; done &";
    CHECK(command::parse(text).complete);
    for (std::size_t i = 0; i <= text.size(); ++i) {
        check_tiles(text, command::parse(std::string_view(text).substr(0, i)));
        check_tiles(text, command::parse(std::string_view(text).substr(i)));
    }
}

TEST_CASE("deep nesting is cut off, not followed") {
    for (const std::string_view piece :
         {"$(", "(", "((", "$((", "`\\`", "{ ", "if ", "${a:-", "\"$(", "<(", "f() ", "a=(", "@(",
          "case x in a) ", "<<E $(", "while ", "((a) ", "$((a) "}) {
        CAPTURE(piece);
        std::string text;
        for (int i = 0; i < 20000; ++i) text += piece;
        const Script script = command::parse(text);
        CHECK_FALSE(script.complete);
        CHECK(script.span.end == text.size());
    }
}

TEST_CASE("text beyond the limit is left out and said to be") {
    const std::string text(command::max_text + 10, 'a');
    const Script script = command::parse(text);
    CHECK_FALSE(script.complete);
    CHECK(script.span.end == command::max_text);
}

TEST_CASE("any sequence of the language's pieces is survived, with tokens that tile") {
    static constexpr std::array<std::string_view, 48> pieces{
        "a",   " ",   "\n",    ";",        "&",    "|",         "(",    ")",  "{ ",  "}",
        "<",   ">",   "<<",    "E",        "'",    "\"",        "`",    "$",  "$(",  "$((",
        "))",  "${",  "\\",    "#",        "1",    "=",         "=(",   "!",  "if ", "then ",
        "fi ", "do ", "done ", "case ",    "in ",  "esac ",     ";;",   "[[", "]]",  "<(",
        "@(",  "$'",  "eval ", "bash -c ", "for ", "function ", "\xff", "\t"};
    std::uint32_t state = 1;
    for (int round = 0; round < 20000; ++round) {
        std::string text;
        for (int i = 0; i < 24; ++i) {
            state = state * 1664525U + 1013904223U;
            text += pieces[(state >> 16) % pieces.size()];
        }
        CAPTURE(text);
        check_tiles(text, command::parse(text));
        for (const auto& each : command::outline(text).commands) {
            CHECK(each.span.begin <= each.span.end);
            CHECK(each.span.end <= text.size());
            CHECK(each.end <= text.size());
        }
    }
}
