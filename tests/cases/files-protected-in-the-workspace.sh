. "$SUPPORT/case.sh"
# What editors, agents and shells run is protected at any depth, existing or not; what lies beside it is not.
for path in .vscode/settings.json .vscode/tasks.json .idea/workspace.xml .cursor/mcp.json x.code-workspace .mcp.json .envrc \
    .claude/settings.json .claude/settings.local.json .claude/commands/x.md .claude/agents/x.md .claude/hooks/x.sh \
    .sbxsh.toml .sbxignore .cursorignore .bashrc .profile .bash_profile .zshrc sub/deep/.vscode/launch.json sub/.envrc \
    sub/.mcp.json sub/.claude/settings.json; do
    mkdir -p "$(dirname "$path")"
    REPORTED=$W/$path check_refused '*' "$path" "echo x > '$path'"
    case $path in
    # The control has made it: the next starts would read it as a policy or as ignore patterns.
    .sbxsh.toml | .sbxignore | .cursorignore) rm "$path" ;;
    *)
        REPORTED=$W/$path check_refused '*' "$path" "rm '$path'"
        ;;
    esac
done
works 'mkdir -p .cursor/rules .cursor/commands .cursor/skills .cursor/agents .cursor/worktrees; echo x > .cursor/rules/a.mdc; echo x > .claude/notes.md; echo x > vscode.json; echo x > sub/envrc'
check_present .cursor/rules/a.mdc
check_present .claude/notes.md
