# Assertions for cases written in bash. A case runs outside the sandbox, with its working directory in the workspace $W;
# it starts "$SBXSH" and looks at what happened from outside. The first check that fails ends the case.
#
# Given by the runner: SBXSH SBXCTL (programs), ROOT (the case's own directory), W (workspace), HOME, TMPDIR,
# OUTSIDE (a directory that no rule lets the sandbox write, holding the file `victim`), ATTACK (compiled helper programs).
set -u
shopt -s extglob
status=0
last=

# fail TEXT…: ends the case, showing the last command with all it said.
fail() {
    printf 'line %s: %s\n' "${BASH_LINENO[-2]}" "$*"
    if [ -n "$last" ]; then
        printf -- '--- command: %s\n--- status: %s\n' "${last:0:1000}" "$status"
        sed 's/^/stdout: /' "$ROOT/out" | cut -c 1-500 | head -n 40
        sed 's/^/stderr: /' "$ROOT/err" | cut -c 1-500 | head -n 40
    fi
    exit 1
}

# missing FEATURE: ends the case because the machine lacks something; a failure unless the runner was told to allow it.
missing() {
    printf 'missing: %s\n' "$1"
    exit 77
}

# need PROGRAM…: the case cannot run without these programs.
need() {
    local program
    for program; do command -v "$program" >/dev/null || missing "$program"; done
}

# run COMMAND ARGUMENT…: runs it with stdin from $STDIN (or nothing); leaves status, $ROOT/out and $ROOT/err.
run() {
    last="$*"
    "$@" <"${STDIN:-/dev/null}" >"$ROOT/out" 2>"$ROOT/err"
    status=$?
}

# sbx CMD [ARGUMENT…]: runs CMD in the sandbox. bare CMD [ARGUMENT…]: runs it with bash alone.
sbx() { run "$SBXSH" -c "$@"; }
bare() { run bash -c "$@"; }

out() { cat "$ROOT/out"; }
err() { cat "$ROOT/err"; }

check_status() { [ "$status" = "$1" ] || fail "status is $status, not $1"; }
check_out() { [ "$(out)" = "$1" ] || fail "stdout is not: $1"; }
check_out_has() { grep -qF -- "$1" "$ROOT/out" || fail "stdout lacks: $1"; }
check_out_lacks() { ! grep -qF -- "$1" "$ROOT/out" || fail "stdout has: $1"; }
check_err_has() { grep -qF -- "$1" "$ROOT/err" || fail "stderr lacks: $1"; }
check_err_lacks() { ! grep -qF -- "$1" "$ROOT/err" || fail "stderr has: $1"; }
check_quiet() { [ ! -s "$ROOT/err" ] || fail "stderr is not empty"; }
check_absent() { [ ! -e "$1" ] && [ ! -L "$1" ] || fail "exists: $1"; }
check_present() { [ -e "$1" ] || fail "does not exist: $1"; }
check_content() { [ "$(cat -- "$1")" = "$2" ] || fail "content of $1 is '$(cat -- "$1")', not '$2'"; }

# works CMD: CMD succeeds in the sandbox and nothing is reported.
works() {
    sbx "$@"
    check_status 0
    check_err_lacks 'sbxsh: '
}

# The patterns RULE below are shell patterns that must match the whole id of a rule.

# check_report RULE TEXT…: a report names a rule that matches, and holds each TEXT.
check_report() {
    local rule found=no id
    rule=$1
    shift
    grep -qF 'sbxsh: blocked: ' "$ROOT/err" || fail "no report"
    while read -r id; do
        # shellcheck disable=SC2053
        [[ $id == $rule ]] && found=yes
    done < <(sed -n 's/^ *= rule: \([^ ]*\).*/\1/p' "$ROOT/err")
    [ "$found" = yes ] || fail "no report of rule $rule"
    local text
    for text; do check_err_has "$text"; done
}

check_no_report() { check_err_lacks 'sbxsh: '; }

# snapshot OBJECT: all of it that a change could show in.
snapshot() {
    if [ ! -e "$1" ] && [ ! -L "$1" ]; then
        echo absent
        return
    fi
    stat -c '%F %a %u %g %s %y %h %i' -- "$1"
    readlink -- "$1"
    getfattr -h -d -m - --absolute-names -- "$1" 2>/dev/null
    if [ -d "$1" ]; then ls -lA -- "$1"; elif [ -f "$1" ]; then cat -- "$1"; fi
}

# check_refused RULE OBJECT CMD: in the sandbox CMD leaves OBJECT as it was and the report names the rule and OBJECT;
# the control: the same CMD without the sandbox changes OBJECT.
check_refused() {
    local rule=$1 object=$2 before
    shift 2
    before=$(snapshot "$object")
    sbx "$@"
    [ "$(snapshot "$object")" = "$before" ] || fail "changed: $object"
    check_report "$rule" "${REPORTED:-$object}"
    bare "$@"
    [ "$(snapshot "$object")" != "$before" ] || fail "control: without a sandbox $object is not changed either"
}

# check_unreadable RULE SECRET CMD: in the sandbox CMD does not print SECRET and the report names the rule; without it it does.
check_unreadable() {
    local rule=$1 secret=$2
    shift 2
    sbx "$@"
    check_out_lacks "$secret"
    check_err_lacks "$secret"
    check_report "$rule"
    bare "$@"
    check_out_has "$secret"
}

# same_as_bash ARGUMENT…: `bash ARGUMENT…` and sbxsh called as bash give the same stdout, stderr and status.
same_as_bash() {
    local stdin=${STDIN:-/dev/null} expected got
    { (exec -a bash /bin/bash "$@" <"$stdin" >"$ROOT/out.bash" 2>"$ROOT/err.bash"); } 2>/dev/null
    expected=$?
    last="bash $*"
    { (exec -a bash "$SBXSH" "$@" <"$stdin" >"$ROOT/out" 2>"$ROOT/err"); } 2>/dev/null
    got=$?
    # bash names the process in "bash: line 1:  5694 Killed"; that number is nobody's to compare.
    sed -i -E 's/^(bash: line [0-9]+:) +[0-9]+ /\1 PID /' "$ROOT/err.bash" "$ROOT/err"
    status=$got
    [ "$got" = "$expected" ] || fail "status is $got, bash's is $expected"
    cmp -s "$ROOT/out.bash" "$ROOT/out" || fail "stdout differs from bash's: $(diff "$ROOT/out.bash" "$ROOT/out" | head -n 5)"
    cmp -s "$ROOT/err.bash" "$ROOT/err" || fail "stderr differs from bash's: $(diff "$ROOT/err.bash" "$ROOT/err" | head -n 5)"
}

# wait_for CONDITION…: until the command succeeds, at most 10 seconds.
wait_for() {
    local i
    for ((i = 0; i < 200; i++)); do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.05
    done
    fail "did not come true: $*"
}

# Policy for the invocations that follow, as the user's own; the text comes from stdin.
user_policy() {
    mkdir -p "$HOME/.config/sbxsh"
    cat >"$HOME/.config/sbxsh/policy.toml"
}

cd "$W" || fail "no workspace"
