. "$SUPPORT/case.sh"
# A policy written inside cannot loosen the inner shell.
mkdir -p cfg/sbxsh
printf '[[rule]]\nid = "mine.all"\neffect = "allow"\naccess = ["read", "write"]\npaths = ["{home}/**"]\noverride = true\n' >cfg/sbxsh/policy.toml
sbx "XDG_CONFIG_HOME=$W/cfg \"$SBXSH\" -c 'cat ~/.ssh/id_rsa; echo x > ~/outside'"
check_out_lacks SECRET
check_absent "$HOME/outside"
