. "$SUPPORT/case.sh"
# With an older Landlock the floor has fewer walls; the broker holds what they held.
need strace
run "$SBXCTL" doctor --verify
check_status 0
held=$(sed -n 's/^\([0-9]* held\), .*/\1/p' "$ROOT/out")
[ -n "$held" ] || fail "no summary"
for abi in 1 3 5; do
    # The first question of each process is for the version.
    cat >older <<E
#!/bin/bash
exec strace -f --seccomp-bpf -qq -o /dev/null -e trace=landlock_create_ruleset \
    -e inject=landlock_create_ruleset:retval=$abi:when=1 "$SBXSH" "\$@"
E
    chmod +x older
    run "$SBXCTL" doctor --verify --sbxsh "$PWD/older"
    check_out_has "$held, "
    check_out_lacks 'did NOT hold'
    run strace -f --seccomp-bpf -qq -o /dev/null -e trace=landlock_create_ruleset -e inject=landlock_create_ruleset:retval=$abi:when=1 \
        "$SBXCTL" doctor
    check_status 0
    check_out_has "ok       Landlock: ABI $abi"
done
