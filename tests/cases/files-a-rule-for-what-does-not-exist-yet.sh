. "$SUPPORT/case.sh"
# A deny for a path that does not exist: creating it is refused at the first step, as are its parents' detours.
user_policy <<'E'
[[rule]]
id = "my.future"
access = ["read", "write"]
deny = ["{workspace}/later/secret", "{workspace}/**/*.tok"]
E
sbx 'mkdir -p later && echo x > later/secret && cat later/secret'
check_absent later/secret
check_out ''
check_report my.future "$W/later/secret"
sbx 'mkdir -p t && echo x > t/secret && mv t later2 && mv later2/secret later/secret'
check_absent later/secret
rm -rf later later2
sbx 'mkdir t2; echo x > t2/secret; mv t2 later'
check_absent later/secret
check_report my.future
sbx 'echo x > a.tok; cat a.tok'
check_absent a.tok
check_report my.future "$W/a.tok"
sbx 'echo x > a.tik; mv a.tik a.tok; ln a.tik b.tok; mkdir -p n; ln -s ../a.txt n/c.tok; cat n/c.tok'
check_absent a.tok
check_absent b.tok
works 'echo x > ok.to'
