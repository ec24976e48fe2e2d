// Our own options.
#include "launch/options.h"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>

using launch::Diagnostics;
using launch::Options;

namespace {

struct Parsed {
    core::Result<Options> options;
    std::size_t first_foreign = 0;
};

Parsed parse(std::vector<std::string> arguments, const launch::Environment& environment = {}) {
    arguments.insert(arguments.begin(), "sbxsh");
    std::size_t first_foreign = 0;
    auto options = launch::parse_options(arguments, environment, first_foreign);
    return {std::move(options), first_foreign};
}

void check_error(const Parsed& parsed, const std::string& message, const std::string& remedy) {
    REQUIRE(!parsed.options);
    CHECK(parsed.options.error().message() == message);
    CHECK(parsed.options.error().remedy == remedy);
}

}  // namespace

TEST_CASE("options stand first, with their value behind a space or an equals sign") {
    const auto parsed = parse({"--sbx-policy", "p.toml", "--sbx-diagnostics=json",
                               "--sbx-diagnostics-fd=7", "-c", "true"});
    REQUIRE(parsed.options);
    CHECK(parsed.options->policy == "p.toml");
    CHECK(parsed.options->diagnostics == Diagnostics::json);
    CHECK(parsed.options->diagnostics_descriptor == 7);
    CHECK(parsed.first_foreign == 5);
}

TEST_CASE("an option behind the shell's first argument is the shell's") {
    const auto parsed = parse({"-c", "--sbx-policy", "--sbx-nonsense"});
    REQUIRE(parsed.options);
    CHECK(parsed.options->policy.empty());
    CHECK(parsed.first_foreign == 1);
}

TEST_CASE(
    "a variable does what its option does, the option counts before it, the last option counts") {
    const launch::Environment environment = {"SBXSH_WORKSPACE=/a", "SBXSH_DIAGNOSTICS=line",
                                             "SBXSH_POLICY=", "SBXSH_INTERPRETER=dash"};
    const auto parsed = parse({"--sbx-workspace=/b", "--sbx-workspace", "/c"}, environment);
    REQUIRE(parsed.options);
    CHECK(parsed.options->workspace == "/c");
    CHECK(parsed.options->diagnostics == Diagnostics::line);
    CHECK(parsed.options->interpreter == "dash");
    CHECK(parsed.options->policy.empty());
}

TEST_CASE("unknown options and bad values are errors that name their place") {
    check_error(parse({"--sbx-polcy", "x"}),
                "--sbx-polcy: cannot use option: there is no such option",
                "see sbxsh --sbx-help for the options");
    check_error(parse({"--sbx-policy"}), "--sbx-policy: cannot use option: it needs a value: FILE",
                "see sbxsh --sbx-help for the options");
    check_error(parse({"--sbx-help=yes"}), "--sbx-help: cannot use option: it takes no value",
                "see sbxsh --sbx-help for the options");
    check_error(parse({"--sbx-diagnostics=xml"}),
                "--sbx-diagnostics: cannot use the value: 'xml' is not possible here",
                "use one of text, line, json, off");
    check_error(parse({}, {"SBXSH_DIAGNOSTICS_FD=3x"}),
                "SBXSH_DIAGNOSTICS_FD: cannot use the value: '3x' is not possible here",
                "use the number of an open descriptor, such as 3");
    check_error(parse({"--sbx-policy="}),
                "--sbx-policy: cannot use the value: '' is not possible here",
                "give a value, or leave the option out");
}

TEST_CASE("the help tells each option with its variable") {
    const std::string help = launch::help_text();
    for (const launch::OptionRow& row : launch::option_rows()) {
        CHECK(help.find("  " + std::string(row.name)) != std::string::npos);
        CHECK(help.find(std::string(row.variable)) != std::string::npos);
        CHECK(help.find(std::string(row.help) + ".\n") != std::string::npos);
    }
    CHECK(help.find("  --sbx-diagnostics text|line|json|off (SBXSH_DIAGNOSTICS)\n") !=
          std::string::npos);
}

TEST_CASE("the manual page has each option with its value and its variable") {
    std::ifstream file(MANUAL);
    const std::string manual{std::istreambuf_iterator<char>(file), {}};
    REQUIRE(manual.find(".Sh NAME\n") != std::string::npos);
    for (const launch::OptionRow& row : launch::option_rows()) {
        std::string line = "\n.It Fl " + std::string(row.name.substr(1));
        if (!row.argument.empty()) line += " Ar " + std::string(row.argument);
        if (!row.variable.empty()) line += " Pq Ev " + std::string(row.variable);
        CAPTURE(line);
        CHECK(manual.find(line + "\n") != std::string::npos);
    }
}
