. "$SUPPORT/case.sh"
# Variables that hold secrets are removed; others, and those that only look so, stay.
export MY_TOKEN=S1 GITHUB_TOKEN=S2 AWS_SECRET_ACCESS_KEY=S3 AWS_SESSION_TOKEN=S4 OPENAI_API_KEY=S5 ANTHROPIC_API_KEY=S6 DB_PASSWORD=S7 APP_SECRET=S8 \
    SSH_AUTH_SOCK=/tmp/S9 NPM_TOKEN=S10 AWS_REGION=eu-1 EDITOR=vi MAX_OUTPUT_TOKENS=99 TOKENIZERS_PARALLELISM=true MONKEY=1 PATH_KEYS=2
sbx 'env | sort; echo "${MY_TOKEN-unset}"; cat /proc/self/environ /proc/$$/environ | tr "\0" "\n"'
for name in MY_TOKEN GITHUB_TOKEN AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN OPENAI_API_KEY ANTHROPIC_API_KEY DB_PASSWORD APP_SECRET SSH_AUTH_SOCK NPM_TOKEN; do
    ! grep -q "^$name=" "$ROOT/out" || fail "$name was passed on"
done
check_out_has unset
for entry in AWS_REGION=eu-1 EDITOR=vi TOKENIZERS_PARALLELISM=true MONKEY=1 "HOME=$HOME" "PATH=$PATH"; do check_out_has "$entry"; done
sbx 'for p in /proc/[0-9]*; do tr "\0" "\n" <$p/environ; done 2>/dev/null | grep -c ^MY_TOKEN=S1'
check_out 0
sbx 'export MY_TOKEN=own; env | grep ^MY_TOKEN'
check_out MY_TOKEN=own
