# Debian's jq: autotools, a build with its own oniguruma, its test suites.
# source: jq
# part: long
{ autoreconf -fi && ./configure --disable-valgrind --disable-maintainer-mode --disable-docs --with-oniguruma=builtin &&
    make -j2; } >build.log 2>&1
make check >check.log 2>&1 || true
grep -E '^(PASS|FAIL|ERROR|SKIP|# [A-Z])' check.log
./jq -c '.a | map(. * 2)' <<<'{"a": [1, 2, 3]}'
sha256sum jq .libs/libjq.so.* 2>/dev/null || true
