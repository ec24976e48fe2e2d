// From how we were called to the plan.
#include "launch/prepare.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <unordered_set>

#include "core/fingerprint.h"
#include "launch/interpreter.h"
#include "launch/state.h"
#include "os/tree.h"

namespace launch {
namespace {

using core::Error;
using core::fail;
using core::Result;

constexpr std::size_t policy_limit = 1 << 20;

enum class Presence { optional, required };

/// Where one level's policy file is.
struct PolicyFile {
    policy::Level level;
    std::string path;
    Presence presence;
    os::Links links;
};

std::vector<PolicyFile> policy_files(const Options& options, const policy::Variables& variables,
                                     const SystemPaths& paths) {
    using policy::Level;
    std::vector<PolicyFile> files = {
        {Level::admin, paths.admin_policy, Presence::optional, os::Links::follow},
        {Level::user, variables.config + "/sbxsh/policy.toml", Presence::optional,
         os::Links::follow},
    };
    // A link in a repository could lead to a file that only we can read, and a message would quote
    // it.
    if (!variables.workspace.empty()) {
        files.push_back({Level::workspace, variables.workspace + "/.sbxsh.toml", Presence::optional,
                         os::Links::refuse});
    }
    if (!options.policy.empty()) {
        files.push_back({Level::invocation, options.policy, Presence::required, os::Links::follow});
    }
    return files;
}

Result<std::vector<policy::Source>> read_sources(const std::vector<PolicyFile>& files) {
    std::vector<policy::Source> sources;
    for (const PolicyFile& file : files) {
        auto text = os::read_regular_file(file.path, policy_limit, file.links);
        if (text) {
            sources.push_back({file.level, file.path, *std::move(text)});
            continue;
        }
        Error error = std::move(text.error());
        // A link that leads nowhere stands for a policy that somebody meant to be there.
        struct stat status;
        const bool absent = (error.code == ENOENT || error.code == ENOTDIR) &&
                            lstat(file.path.c_str(), &status) != 0;
        if (absent && file.presence == Presence::optional) continue;
        error.operation = "read the policy";
        if (error.code == EFBIG) error.detail = "it is larger than 1 MiB";
        if (error.code == ELOOP && file.links == os::Links::refuse)
            error.detail = "it is a symbolic link";
        error.remedy =
            absent ? "name a policy file that exists" : "make it a readable file, or remove it";
        return fail(std::move(error));
    }
    return sources;
}

std::string fingerprint(const std::vector<policy::Source>& sources,
                        const policy::Variables& variables) {
    core::Fingerprint print;
    for (const policy::Source& source : sources) {
        print.add(source.file);
        print.add(source.text);
    }
    print.add(variables.workspace);
    print.add(variables.extra_workspace);
    print.add(variables.homes);
    print.add(variables.temporary);
    print.add(variables.git_runs);
    for (const std::string* path :
         {&variables.cache, &variables.config, &variables.data, &variables.state}) {
        print.add(*path);
    }
    return print.text();
}

/// Takes the variables that the policy removes out of `environment`, and returns their names.
std::vector<std::string> scrub(Environment& environment, const policy::Policy& policy) {
    std::vector<std::string_view> names;
    names.reserve(environment.size());
    for (const std::string& entry : environment)
        names.push_back(std::string_view(entry).substr(0, entry.find('=')));
    std::unordered_set<std::string> removed;
    for (const std::string_view name : policy.scrub(names)) removed.emplace(name);
    if (removed.empty()) return {};
    std::erase_if(environment, [&](const std::string& entry) {
        return removed.contains(entry.substr(0, entry.find('=')));
    });
    std::vector<std::string> list(removed.begin(), removed.end());
    std::sort(list.begin(), list.end());
    return list;
}

/// The shell that was asked for by option, by our own name, by the policy; else bash.
Result<std::string> choose_interpreter(const Invocation& invocation,
                                       const policy::Settings& settings,
                                       const Environment& environment) {
    if (!invocation.options.interpreter.empty())
        return find_interpreter(invocation.options.interpreter, environment);
    if (invocation.shell_name.empty()) {
        return find_interpreter(settings.interpreter.value_or("bash"), environment);
    }
    return find_interpreter(invocation.shell_name, environment);
}

Result<Diagnostics> choose_diagnostics(const Options& options, const policy::Settings& settings) {
    if (options.diagnostics) return *options.diagnostics;
    if (!settings.diagnostics) return Diagnostics::text;
    if (const auto named = diagnostics_named(*settings.diagnostics)) return *named;
    return fail(Error{"report refusals", "[report] diagnostics", 0,
                      "'" + *settings.diagnostics + "' is not possible here",
                      "use one of text, line, json, off"});
}

/// The descriptor for JSON diagnostics, -1 for none.
Result<int> choose_descriptor(const Options& options) {
    const int number = options.diagnostics_descriptor;
    if (number < 0) return number;
    // What the caller closed of 0 to 2 is held by a placeholder that can be neither read nor
    // written.
    const int flags = fcntl(number, F_GETFL);
    const bool open = flags >= 0 && (flags & O_PATH) == 0;
    if (open && (flags & O_ACCMODE) != O_RDONLY) return number;
    const std::string text = std::to_string(number);
    return fail(Error{"write diagnostics", "descriptor " + text, 0,
                      open ? "it is not open for writing" : "it is not open",
                      "open it (" + text +
                          ">FILE), or set neither --sbx-diagnostics-fd nor SBXSH_DIAGNOSTICS_FD"});
}

}  // namespace

Result<LoadedPolicy> load_policy(const Options& options, const Environment& environment,
                                 const SystemPaths& paths) {
    auto scene = look_around(options, environment, paths);
    if (!scene) return fail(std::move(scene.error()));
    const policy::Variables& variables = scene->variables;
    auto sources = read_sources(policy_files(options, variables, paths));
    if (!sources) return fail(std::move(sources.error()));
    // The state directory may not be fit for use: then nothing is remembered, as it does not exist
    // or cannot be written.
    const RealSurroundings surroundings(scene->git_directory, variables.state + "/ignore");
    auto policy = policy::load(*sources, variables, surroundings);
    if (!policy) return fail(std::move(policy.error()));
    LoadedPolicy loaded{*std::move(policy), *std::move(scene), {}, {}};
    for (const policy::Source& source : *sources) loaded.files.push_back(source.file);
    loaded.fingerprint = fingerprint(*sources, loaded.scene.variables);
    return loaded;
}

Result<Prepared> prepare(const Invocation& invocation, const Environment& environment,
                         const SystemPaths& paths) {
    auto loaded = load_policy(invocation.options, environment, paths);
    if (!loaded) return fail(std::move(loaded.error()));
    const policy::Settings& settings = loaded->policy.settings();
    auto interpreter = choose_interpreter(invocation, settings, environment);
    if (!interpreter) return fail(std::move(interpreter.error()));
    const auto diagnostics = choose_diagnostics(invocation.options, settings);
    if (!diagnostics) return fail(diagnostics.error());
    const auto descriptor = choose_descriptor(invocation.options);
    if (!descriptor) return fail(descriptor.error());

    Prepared prepared(std::move(loaded->policy));
    Plan& plan = prepared.plan;
    plan.interpreter = *std::move(interpreter);
    plan.arguments = invocation.arguments;
    plan.environment = environment;
    plan.variables = std::move(loaded->scene.variables);
    plan.fingerprint = std::move(loaded->fingerprint);
    prepared.use = shell_use(invocation, plan.interpreter);
    prepared.current = std::move(loaded->scene.current);
    prepared.diagnostics = *diagnostics;
    prepared.diagnostics_descriptor = *descriptor;
    prepared.removed_variables = scrub(plan.environment, plan.policy);
    prepared.remarks = std::move(loaded->scene.remarks);
    if (auto state = prepare_state(plan.variables)) {
        plan.state = plan.variables.state;
    } else {
        prepared.state_problem = std::move(state.error());
    }
    return prepared;
}

}  // namespace launch
