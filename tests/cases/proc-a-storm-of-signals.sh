. "$SUPPORT/case.sh"
# Signals that arrive while a call is brokered neither lose it nor make it happen twice: also on kernels that let a signal
# take the caller out of a call which the broker has received (those without WAIT_KILLABLE_RECV).
storm() { # MICROSECONDS HOW LACK…
    local period=$1 how=$2
    shift 2
    rm -rf storm
    mkdir storm
    run "$@" "$SBXSH" -c "cd storm && exec $ATTACK/storm $period 2 $how"
}
for how in restart plain; do
    storm 300 $how
    check_status 0
    check_out ''
    # Such a kernel can lose an answer in the moment between the signal and the wake-up; for a datagram nothing shows it,
    # so one in some ten thousand signals has it sent twice. With each call performed twice, every round would fail.
    for attempt in 1 2 3; do
        storm 5000 $how "$ATTACK/without" 'seccomp 1&WAIT_KILLABLE EINVAL' --
        [ "$status" != 0 ] || break
    done
    check_status 0
done
