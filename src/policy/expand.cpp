// Expands variables and brace alternatives of patterns.
#include "policy/expand.h"

#include <algorithm>
#include <utility>

#include "policy/load.h"

namespace policy {

namespace {

constexpr std::size_t most_results = 1024;
constexpr int deepest_nesting = 32;

class Expander {
  public:
    Expander(std::string_view whole, const VariableTable& table, Glob::Problem& problem)
        : whole_(whole), table_(table), problem_(problem) {}

    // Appends to `results` each expansion of `text` after `before`.
    bool expand(std::string before, std::string_view text, int depth) {
        std::size_t open = 0;
        while (open < text.size() && text[open] != '{') open += text[open] == '\\' ? 2 : 1;
        if (open >= text.size()) {
            before += text;
            if (results.size() == most_results) return fail(text, 0, "more than 1024 alternatives");
            results.push_back(std::move(before));
            return true;
        }
        before += text.substr(0, open);
        std::vector<std::size_t> commas;
        const std::size_t close = closing(text, open, commas);
        if (close == std::string_view::npos) return fail(text, open, "'{' is never closed");
        if (depth == deepest_nesting) return fail(text, open, "too many braces");
        const std::string_view rest = text.substr(close + 1);
        if (commas.empty())
            return variable(before, text.substr(open + 1, close - open - 1), rest, depth);
        commas.push_back(close);
        std::size_t begin = open + 1;
        for (const std::size_t end : commas) {
            std::string alternative(text.substr(begin, end - begin));
            alternative += rest;
            if (!expand(before, alternative, depth + 1)) return false;
            begin = end + 1;
        }
        return true;
    }

    std::vector<std::string> results;

  private:
    bool fail(std::string_view text, std::size_t offset, std::string what) {
        const std::size_t skipped = whole_.size() > text.size() ? whole_.size() - text.size() : 0;
        problem_ = {skipped + offset, std::move(what)};
        return false;
    }

    static std::size_t closing(std::string_view text, std::size_t open,
                               std::vector<std::size_t>& commas) {
        int depth = 0;
        for (std::size_t at = open; at < text.size(); ++at) {
            if (text[at] == '\\')
                ++at;
            else if (text[at] == '{')
                ++depth;
            else if (text[at] == ',' && depth == 1)
                commas.push_back(at);
            else if (text[at] == '}' && --depth == 0)
                return at;
        }
        return std::string_view::npos;
    }

    bool variable(const std::string& before, std::string_view name, std::string_view rest,
                  int depth) {
        const std::vector<std::string>* values = table_.find(name);
        if (values == nullptr) {
            const std::size_t behind = name.size() + rest.size() + 2;
            problem_ = {whole_.size() > behind ? whole_.size() - behind : 0,
                        "unknown variable '{" + std::string(name) + "}'"};
            return false;
        }
        for (const std::string& value : *values) {
            if (!expand(before + value, rest, depth + 1)) return false;
        }
        return true;
    }

    std::string_view whole_;
    const VariableTable& table_;
    Glob::Problem& problem_;
};

}  // namespace

VariableTable::VariableTable(const Variables& variables, Reach reach) {
    entries_.reserve(10);
    const bool everywhere = reach == Reach::everywhere;
    const std::size_t foreign = std::min(variables.foreign_homes, variables.homes.size());
    const auto first_foreign = variables.homes.end() - static_cast<std::ptrdiff_t>(foreign);
    const auto add = [this](std::string_view path) {
        std::vector<std::string>& paths = entries_.back().paths;
        if (path.empty() || std::find(paths.begin(), paths.end(), path) != paths.end()) return;
        paths.emplace_back(path == "/" ? std::string_view{} : path);
        entries_.back().values.push_back(escape_glob(paths.back()));
    };
    const auto begin = [&](Variable variable, std::string_view path = {}) {
        entries_.push_back({variable_names[static_cast<std::size_t>(variable)], {}, {}});
        add(path);
    };
    const auto under_homes = [&](std::string_view below) {
        if (!everywhere) return;
        for (auto home = variables.homes.begin(); home != first_foreign; ++home)
            add(*home + std::string(below));
    };
    begin(Variable::workspace, variables.workspace);
    for (const std::string& path : variables.extra_workspace) add(path);
    begin(Variable::home);
    for (auto home = variables.homes.begin();
         home != (everywhere ? first_foreign : variables.homes.end()); ++home)
        add(*home);
    begin(Variable::tmp);
    for (const std::string& path : variables.temporary) add(path);
    begin(Variable::cache, variables.cache);
    under_homes("/.cache");
    begin(Variable::config, variables.config);
    under_homes("/.config");
    begin(Variable::data, variables.data);
    under_homes("/.local/share");
    begin(Variable::state, variables.state);
    begin(Variable::runtime, variables.runtime);
    begin(Variable::gitruns);
    for (const std::string& path : variables.git_runs) add(path);
    if (!everywhere) return;
    begin(Variable::others);
    for (auto home = first_foreign; home != variables.homes.end(); ++home) add(*home);
}

const VariableTable::Entry* VariableTable::entry(std::string_view name) const {
    for (const Entry& entry : entries_) {
        if (entry.name == name) return &entry;
    }
    return nullptr;
}

const std::vector<std::string>* VariableTable::find(std::string_view name) const {
    const Entry* found = entry(name);
    return found == nullptr ? nullptr : &found->values;
}

void VariableTable::add(const BuiltinPattern& written, std::vector<Pattern>& patterns) const {
    std::optional<Pattern> compiled;
    if (!written.is_plain()) {
        Glob::Problem problem;
        compiled = Pattern::compile(written.rest(), problem);
        if (!compiled) return;
    }
    static const std::vector<std::string> root(1);
    const std::vector<std::string>& paths =
        written.variable() == Variable::none
            ? root
            : entries_[static_cast<std::size_t>(written.variable())].paths;
    for (const std::string& path : paths) {
        patterns.push_back(compiled ? compiled->below(path)
                                    : Pattern::literal(path, written.rest()));
    }
}

std::string VariableTable::names() {
    return "{workspace} {home} {tmp} {cache} {config} {data} {state} {runtime} {gitruns}";
}

std::optional<std::vector<std::string>> expand_pattern(std::string_view text,
                                                       const VariableTable& table,
                                                       Glob::Problem& problem) {
    problem = {};
    if (text.empty()) {
        problem = {0, "an empty pattern"};
        return std::nullopt;
    }
    std::string written(text);
    if (text == "~" || text.starts_with("~/")) written.replace(0, 1, "{home}");
    Expander expander(written, table, problem);
    if (!expander.expand({}, written, 0)) return std::nullopt;
    std::vector<std::string> absolute;
    for (std::string& result : expander.results) {
        if (result.starts_with('/') || result.empty()) {
            absolute.push_back(std::move(result));
            continue;
        }
        for (const std::string& root : *table.find("workspace"))
            absolute.push_back(root + "/" + result);
    }
    return absolute;
}

}  // namespace policy
