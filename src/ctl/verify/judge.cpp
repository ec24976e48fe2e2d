// What became of the effects.
#include "ctl/verify/judge.h"

#include <sys/wait.h>

#include <cstring>

#include "ctl/verify/administrator.h"
#include "ctl/verify/attempt.h"
#include "ctl/verify/battery.h"
#include "ctl/verify/run.h"
#include "ctl/verify/self.h"

namespace ctl::verify {
namespace {

constexpr const char* plain_shell = "/bin/sh";

/// The last line of what was said: the reason of most programs.
std::string last_line(const std::string& text) {
    const std::size_t end = text.find_last_not_of('\n');
    if (end == std::string::npos) return {};
    const std::size_t begin = text.rfind('\n', end);
    return text.substr(begin + 1, end - begin);  // npos + 1 is 0
}

/// Takes over what sbxsh says when it cannot start: "sbxsh: WHAT", and "  = help: REMEDY" below.
void take_message(const std::string& said, core::Error& error) {
    constexpr std::string_view start = "sbxsh: ";
    constexpr std::string_view help = "\n  = help: ";
    if (said.empty()) return;
    const std::size_t begin = said.starts_with(start) ? start.size() : 0;
    const std::size_t end = said.find(help);
    error.detail = said.substr(begin, std::min(end, said.find_last_not_of('\n') + 1) - begin);
    if (end == std::string::npos) return;
    error.remedy = said.substr(end + help.size());
    error.remedy.erase(error.remedy.find_last_not_of('\n') + 1);
}

/// How an attempt ended, as a reason.
std::string reason_of(const Seen& seen) {
    if (seen.status == -1) return "it did not end";
    if (WIFSIGNALED(seen.status))
        return std::string("it was ended by signal ") + strsignal(WTERMSIG(seen.status));
    const int error = WEXITSTATUS(seen.status);
    if (error == 0) return "the attempt had no effect";
    if (!seen.output.starts_with(began_line)) {
        const std::string said = last_line(seen.complaints);
        return said.empty() ? "status " + std::to_string(error) : said;
    }
    return std::strerror(error);
}

/// One try of an effect on a target of its own.
struct Try {
    Seen seen;
    bool happened = false;
    std::optional<std::string> decision;  ///< The administrator's, where it differs from ours.
};

class Judge {
  public:
    Judge(Ground& ground, const std::string& sbxsh) : ground_(ground), sbxsh_(sbxsh) {}

    Finding judge(const Family& family, const Effect& effect) {
        Finding finding{&family, &effect, Outcome::not_tried, {}};
        if (effect.control == Control::usual) {
            const auto control = try_with(plain_shell, effect);
            if (!control) return finding.detail = control.error().message(), finding;
            if (!control->happened) return finding.detail = reason_of(control->seen), finding;
        }
        const auto inside = try_with(sbxsh_, effect);
        if (!inside) {
            finding.outcome = Outcome::fails;
            finding.detail = inside.error().message();
            return finding;
        }
        conclude(*inside, finding);
        return finding;
    }

  private:
    core::Result<Try> try_with(const std::string& shell, const Effect& effect) {
        const auto stage = effect.stage(ground_);
        if (!stage) return core::fail(stage.error());
        Launch launch{shell,
                      {shell, "-c", std::string(effect.line), own_program(),
                       std::string(attempt_command), std::string(effect.id)},
                      ground_.environment(),
                      ground_.workspace(),
                      stage->terminal};
        launch.words.insert(launch.words.end(), stage->arguments.begin(), stage->arguments.end());
        launch.environment.insert(launch.environment.end(), stage->variables.begin(),
                                  stage->variables.end());
        Try result;
        bool held = false;
        auto seen = run(launch, [&](const Seen& now) {
            held = true;
            result.happened = stage->happened(now);
        });
        if (!seen) return core::fail(seen.error());
        result.seen = *std::move(seen);
        if (!held) result.happened = stage->happened(result.seen);
        result.decision = administrator_.differs(effect, *stage);
        return result;
    }

    static void conclude(const Try& inside, Finding& finding) {
        const bool attack = finding.family->kind == Kind::attack;
        const bool began =
            finding.effect->attempt == nullptr || inside.seen.output.starts_with(began_line);
        if (attack && !inside.happened && began && inside.seen.status != -1) {
            finding.outcome = Outcome::held;
        } else if (!attack && inside.happened) {
            finding.outcome = Outcome::works;
        } else if (inside.decision && began) {
            finding.outcome = Outcome::decided;
            finding.detail = *inside.decision;
        } else if (attack && inside.happened) {
            finding.outcome = Outcome::broken;
        } else {
            finding.outcome = Outcome::fails;
            finding.detail = reason_of(inside.seen);
        }
    }

    Ground& ground_;
    const std::string& sbxsh_;
    Administrator administrator_{ground_};
};

}  // namespace

std::string_view name(Outcome outcome) {
    switch (outcome) {
        case Outcome::held:
            return "held";
        case Outcome::broken:
            return "not-held";
        case Outcome::works:
            return "works";
        case Outcome::fails:
            return "does-not-work";
        case Outcome::not_tried:
            return "not-tried";
        case Outcome::decided:
            break;
    }
    return "decided-by-administrator";
}

core::Result<void> try_start(const Ground& ground, const std::string& sbxsh) {
    const Launch launch{sbxsh, {sbxsh, "-c", "exit 0"}, ground.environment(), ground.workspace()};
    const auto seen = run(launch, [](const Seen&) {});
    if (!seen) return core::fail(seen.error());
    if (seen->status == 0) return {};
    core::Error error{"start a command", "the sandbox", 0, reason_of(*seen), ""};
    take_message(seen->complaints, error);
    return core::fail(std::move(error));
}

std::vector<Finding> try_all(Ground& ground, const std::string& sbxsh) {
    Judge judge(ground, sbxsh);
    std::vector<Finding> findings;
    for (const Family& family : battery()) {
        for (const Effect& effect : family.effects) {
            if (Interruption::signal() != 0) return findings;
            findings.push_back(judge.judge(family, effect));
        }
    }
    return findings;
}

}  // namespace ctl::verify
