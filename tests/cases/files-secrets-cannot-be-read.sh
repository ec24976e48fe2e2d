. "$SUPPORT/case.sh"
# Each way to read a secret is refused; what stands beside the secrets can be read.
for secret in .ssh/id_rsa .ssh/id_ed25519 .aws/credentials .netrc .npmrc .pypirc .git-credentials .kube/config .docker/config.json \
    .config/gh/hosts.yml .config/gcloud/credentials.db .azure/token .bash_history .gnupg/private-keys-v1.d/key; do
    word=$(cat "$HOME/$secret")
    check_unreadable '*' "$word" "cat ~/$secret"
    check_unreadable '*' "$word" "echo \"\$(<~/$secret)\""
    sbx "test -r ~/$secret"
    sbx "python3 -c 'import os; print(open(os.environ[\"HOME\"] + \"/$secret\").read())'"
    check_out_lacks "$word"
    [ "$status" -ne 0 ] || fail "python read $secret"
done
works 'cat ~/notes.txt ~/.ssh/config ~/.ssh/known_hosts ~/.ssh/id_rsa.pub ~/.gitconfig'
check_out_has 'plain note'
check_out_has PUBLIC
check_out_has 'Host public'
