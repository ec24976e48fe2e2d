// sbxctl doctor --verify.
#include "ctl/verify/verify.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <filesystem>

#include "ctl/speech.h"
#include "ctl/verify/findings.h"
#include "ctl/verify/ground.h"
#include "ctl/verify/judge.h"
#include "ctl/verify/run.h"
#include "ctl/verify/self.h"
#include "linux/sandbox.h"

namespace ctl::verify {
namespace {

constexpr std::string_view usual_path =
    "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// All that was found, or why nothing could be.
struct Report {
    std::string sbxsh;
    std::string problem;
    std::vector<Finding> findings;
};

std::string said_of(const core::Error& error) {
    return error.message() + (error.remedy.empty() ? "" : "; " + error.remedy);
}

/// Pipes of ours must not land on descriptors 0 to 2, which may be closed.
void reserve_standard_descriptors() {
    int descriptor;
    while ((descriptor = open("/dev/null", O_RDWR)) >= 0 && descriptor <= STDERR_FILENO) {
    }
    if (descriptor >= 0) close(descriptor);
}

core::Result<std::vector<Finding>> play(const Request& request, const std::string& sbxsh) {
    const std::string home(launch::find(request.environment, "HOME").value_or(""));
    const auto ground =
        Ground::lay_out({"/var/tmp", home},
                        launch::find_nonempty(request.environment, "PATH").value_or(usual_path));
    if (!ground) return core::fail(ground.error());
    if (chdir((*ground)->workspace().c_str()) != 0)
        return core::fail(core::system_error("enter", (*ground)->workspace()));
    if (auto started = try_start(**ground, sbxsh); !started) return core::fail(started.error());
    return try_all(**ground, sbxsh);
}

Report examine(const Request& request, const std::string& wanted) {
    Report report;
    if (linux_backend::inside_sandbox()) {
        report.problem = "this runs inside a sandbox of sbxsh: from here nothing can be looked at";
        return report;
    }
    std::error_code failed;
    auto sbxsh =
        wanted.empty()
            ? find_sbxsh()
            : core::Result<std::string>(std::filesystem::absolute(wanted, failed).string());
    if (!sbxsh) {
        report.problem = said_of(sbxsh.error());
        return report;
    }
    report.sbxsh = *sbxsh;
    auto findings = play(request, *sbxsh);
    if (findings)
        report.findings = *std::move(findings);
    else
        report.problem = said_of(findings.error());
    return report;
}

int tell(const Report& report, Form form) {
    const bool held = report.problem.empty() && all_held(report.findings);
    int status;
    if (form == Form::json) {
        const nlohmann::json document = {{"verified", held},
                                         {"sbxsh", report.sbxsh},
                                         {"problem", report.problem},
                                         {"effects", findings_json(report.findings)}};
        status =
            print(document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
    } else {
        std::string text = report.sbxsh.empty() ? "" : "tried with " + shown(report.sbxsh) + "\n";
        text += report.problem.empty() ? findings_text(report.findings)
                                       : "nothing could be tried: " + shown(report.problem) + "\n";
        if (report.problem.empty())
            text += held ? "the sandbox holds\n" : "the sandbox does NOT hold\n";
        status = print(text);
    }
    return status != 0 || held ? status : 1;
}

}  // namespace

int verify(const Request& request, std::vector<std::string> words, Form form) {
    std::string wanted;
    if (!words.empty() && words[0].starts_with("--sbxsh")) {
        const bool joined = words[0].starts_with("--sbxsh=");
        if (!joined && (words[0] != "--sbxsh" || words.size() < 2))
            return misuse("--sbxsh needs a path");
        wanted = joined ? words[0].substr(8) : words[1];
        words.erase(words.begin(), words.begin() + (joined ? 1 : 2));
        if (wanted.empty()) return misuse("--sbxsh needs a path");
    }
    if (!words.empty()) return misuse("doctor --verify takes no argument '" + words[0] + "'");
    Report report;
    {
        const Interruption interruption;
        reserve_standard_descriptors();
        report = examine(request, wanted);
    }
    if (const int number = Interruption::signal()) {
        signal(number, SIG_DFL);
        raise(number);
    }
    return tell(report, form);
}

}  // namespace ctl::verify
