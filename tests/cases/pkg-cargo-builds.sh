. "$SUPPORT/case.sh"
# A cargo build with its cache in the home.
need cargo
works 'cargo new --vcs none -q c && cd c && cargo build -q --offline && cargo test -q --offline >/dev/null && ./target/debug/c'
check_out 'Hello, world!'
