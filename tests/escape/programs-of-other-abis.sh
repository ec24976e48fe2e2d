. "$SUPPORT/case.sh"
# 32-bit programs, 32-bit calls of a 64-bit program and x32 calls do not pass what the filter for this ABI would not.
for program in "$ATTACK/write_file_32" "$ATTACK/write_file_32_static" "$ATTACK/other_abi int80" "$ATTACK/other_abi x32" \
    "$ATTACK/from_memory proc $ATTACK/write_file_32_static"; do
    for file in "$HOME/outside" "$W/.envrc"; do
        sbx "$program $file x"
        check_absent "$file"
        [ "$status" -ne 0 ] || fail "passed: $program"
        bare "$program $file x"
        # A kernel without x32 or 32-bit programs offers no such way in.
        if [ -e "$file" ]; then rm "$file"; else [ "$status" -ne 0 ] || fail "control: said to have written"; fi
    done
done
for file in "$HOME/outside" "$W/.envrc"; do
    bare "$ATTACK/write_file_32_static $file x"
    [ -e "$file" ] || missing 32-bit-programs
done
