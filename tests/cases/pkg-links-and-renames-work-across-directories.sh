. "$SUPPORT/case.sh"
# Links and renames between directories, also between /tmp and the workspace, give what they give without a sandbox.
same_as_bash -c 'touch x; mkdir d; ln x d/x; mv x d/y; ls d; rm -r d'
same_as_bash -c 'mkdir -p m/n; echo 1 > m/n/f; mkdir k; mv m k/m; cat k/m/n/f; rm -r k'
same_as_bash -c 't=$(mktemp -d /tmp/case.XXXXXX); echo 1 > $t/f; mv $t/f f; cat f; mkdir $t/d; echo 2 > $t/d/g; mv $t/d d; cat d/g; rm -r f d $t'
same_as_bash -c 't=$(mktemp -d); echo 1 > $t/f; python3 -c "import os,sys; os.rename(sys.argv[1]+\"/f\", \"f\"); os.link(\"f\", sys.argv[1]+\"/g\")" $t; cat f $t/g; rm -r f $t'
same_as_bash -c 'mkdir p q; python3 -c "import os; os.rename(\"p\",\"q\")"; ls -d p q; rmdir q'
same_as_bash -c 'ln -s a.txt s; readlink s; ln -sf src s; readlink s; rm s; mv nonexistent y; ln a.txt a.txt; mkdir src; rmdir src; rm src'
same_as_bash -c 'mkdir -m 700 e; stat -c %a e; umask 077; touch e/f; stat -c %a e/f; mkdir e/g; stat -c %a e/g; rm -r e'
# A file without a name gets one through the descriptor's link.
same_as_bash -c 'python3 -c "
import os
fd = os.open(\".\", os.O_TMPFILE | os.O_RDWR)
os.write(fd, b\"nameless\")
here = os.open(\".\", os.O_RDONLY)
os.link(f\"/proc/self/fd/{fd}\", \"named\", src_dir_fd=here, dst_dir_fd=here, follow_symlinks=True)
"; cat named; rm named'
