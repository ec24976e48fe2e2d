. "$SUPPORT/case.sh"
# Whatever runs it, a program cannot write what is protected or outside: other shells, builtins, static and 32-bit binaries,
# the loader, a binary from memory, other ABIs. Each can write in the workspace.
mkdir .vscode
protected=$W/.vscode/settings.json
foreign=$HOME/outside
loader=$(ls /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-x86-64.so.2 2>/dev/null | head -n 1)
export protected foreign loader
attempt() {
    local file=$1 command=$2
    export F=$file
    sbx "$command"
    check_absent "$file"
    check_report '*' "$file"
    bare "$command"
    check_present "$file"
    rm "$file"
}
while IFS= read -r command; do
    attempt "$protected" "$command"
    attempt "$foreign" "$command"
    F=$W/allowed works "$command"
    check_content "$W/allowed" x
    rm allowed
done <<'E'
bash -c 'echo x >> $F'
echo x >> $F
printf 'x\n' >| "$F"
env -S 'sh -c "echo x >> ${F}"'
dash -c 'echo x >> $F'
zsh -c 'echo x >> $F'
busybox sh -c 'echo x >> $F'
exec bash -c 'exec 9>>$F; echo x >&9'
(exec 9>"$F"; echo x >&9)
eval 'echo x >> $F'
source <(echo 'echo x >> $F')
echo x | tee "$F"
echo x | dd of="$F" status=none
echo x > t; cp t "$F"; rm t
echo x > t; mv t "$F"
echo x > t; ln t "$F"; rm t
echo x > t; install -m 644 t "$F"; rm t
echo x > t; rsync t "$F" 2>/dev/null || cat t > "$F"; rm t
python3 -c 'import os; open(os.environ["F"], "w").write("x\n")'
perl -e 'open F, ">", $ENV{F} or die; print F "x\n"'
node -e 'require("fs").writeFileSync(process.env.F, "x\n")'
awk 'BEGIN { print "x" > ENVIRON["F"] }'
echo x | sed -n "w $F"
$loader $ATTACK/write_file "$F" x
$loader /bin/bash -c 'echo x > $F'
$ATTACK/write_file "$F" x
$ATTACK/write_file_static "$F" x
setsid -w $ATTACK/write_file_static "$F" x
nohup bash -c 'echo x > $F' >/dev/null
$ATTACK/from_memory execveat $ATTACK/write_file "$F" x
$ATTACK/from_memory proc $ATTACK/write_file_static "$F" x
echo "echo x > $F" | at now 2>/dev/null || sh -c 'echo x > $F'
xargs -I{} sh -c 'echo x > {}' <<<"$F"
find "$W/a.txt" -exec sh -c 'echo x > $F' \;
make -s -f - <<<"all:; @echo x > \$(F)"
git -c alias.w='!echo x > $F' w
( trap 'echo x > $F' EXIT )
PROMPT_COMMAND= BASH_ENV=<(echo 'echo x > $F') bash -c '[ -s "$F" ]'
coproc { echo x > "$F"; }; wait
cat <(echo x > "$F"; sync) >/dev/null; sleep 0.2
E
