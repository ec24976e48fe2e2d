. "$SUPPORT/case.sh"
# A policy written inside cannot loosen the inner shell.
mkdir -p cfg/sbxsh
printf '[[rule]]\naccess = ["read", "write"]\nallow = "{home}"\noverride = true\n' >cfg/sbxsh/policy.toml
XDG_CONFIG_HOME=$W/cfg works 'cat ~/.ssh/id_rsa'
check_out_has SECRET
sbx "XDG_CONFIG_HOME=$W/cfg \"$SBXSH\" -c 'cat ~/.ssh/id_rsa; echo x > ~/outside'"
check_out_lacks SECRET
check_absent "$HOME/outside"
