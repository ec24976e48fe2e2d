// sbxctl describe: what holds in this directory.
#include <string>
#include <vector>

#include "ctl/commands.h"
#include "ctl/description.h"
#include "ctl/speech.h"
#include "launch/prepare.h"

namespace ctl {

int describe(const Request& request) {
    std::vector<std::string> words = request.arguments;
    const bool json = take_flag(words, "--json");
    if (!words.empty()) return misuse("describe takes no argument '" + words[0] + "'");
    const auto loaded = launch::load_policy(request.options, request.environment);
    if (!loaded) return quit(loaded.error());
    if (!json) return print(description_text(*loaded));
    return print(
        description_json(*loaded).dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
        "\n");
}

}  // namespace ctl
