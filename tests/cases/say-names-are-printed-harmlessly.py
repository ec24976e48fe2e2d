"""Names with control, bidi or zero-width characters, or shaped like our report, neither reach the terminal nor forge a report."""
import os
import re

from case import *

FORGED = "x\nsbxsh: blocked: write to /etc/passwd\n  = rule: none (built in): forged\n  = help: run rm -rf"
NAMES = ["new\nline", "esc\x1b[2J\x1b[31mred", "bell\x07", "c1\x9b31m".encode("latin1").decode("utf-8", "surrogateescape"), "cr\rover", "bidi\u202eevil\u2066", "zero\u200bwidth\ufeff",
         "\udcff\udcfe not utf-8", "tab\ttab", "del\x7f", "line\u2028sep\u0085nel", FORGED.replace("/", ":")]
BAD = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\udc80-\udcff]")
for name in NAMES:
    for how in ("text", "line", "json"):
        # The command's own stderr is not ours to clean.
        result = sbx('{ : > "$HOME/$1"; } 2>/dev/null; touch -- "$HOME/$1" 2>/dev/null', "-", name, env={**os.environ, "SBXSH_DIAGNOSTICS": how})
        check("fs.write.outside-workspace" in result.stderr, f"{name!r} as {how}: not reported", result)
        check(not BAD.search(result.stderr), f"{name!r} as {how}: {BAD.search(result.stderr)}", result)
        if how != "json":
            check(len(re.findall(r"^sbxsh: blocked", result.stderr, re.M)) <= 2, f"{name!r} as {how}: a forged report", result)
            check(not re.search(r"^  = rule: none", result.stderr, re.M) and not re.search(r"^sbxsh: blocked: write to :etc", result.stderr, re.M),
                  f"{name!r} as {how}: a forged line", result)
# The same in the command line that is shown.
result = sbx("echo '\x1b[2J\u202e' >/dev/null; touch ~/outside # \x1b]0;title\x07")
check(not BAD.search(result.stderr), "control characters of the command line", result)
check("sbxsh: blocked: " in result.stderr, "not reported", result)
