// How we were called.
#include "launch/invocation.h"

namespace launch {
namespace {

std::string_view base_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

}  // namespace

std::string shell_asked_for(std::string_view argv0) {
    std::string_view name = base_name(argv0);
    if (name.starts_with('-')) name.remove_prefix(1);
    if (name == "rbash") return "bash";
    if (name == "bash" || name == "sh" || name == "dash" || name == "zsh") return std::string(name);
    return {};
}

core::Result<Invocation> parse_invocation(const std::vector<std::string>& argv,
                                          const Environment& environment) {
    std::size_t first_foreign = 1;
    auto options = parse_options(argv, environment, first_foreign);
    if (!options) return core::fail(options.error());
    Invocation invocation;
    invocation.options = *std::move(options);
    invocation.arguments.push_back(argv.empty() ? "sbxsh" : argv[0]);
    invocation.shell_name = shell_asked_for(invocation.arguments[0]);
    for (std::size_t i = first_foreign; i < argv.size(); ++i)
        invocation.arguments.push_back(argv[i]);
    return invocation;
}

ShellUse shell_use(const Invocation& invocation, std::string_view interpreter) {
    return read_shell_arguments(shell_family(base_name(interpreter)), invocation.arguments);
}

}  // namespace launch
