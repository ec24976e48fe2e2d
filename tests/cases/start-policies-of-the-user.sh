. "$SUPPORT/case.sh"
# Allow, deny, except, override, ask, environment and groups, each by its effect.
mkdir -p "$HOME/data/private" "$HOME/data/public"
echo DATA-PRIVATE >"$HOME/data/private/f"
user_policy <<'E'
[[rule]]
id = "my.data"
access = "write"
allow = "{home}/data"

[[rule]]
id = "my.private"
access = ["read", "write"]
deny = "{home}/data/private"
reason = "not for programs"

[[rule]]
id = "my.aws"
access = "read"
allow = "{home}/.aws/credentials"
override = true

[[rule]]
id = "my.keys"
access = "read"
deny = "**/*.pem"
except = "{workspace}/public/**"
match = "{workspace}/y/z.pem"
not-match = "{workspace}/y/z.pub"

[[rule]]
id = "my.asked"
access = "write"
ask = "{workspace}/asked"

[environment]
remove = ["PRIVATE_*"]
keep = ["MY_TOKEN"]
E
works 'echo x > ~/data/new; mkdir ~/data/d; cat ~/data/new'
check_content "$HOME/data/new" x
check_unreadable my.private DATA-PRIVATE 'cat ~/data/private/f'
sbx 'cat ~/data/private/f'
check_err_has 'not for programs'
check_err_has "$HOME/.config/sbxsh/policy.toml:6"
check_refused my.private "$HOME/data/private/f" 'echo x >> ~/data/private/f'
works 'cat ~/.aws/credentials'
check_out SECRET-AWS
check_refused 'secret.*' "$HOME/.aws/credentials" 'echo x >> ~/.aws/credentials'
check_unreadable secret.ssh SECRET-SSH 'cat ~/.ssh/id_rsa'
mkdir -p public deep/er
echo PEM-ONE >deep/er/k.pem
echo PEM-TWO >public/k.pem
check_unreadable my.keys PEM-ONE 'cat deep/er/k.pem'
check_unreadable my.keys PEM-ONE 'python3 -c "print(open(\"deep/er/k.pem\").read())"'
check_unreadable my.keys PEM-ONE 'grep -rh PEM.ONE deep'
sbx 'mv deep/er/k.pem deep/er/k.txt; cat deep/er/k.txt'
check_out_lacks PEM-ONE
works 'cat public/k.pem'
check_out PEM-TWO
check_refused my.asked "$W/asked" 'echo x > asked'
MY_TOKEN=kept PRIVATE_X=gone PUBLIC_X=here sbx 'echo "${MY_TOKEN-} ${PRIVATE_X-unset} $PUBLIC_X"'
check_out 'kept unset here'
user_policy <<'E'
[groups]
caches = false
editors = false
E
mkdir -p "$HOME/.cache"
sbx 'echo x > ~/.cache/f'
check_absent "$HOME/.cache/f"
works 'mkdir .vscode; echo x > .vscode/settings.json'
