# npm installs local packages whose scripts write files and run programs, runs scripts, packs and removes.
# part: ci
package() { mkdir -p "$1" && printf '%s\n' "$2" >"$1/package.json"; }
package dep '{"name": "dep", "version": "1.2.3", "main": "main.js", "bin": {"dep-tool": "tool.js"}, "scripts":
  {"preinstall": "echo pre > pre.txt", "install": "node -e \"require(\\\"fs\\\").writeFileSync(\\\"built.txt\\\", process.env.npm_lifecycle_event)\"",
   "postinstall": "sh -c \"cat pre.txt built.txt > post.txt\"", "prepare": "echo prepared > prepared.txt"}}'
echo 'module.exports = 42;' >dep/main.js
printf '#!/usr/bin/env node\nconsole.log("tool", require("dep"));\n' >dep/tool.js
package linked '{"name": "linked", "version": "0.1.0"}'
(cd dep && npm pack --silent)
package app '{"name": "app", "version": "1.0.0", "scripts": {"build": "dep-tool > out.txt && node -p 1+1 >> out.txt", "test": "exit 3"},
  "dependencies": {"dep": "file:../dep/dep-1.2.3.tgz", "linked": "file:../linked"}}'
cd app
npm install --offline --no-audit --no-fund >../install.log 2>&1
cat node_modules/dep/post.txt; ls -l node_modules | awk 'NR > 1 { print $1, $9, $10, $11 }'
npm run --silent build && cat out.txt
npm test --silent || echo "test ended with $?"
npm ls --all
npm ci --offline --no-audit --no-fund >>../install.log 2>&1 && cat node_modules/dep/built.txt && echo
npm uninstall --offline --no-audit --no-fund linked >>../install.log 2>&1; ls node_modules
sha256sum package.json package-lock.json
