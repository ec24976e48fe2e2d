// What was found, as text and as JSON.
#include "ctl/verify/findings.h"

#include <algorithm>

#include "ctl/speech.h"

namespace ctl::verify {
namespace {

std::size_t count(const std::vector<Finding>& findings, Outcome outcome) {
    return static_cast<std::size_t>(
        std::count_if(findings.begin(), findings.end(),
                      [&](const Finding& finding) { return finding.outcome == outcome; }));
}

std::string_view words_for(Outcome outcome) {
    switch (outcome) {
        case Outcome::held:
            return "  held           ";
        case Outcome::broken:
            return "  did NOT hold   ";
        case Outcome::works:
            return "  works          ";
        case Outcome::fails:
            return "  does NOT work  ";
        case Outcome::not_tried:
            return "  not tried      ";
        case Outcome::decided:
            break;
    }
    return "  decided        ";
}

std::string summary(const std::vector<Finding>& findings) {
    const std::pair<Outcome, const char*> parts[] = {
        {Outcome::held, "held"},
        {Outcome::broken, "did NOT hold"},
        {Outcome::works, "work"},
        {Outcome::fails, "do NOT work"},
        {Outcome::decided, "decided by the administrator"},
        {Outcome::not_tried, "not tried"},
    };
    std::string text;
    for (const auto& [outcome, words] : parts) {
        const std::size_t number = count(findings, outcome);
        if (number == 0) continue;
        text += (text.empty() ? "" : ", ") + std::to_string(number) + " " + words;
    }
    return text + "\n";
}

}  // namespace

bool all_held(const std::vector<Finding>& findings) {
    return count(findings, Outcome::held) > 0 && count(findings, Outcome::broken) == 0 &&
           count(findings, Outcome::fails) == 0;
}

std::string findings_text(const std::vector<Finding>& findings) {
    std::string text;
    const Family* family = nullptr;
    for (const Finding& finding : findings) {
        if (finding.family != family) {
            family = finding.family;
            (text += family->title) += "\n";
        }
        (text += words_for(finding.outcome)) += finding.effect->what;
        if (!finding.detail.empty()) text += ": " + shown(finding.detail);
        text += "\n";
    }
    return text + summary(findings);
}

nlohmann::json findings_json(const std::vector<Finding>& findings) {
    nlohmann::json array = nlohmann::json::array();
    for (const Finding& finding : findings) {
        array.push_back({{"id", finding.effect->id},
                         {"kind", finding.family->kind == Kind::attack ? "attack" : "use"},
                         {"group", finding.family->title},
                         {"effect", finding.effect->what},
                         {"outcome", name(finding.outcome)},
                         {"detail", finding.detail}});
    }
    return array;
}

}  // namespace ctl::verify
