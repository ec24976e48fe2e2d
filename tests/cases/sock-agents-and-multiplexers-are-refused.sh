. "$SUPPORT/case.sh"
# The sockets that widen rights most: tmux, an ssh agent, an X server's, docker's, D-Bus's.
need tmux
sock=$TMPDIR/mux
tmux -f /dev/null -S "$sock" new-session -d 'sleep 100'
sbx "tmux -S $sock new-window 'echo x > $HOME/outside'"
[ "$status" -ne 0 ] || fail "tmux answered"
check_report '*' "$sock"
sleep 0.5
check_absent "$HOME/outside"
tmux -S "$sock" ls >/dev/null || fail "control: no tmux server"
tmux -S "$sock" kill-server
need ssh-agent
eval "$(ssh-agent -a "$TMPDIR/agent")" >/dev/null
sbx 'SSH_AUTH_SOCK=$TMPDIR/agent ssh-add -l'
check_report '*' "$TMPDIR/agent"
SSH_AUTH_SOCK=$TMPDIR/agent ssh-add -l | grep -q 'no identities' || fail "control: no agent"
kill "$SSH_AGENT_PID"
# A server of one's own may be started.
works 'tmux -f /dev/null -S own new-session -d "echo inside > tmux.out; sleep 1" && sleep 0.5 && cat tmux.out && tmux -S own kill-server'
check_out inside
