. "$SUPPORT/case.sh"
# The repository's own file may deny, not allow.
for text in 'allow = "{home}"' 'allow = "{home}"
override = true'; do
    printf '[[rule]]\naccess = "write"\n%s\n' "$text" >.sbxsh.toml
    sbx 'echo ran'
    check_status 125
    check_out ''
    check_err_has "$W/.sbxsh.toml:3:"
done
printf '[groups]\nsecrets = false\n' >.sbxsh.toml
sbx 'cat ~/.ssh/id_rsa'
check_status 125
check_out ''
printf '[[rule]]\nid = "team.generated"\naccess = "write"\ndeny = "{workspace}/generated/**"\nexcept = "{workspace}/generated/tmp/**"\nreason = "run make generate"\n' >.sbxsh.toml
mkdir -p generated/tmp
check_refused team.generated "$W/generated/x" 'echo x > generated/x'
sbx 'echo x > generated/x2'
check_err_has "$W/.sbxsh.toml:"
check_err_has 'run make generate'
works 'echo x > generated/tmp/y; echo z > other'
