. "$SUPPORT/case.sh"
# A hook can be written in no way; samples can.
hook=$W/.git/hooks/pre-commit
check_refused git.hooks "$hook" 'echo x > .git/hooks/pre-commit'
rm "$hook"
check_refused git.hooks "$hook" 'printf "#!/bin/sh\n" > h; chmod +x h; mv h .git/hooks/pre-commit'
rm "$hook"
check_refused git.hooks "$hook" 'echo x > h; ln h .git/hooks/pre-commit'
rm "$hook"
check_refused git.hooks "$hook" 'ln -s ../../h .git/hooks/pre-commit'
rm -f "$hook" h
check_refused git.hooks "$hook" 'cp -r .git/hooks/pre-commit.sample .git/hooks/pre-commit'
rm "$hook"
ln -s .git/hooks through
REPORTED=$hook check_refused git.hooks "$hook" 'echo x > through/pre-commit'
rm "$hook" through
check_refused git.hooks "$hook" 'cd .git; cd hooks; echo x > pre-commit'
echo '#!/bin/sh' >"$hook"
check_refused git.hooks "$hook" 'echo "touch /tmp/pwn" >> .git/hooks/pre-commit'
check_refused git.hooks "$hook" 'chmod +x .git/hooks/pre-commit'
check_refused git.hooks "$hook" 'ln .git/hooks/pre-commit alias && echo "touch /tmp/pwn" >> alias'
rm alias
check_refused git.hooks "$hook" 'rm .git/hooks/pre-commit'
works 'echo x > .git/hooks/example.sample'
check_content .git/hooks/example.sample x
