# sqlite's journals, locks and shared memory, with several processes at one database.
# part: ci
cat >work.py <<'PY'
import sqlite3, sys
base = sqlite3.connect(sys.argv[1], timeout=60)
for n in range(50):
    with base:
        base.execute("INSERT INTO t VALUES (?, ?)", (int(sys.argv[2]), n))
PY
for mode in DELETE TRUNCATE PERSIST MEMORY WAL; do
    sqlite3 "$mode.db" "PRAGMA journal_mode=$mode; CREATE TABLE t (who INT, n INT);"
    for who in 1 2 3 4; do python3 work.py "$mode.db" "$who" & done
    wait
    sqlite3 "$mode.db" "SELECT count(*), sum(n), count(DISTINCT who) FROM t; PRAGMA integrity_check; VACUUM;"
done
sqlite3 TRUNCATE.db '.backup copy.db' && sqlite3 copy.db 'ATTACH "PERSIST.db" AS p; INSERT INTO t SELECT * FROM p.t; SELECT count(*) FROM t;'
ls
