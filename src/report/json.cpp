// Reports for programs: one JSON object a line, described in docs/report.md.
#include <cstring>

#include "report/remedy.h"
#include "report/renderers.h"
#include "report/wire.h"

namespace report {

namespace {

using Json = nlohmann::ordered_json;

constexpr int schema = 1;

Json span(const Item& item, const CommandLine& line) {
    const Location& location = item.location;
    if (location.kind == Location::Kind::none) return nullptr;
    return {{"what", location.kind == Location::Kind::redirection ? "redirection" : "command"},
            {"begin", location.span.begin},
            {"end", location.span.end},
            {"text", json_text(line.text.substr(location.span.begin, location.span.size()))}};
}

Json remedy_value(const Remedy& remedy) {
    if (remedy.kind == Remedy::Kind::elevate) {
        Json grant = Json::array();
        for (const std::string& each : remedy.grant) grant.push_back(json_text(each));
        return {{"kind", "elevate"},
                {"grant", std::move(grant)},
                {"command", json_text(remedy.command)}};
    }
    if (remedy.kind == Remedy::Kind::policy) {
        return {{"kind", "policy"},
                {"file", json_text(remedy.file)},
                {"rule", json_text(remedy.rule)},
                {"explain", json_text(remedy.explain)}};
    }
    if (remedy.kind == Remedy::Kind::change) {
        return {{"kind", "change"},
                {"place", json_text(remedy.place)},
                {"explain", json_text(remedy.explain)}};
    }
    return nullptr;
}

std::string line_of(const Json& value) {
    return value.dump(-1, ' ', true) + "\n";
}

std::string one(const Item& item, const Context& context, const CommandLine& line) {
    const Denial& denial = *item.denial;
    Json out = {
        {"schema", schema},
        {"type", "denial"},
        {"code", json_text((denial.likely ? "likely-blocked." : "blocked.") + denial.access)},
        {"message", headline(denial)}};
    out.update(to_value(denial));
    const char* const name = strerrorname_np(denial.error);
    out["error"] = {{"number", denial.error},
                    {"name", name != nullptr ? Json(name) : Json(nullptr)}};
    out["rule"] = {
        {"id", json_text(denial.rule)}, {"origin", out["origin"]}, {"reason", out["reason"]}};
    out.erase("origin");
    out.erase("reason");
    out["span"] = span(item, line);
    out["remedy"] = remedy_value(remedy(item, context, line));
    out["repetition"] = item.repetition;
    return line_of(out);
}

}  // namespace

std::string render_json(const Selection& selection, const Context& context,
                        const CommandLine& line) {
    std::string out;
    for (const std::string& note : context.notes) {
        out += line_of({{"schema", schema}, {"type", "note"}, {"message", json_text(note)}});
    }
    for (const Item& item : selection.items) out += one(item, context, line);
    if (selection.more > 0)
        out += line_of({{"schema", schema}, {"type", "more"}, {"count", selection.more}});
    return out;
}

}  // namespace report
