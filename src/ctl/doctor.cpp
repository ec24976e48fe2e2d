// sbxctl doctor: what this machine can enforce, and what is wrong with the set-up.
#include <sys/utsname.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ctl/commands.h"
#include "ctl/speech.h"
#include "ctl/verify/verify.h"
#include "launch/interpreter.h"
#include "launch/prepare.h"
#include "launch/state.h"
#include "linux/sandbox.h"

namespace ctl {
namespace {

using launch::Capability;

Capability from_error(std::string name, const core::Error& error, bool required) {
    std::string detail = error.message();
    if (!error.remedy.empty()) detail += "; " + error.remedy;
    return {std::move(name), false, std::move(detail), required};
}

/// The parts of the set-up that are ours to read: policy, shell, state directory.
std::vector<Capability> check_setup(const Request& request) {
    std::vector<Capability> checks;
    const auto loaded = launch::load_policy(request.options, request.environment);
    if (!loaded) {
        checks.push_back(from_error("policy", loaded.error(), true));
        return checks;
    }
    std::string files;
    for (const std::string& file : loaded->files) (files += files.empty() ? "" : ", ") += file;
    checks.push_back({"policy", true, files.empty() ? "built in" : "built in, " + files, true});
    const std::string& workspace = loaded->policy.workspace();
    checks.push_back({"workspace", !workspace.empty(),
                      workspace.empty() ? "none: nothing is writable because of it" : workspace,
                      false});
    for (const std::string& remark : loaded->scene.remarks)
        checks.push_back({"note", false, remark, false});
    const std::string wanted = !request.options.interpreter.empty()
                                   ? request.options.interpreter
                                   : loaded->policy.settings().interpreter.value_or("bash");
    if (const auto interpreter = launch::find_interpreter(wanted, request.environment)) {
        checks.push_back({"shell", true, *interpreter, true});
    } else {
        checks.push_back(from_error("shell", interpreter.error(), true));
    }
    if (const auto state = launch::prepare_state(loaded->scene.variables)) {
        checks.push_back({"state directory", true, loaded->scene.variables.state, false});
    } else {
        checks.push_back(from_error("state directory", state.error(), false));
    }
    return checks;
}

std::string system_text() {
    utsname names;
    if (uname(&names) != 0) return "unknown";
    return std::string(names.sysname) + " " + names.release + " " + names.machine + ", user " +
           std::to_string(geteuid());
}

std::string as_text(const std::vector<Capability>& list) {
    std::string text;
    for (const Capability& one : list) {
        text += one.present ? "  ok       " : one.required ? "  MISSING  " : "  lacking  ";
        text += shown(one.name) + (one.detail.empty() ? "" : ": " + shown(one.detail)) + "\n";
    }
    return text;
}

nlohmann::json as_json(const std::vector<Capability>& list) {
    nlohmann::json array = nlohmann::json::array();
    for (const Capability& one : list) {
        array.push_back({{"name", one.name},
                         {"present", one.present},
                         {"detail", one.detail},
                         {"required", one.required}});
    }
    return array;
}

bool complete(const std::vector<Capability>& list) {
    for (const Capability& one : list) {
        if (one.required && !one.present) return false;
    }
    return true;
}

}  // namespace

int doctor(const Request& request) {
    std::vector<std::string> words = request.arguments;
    const bool json = take_flag(words, "--json");
    if (take_flag(words, "--verify"))
        return verify::verify(request, words, json ? verify::Form::json : verify::Form::text);
    if (!words.empty()) return misuse("doctor takes no argument '" + words[0] + "'");
    const std::vector<Capability> machine = linux_backend::LinuxSandbox().probe();
    const std::vector<Capability> setup = check_setup(request);
    const bool ready = complete(machine) && complete(setup);
    const bool inside = linux_backend::inside_sandbox();
    int status;
    if (json) {
        const nlohmann::json document = {{"ready", ready},
                                         {"system", system_text()},
                                         {"inside_sandbox", inside},
                                         {"machine", as_json(machine)},
                                         {"setup", as_json(setup)}};
        status =
            print(document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    } else {
        std::string text = system_text() + "\n";
        if (inside)
            text += "this runs inside a sandbox of sbxsh: what is shown is what is left there\n";
        text += "machine\n" + as_text(machine) + "set-up\n" + as_text(setup);
        text += ready ? "commands can be run in the sandbox\n"
                      : "commands cannot be run: what is MISSING is needed\n";
        status = print(text);
    }
    return status != 0 || ready ? status : 1;
}

}  // namespace ctl
