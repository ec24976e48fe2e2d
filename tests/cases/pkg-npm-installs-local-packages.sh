. "$SUPPORT/case.sh"
# npm with its cache absent and present, a local tarball, scripts that run.
need node npm
mkdir dep
printf '{"name":"dep","version":"1.0.0","main":"i.js","bin":{"depbin":"b.js"},"scripts":{"postinstall":"node -e \\"require(\\u0027fs\\u0027).writeFileSync(\\u0027installed\\u0027,\\u0027yes\\u0027)\\""}}' >dep/package.json
echo 'module.exports = 42' >dep/i.js
printf '#!/usr/bin/env node\nconsole.log("bin")\n' >dep/b.js
rm -f "$HOME/.npmrc" # a secret by default; npm reads it only where there is one
works 'cd dep && npm pack --silent >/dev/null && cd .. && npm init -y >/dev/null && npm i --offline --no-audit --no-fund --silent ./dep/dep-1.0.0.tgz && node -p "require(\"dep\")" && npx --offline depbin'
check_out "$(printf '42\nbin')"
check_content node_modules/dep/installed yes
rm -rf node_modules
works 'npm i --offline --no-audit --no-fund --silent && node -p "require(\"dep\")"'
check_out 42
