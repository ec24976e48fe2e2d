. "$SUPPORT/case.sh"
# No secret is written either, and its directory cannot be changed.
check_refused '*' "$HOME/.ssh/authorized_keys" 'echo key >> ~/.ssh/authorized_keys'
check_refused '*' "$HOME/.ssh/config" 'echo "ProxyCommand x" >> ~/.ssh/config'
check_refused '*' "$HOME/.ssh/id_rsa" 'chmod 644 ~/.ssh/id_rsa'
check_refused '*' "$HOME/.netrc" 'truncate -s 0 ~/.netrc'
check_refused '*' "$HOME/.aws" 'mv ~/.aws ~/.aws2'
