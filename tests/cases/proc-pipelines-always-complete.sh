. "$SUPPORT/case.sh"
# A hundred short pipelines in bash and in dash, and one with many processes.
need dash
for shell in bash dash; do
    run "$AS/$shell" -c 'i=0; while [ $i -lt 100 ]; do echo abc | cat | cat; i=$((i+1)); done'
    check_status 0
    [ "$(sort "$ROOT/out" | uniq -c | tr -s ' ')" = ' 100 abc' ] || fail "lost lines in $shell"
done
works 'for i in $(seq 40); do (echo $i > f$i; cat f$i; rm f$i) & done | sort -n | tail -1; wait'
check_out 40
works 'seq 200 | xargs -P 8 -n 1 sh -c "echo \$0 > x\$0; cat x\$0; rm x\$0" | sort -n | tail -1'
check_out 200
