. "$SUPPORT/case.sh"
# The same in a nested repository, after moving the repository's directory, and by copying or moving a prepared one.
works 'git init -q nested/deep'
check_refused git.hooks "$W/nested/deep/.git/hooks/post-checkout" 'echo x > nested/deep/.git/hooks/post-checkout'
sbx 'mv .git g; echo x > g/hooks/pre-commit; mv g .git'
check_absent .git/hooks/pre-commit
check_absent g/hooks/pre-commit
[ -d .git ] || fail "the repository was left elsewhere"
check_report 'git.*' "$W/"
mkdir -p prepared/hooks prepared/objects prepared/refs
echo 'ref: refs/heads/main' >prepared/HEAD
printf '#!/bin/sh\ntouch /tmp/pwn\n' >prepared/hooks/pre-commit
sbx 'mkdir c; cp -r prepared c/.git'
check_absent c/.git/hooks/pre-commit
check_report git.hooks
sbx 'mkdir d; mv prepared d/.git'
check_absent d/.git/hooks/pre-commit
check_report 'git.*' "$W/"
check_present prepared/hooks/pre-commit
sbx 'mkdir e; tar cf - prepared | tar xf - --transform s,prepared,e/.git,'
check_absent e/.git/hooks/pre-commit
bare 'mkdir -p d; mv prepared d/.git'
check_present d/.git/hooks/pre-commit
