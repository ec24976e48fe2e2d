. "$SUPPORT/case.sh"
# The completions know every option and command that the programs' own help shows.
complete_with() { # PROGRAM WORD…: what is offered for the last word
    bash -c '. "$0/$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "_$1"; printf "%s\n" "${COMPREPLY[@]}"' \
        "$COMPLETIONS" "$1" "$@"
}
for option in $("$SBXSH" --sbx-help | grep -o '^  --sbx-[a-z-]*'); do
    complete_with sbxsh --sbx- | grep -qx -- "$option" || fail "not offered: $option"
done
for command in $("$SBXCTL" --help | sed -n 's/^  \([a-z]*\)\( .*\)\?$/\1/p'); do
    complete_with sbxctl '' | grep -qx -- "$command" || fail "not offered: $command"
done
for access in $("$SBXCTL" --help | sed -n '/^ACCESS is/,/OBJECT is/p' | tr -d ',.' | grep -oE '\b(read|write|execute|connect|bind|unix-connect|unix-bind|signal|inspect|ipc|kernel)\b'); do
    complete_with sbxctl explain '' | grep -qx -- "$access" || fail "not offered: $access"
done
touch some.toml other.txt
[ "$(complete_with sbxsh --sbx-policy so)" = some.toml ] || fail "policy files are not offered"
[ "$(complete_with sbxctl explain read ot)" = other.txt ] || fail "objects are not offered"
