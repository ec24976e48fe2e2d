. "$SUPPORT/case.sh"
# A read rule that could match anywhere still lets programs run and read what it does not name.
user_policy <<'E'
[[rule]]
id = "my.keys"
access = ["read", "write"]
deny = "/**/*.pem"
E
echo PEM-ONE >k.pem
echo PEM-TWO >"$OUTSIDE/k.pem"
works 'cat a.txt ~/notes.txt; git status --porcelain; python3 -c "print(1)"; gcc -o p src/main.c && ./p && ls /etc >/dev/null'
check_out_has 'plain note'
for file in k.pem "$OUTSIDE/k.pem"; do
    check_unreadable my.keys PEM- "cat $file"
    check_unreadable my.keys PEM- "python3 -c 'print(open(\"$file\").read())'"
    check_unreadable my.keys PEM- "exec 3<$file; cat <&3"
    check_refused my.keys "$(realpath "$file")" "echo x >> $file"
done
