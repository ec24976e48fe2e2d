// The subcommands of sbxctl.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "launch/environment.h"
#include "launch/options.h"

namespace ctl {

/// What every subcommand is given.
struct Request {
    std::vector<std::string> arguments;  ///< Those behind the subcommand's name.
    const launch::Options& options;
    const launch::Environment& environment;
};

/// Each returns the exit status: 0, 1 (a negative answer), 2 (misuse), 125 (no policy can be in
/// force).
int explain(const Request& request);
int describe(const Request& request);
int doctor(const Request& request);
int log(const Request& request);

/// One subcommand as a person knows it.
struct CommandRow {
    std::string_view name;
    std::string_view arguments;
    std::string_view help;
    int (*run)(const Request&);
};

std::span<const CommandRow> command_rows();

/// Takes `flag` out of `arguments`; whether it was there.
bool take_flag(std::vector<std::string>& arguments, std::string_view flag);

}  // namespace ctl
