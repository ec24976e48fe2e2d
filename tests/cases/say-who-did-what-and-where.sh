. "$SUPPORT/case.sh"
# The report has the part of the command line, the rule with its origin and reason, and a remedy.
line='cd src && echo begin && echo "10.0.0.1 db" >> $HOME/notes.txt'
sbx "$line"
check_status 1
[ "$(head -n 2 "$ROOT/err" | tail -n 1)" = "sbxsh: blocked: write to $HOME/notes.txt" ] || fail "not the headline after bash's own message"
grep -qF "  │ $line" "$ROOT/err" || fail "the command line is not shown"
python3 - "$ROOT/err" <<'E' || fail "the carets are not below the redirection"
import sys
lines = open(sys.argv[1]).read().splitlines()
at = next(i for i, l in enumerate(lines) if l.startswith("  │ cd src"))
carets = lines[at + 1]
begin, end = lines[at].index(">> $HOME"), len(lines[at])
assert carets[4:].lstrip().startswith("^"), carets
first, count = carets.index("^"), carets.count("^")
assert lines[at][first:first + count] == '>> $HOME/notes.txt', (lines[at][first:first + count], carets)
E
check_err_has "  = rule: fs.write.outside-workspace (built in)"
check_err_has "  = help: "
grep -F "  = help: " "$ROOT/err" | grep -qF "$HOME/notes.txt" || fail "the help does not name what to ask for"
sbx 'echo one; touch ~/a; echo two'
check_err_has '  │ echo one; touch ~/a; echo two'
check_err_has '^^^^^^^^^'
sbx 'printf "#!/bin/sh\ntouch ~/deep\n" > s; chmod +x s; ./s | cat'
check_report fs.write.outside-workspace "$HOME/deep"
check_err_has touch
