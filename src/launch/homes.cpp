// Home directories.
#include "launch/homes.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "launch/canonical.h"

namespace launch {
namespace {

constexpr uid_t first_person = 1000;

struct Account {
    uid_t user = 0;
    std::string_view home;
};

/// "name:password:uid:gid:gecos:home:shell".
std::optional<Account> parse_account(std::string_view line) {
    std::string_view fields[6];
    for (std::string_view& field : fields) {
        const auto colon = line.find(':');
        if (colon == std::string_view::npos) return std::nullopt;
        field = line.substr(0, colon);
        line.remove_prefix(colon + 1);
    }
    Account account;
    const char* end = fields[2].data() + fields[2].size();
    const auto parsed = std::from_chars(fields[2].data(), end, account.user);
    if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
    account.home = fields[5];
    return account;
}

bool contains(const std::vector<std::string>& list, std::string_view text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

/// The canonical path of a home that exists.
std::optional<std::string> existing_home(std::string_view path) {
    auto home = canonical(path);
    struct stat status;
    if (!home || *home == "/" || stat(home->c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
        return std::nullopt;
    return home;
}

class Collector {
  public:
    enum class From { environment, password_file };

    void add(std::string_view path, From from) {
        if (contains(from == From::password_file ? homes_.accounts : homes_.all, path)) return;
        const auto home = existing_home(path);
        if (!home) return;
        if (!contains(homes_.all, *home)) homes_.all.push_back(*home);
        if (from == From::password_file && !contains(homes_.accounts, *home))
            homes_.accounts.push_back(*home);
    }

    /// What comes from now on is of other people.
    void end_own() {
        if (homes_.all.empty()) homes_.all.push_back("/nonexistent");
        own_ = homes_.all.size();
    }

    Homes take() {
        homes_.foreign = homes_.all.size() - own_;
        return std::move(homes_);
    }

  private:
    Homes homes_;
    std::size_t own_ = 0;
};

}  // namespace

Homes find_homes(const Environment& environment, std::string_view passwd, uid_t user) {
    Collector homes;
    homes.add(find(environment, "HOME").value_or(""), Collector::From::environment);
    std::vector<std::string_view> others;
    while (!passwd.empty()) {
        const auto newline = passwd.find('\n');
        const auto account = parse_account(passwd.substr(0, newline));
        passwd =
            newline == std::string_view::npos ? std::string_view() : passwd.substr(newline + 1);
        if (!account) continue;
        if (account->user == user) homes.add(account->home, Collector::From::password_file);
        if (user == 0 && account->user >= first_person) others.push_back(account->home);
    }
    if (user == 0) homes.add("/root", Collector::From::password_file);
    homes.end_own();
    for (const std::string_view home : others) homes.add(home, Collector::From::password_file);
    return homes.take();
}

}  // namespace launch
