. "$SUPPORT/case.sh"
# A refused name in a directory too wide for a rule for each of its neighbours: every open is the broker's then, and
# descriptors, limits and environment reach the command as ever.
mkdir "$HOME/wide"
(cd "$HOME/wide" && seq -f 'file%g' 3000 | xargs touch && echo words >file7 && echo more >file8 && echo secret >key)
user_policy <<'E'
[[rule]]
id = "test.key"
access = "read"
deny = "{home}/wide/key"
E
exec 5<"$HOME/wide/file7"
ulimit -n 200
sbx 'cat <&5; ulimit -n; cat ~/wide/file8; python3 -c "import os; print(open(os.environ[\"HOME\"] + \"/wide/file9\").read() == \"\")"; cat ~/wide/key'
check_status 1
check_out 'words
200
more
True'
check_report test.key "read $HOME/wide/key"
