// Targets that several families of effects aim at.
#include "ctl/verify/targets.h"

#include <sys/stat.h>

#include "ctl/verify/ground.h"
#include "ctl/verify/snapshot.h"

namespace ctl::verify {

core::Result<Stage> outside_tree(Ground& ground) {
    if (auto renewed = ground.renew_workspace(); !renewed) return core::fail(renewed.error());
    const std::string tree = ground.outside();
    mkdir((tree + "/empty").c_str(), 0700);
    mkdir((tree + "/sub").c_str(), 0700);
    for (const char* name : {"/file", "/other", "/sub/inner"}) {
        if (auto made = write_file(tree + name, std::string("untouched ") + name); !made)
            return core::fail(made.error());
    }
    // A change of owner clears the set-group-ID bit even where the owner stays the same.
    chmod((tree + "/file").c_str(), 02750);
    Stage stage;
    stage.arguments = {tree, ground.workspace() + "/scratch"};
    stage.object = tree + "/file";
    stage.happened = [tree, before = snapshot(tree)](const Seen&) {
        return snapshot(tree) != before;
    };
    return stage;
}

core::Result<Stage> secret_file(Ground& ground) {
    if (auto renewed = ground.renew_workspace(); !renewed) return core::fail(renewed.error());
    const std::string text = ground.fresh_text();
    const std::string path = ground.home() + "/.ssh/" + ground.fresh_text();
    if (auto made = write_file(path, text); !made) return core::fail(made.error());
    Stage stage;
    stage.arguments = {path, ground.workspace() + "/scratch"};
    stage.object = path;
    stage.happened = [text](const Seen& seen) {
        return seen.output.find(text) != std::string::npos;
    };
    return stage;
}

core::Result<Stage> protected_name(Ground& ground, const std::string& name) {
    if (auto renewed = ground.renew_workspace(); !renewed) return core::fail(renewed.error());
    const std::string path = ground.workspace() + "/" + name;
    Stage stage;
    stage.arguments = {path, ground.workspace() + "/scratch", ground.workspace()};
    stage.object = path;
    stage.happened = [path, before = snapshot(path)](const Seen&) {
        return snapshot(path) != before;
    };
    return stage;
}

}  // namespace ctl::verify
