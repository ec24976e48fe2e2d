. "$SUPPORT/case.sh"
# Our own options begin with --sbx-, stand first, and exist as variables; what is broken is status 125, and nothing runs.
run "$SBXSH" --sbx-version
check_status 0
run "$SBXSH" --sbx-help
check_status 0
for option in --sbx-policy --sbx-workspace --sbx-interpreter --sbx-diagnostics; do check_out_has "$option"; done
run "$SBXSH" --sbx-diagnostics off -c 'touch ~/x'
check_err_lacks sbxsh:
run "$SBXSH" --sbx-diagnostics=line -c 'touch ~/x'
check_err_has fs.write.outside-workspace
mkdir "$ROOT/other"
run "$SBXSH" --sbx-workspace "$ROOT/other" -c "echo x > '$ROOT/other/f'"
check_status 0
check_content "$ROOT/other/f" x
SBXSH_WORKSPACE=$ROOT/other run "$SBXSH" -c "echo y > '$ROOT/other/f'; echo z > '$W/z'"
check_content "$ROOT/other/f" y
check_absent z
run "$SBXSH" --sbx-interpreter dash -c 'echo ${BASH_VERSION:-none}'
check_out none
SBXSH_INTERPRETER=/bin/dash run "$SBXSH" -c 'echo ${BASH_VERSION:-none}'
check_out none

broken() {
    rm -f ran
    run "$@"
    check_status 125
    check_absent ran
    [ ! -s "$ROOT/out" ] || fail "something on stdout"
    grep -q '^sbxsh: ' "$ROOT/err" || fail "no message of ours"
    [ "$(wc -l <"$ROOT/err")" -le 4 ] || fail "more than one clear message"
}
broken "$SBXSH" --sbx-nosuch -c 'echo > ran'
check_err_has --sbx-nosuch
broken "$SBXSH" --sbx-policy
check_err_has --sbx-policy
broken "$SBXSH" --sbx-diagnostics loud -c 'echo > ran'
check_err_has loud
broken env SBXSH_DIAGNOSTICS=loud "$SBXSH" -c 'echo > ran'
check_err_has SBXSH_DIAGNOSTICS
broken env SBXSH_DIAGNOSTICS_FD=x "$SBXSH" -c 'echo > ran'
check_err_has SBXSH_DIAGNOSTICS_FD
broken "$SBXSH" --sbx-interpreter /nonexistent/bash -c 'echo > ran'
check_err_has /nonexistent/bash
broken "$SBXSH" --sbx-interpreter nosuchshell -c 'echo > ran'
check_err_has nosuchshell
broken "$SBXSH" --sbx-interpreter "$SBXSH" -c 'echo > ran'
broken "$SBXSH" --sbx-policy /nonexistent/p.toml -c 'echo > ran'
check_err_has /nonexistent/p.toml
broken "$SBXSH" --sbx-workspace /nonexistent/dir -c 'echo > ran'
check_err_has /nonexistent/dir
# A descriptor for reports that cannot take them.
broken "$SBXSH" --sbx-diagnostics-fd 9 -c 'echo > ran'
[ "$(err)" = "sbxsh: descriptor 9: cannot write diagnostics: it is not open
  = help: open it (9>FILE), or set neither --sbx-diagnostics-fd nor SBXSH_DIAGNOSTICS_FD" ] || fail "another message"
SBXSH_DIAGNOSTICS_FD=9 broken "$SBXSH" -c 'echo > ran' 9<a.txt
check_err_has 'descriptor 9: cannot write diagnostics: it is not open for writing'
broken bash -c 'exec "$0" --sbx-diagnostics-fd 1 -c "echo > ran" >&-' "$SBXSH"
check_err_has 'descriptor 1: cannot write diagnostics: it is not open'
SBXSH_DIAGNOSTICS_FD=9 run "$SBXSH" -c 'touch ~/x' 9>"$ROOT/told"
grep -q fs.write.outside-workspace "$ROOT/told" || fail "nothing on the descriptor"
