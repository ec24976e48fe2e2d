. "$SUPPORT/case.sh"
# Failures that are not ours, and refusals that mattered to nobody, are not spoken of.
same_as_bash -c 'false'
same_as_bash -c 'grep x /dev/null'
same_as_bash -c 'ls /nonexistent'
same_as_bash -c 'echo "Permission denied" >&2; echo "bash: /etc/x: Operation not permitted" >&2; exit 13'
same_as_bash -c 'cat /nonexistent/f || exit 4'
mkdir -m 000 closed
[ "$(id -u)" = 0 ] || same_as_bash -c 'echo x > closed/f; ls closed'
chmod 755 closed
same_as_bash -c 'python3 -c "
import os
try: open(os.environ[\"HOME\"] + \"/outside\", \"a\").close(); os.unlink(os.environ[\"HOME\"] + \"/outside\")
except OSError: pass
print(\"carries on\")"'
check_out 'carries on'
same_as_bash -c 'git status --short; git config --global --get nosuch.key'
same_as_bash -c 'test -w $HOME/notes.txt; true'
