. "$SUPPORT/case.sh"
# ~/.npmrc is a secret; npm goes on without it, or says why it cannot, but never shows it.
need node npm
sbx 'npm init -y >/dev/null; npm config ls -l; cat ~/.npmrc'
check_out_lacks SECRET-NPM
