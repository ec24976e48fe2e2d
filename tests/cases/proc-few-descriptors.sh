. "$SUPPORT/case.sh"
# With ever fewer descriptors allowed, a command runs or nothing does, at once and with the reason.
ran=no refused=no
for limit in 64 24 16 12 11 10 9 8 7 6 5 4; do
    rm -f made
    run bash -c "ulimit -n $limit; exec timeout -k 1 30 \"\$SBXSH\" -c 'echo x >made'"
    case $status in
    0) check_content made x; ran=yes ;;
    125) check_absent made; check_err_has 'Too many open files'; check_err_has 'raise the limit on open files'; refused=yes ;;
    *) [ "$limit" -le 16 ] && grep -q 'Too many open files' "$ROOT/err" || fail "status $status with $limit descriptors" ;;
    esac
done
[ "$ran $refused" = 'yes yes' ] || fail "not both seen: $ran $refused"
