. "$SUPPORT/case.sh"
# A parallel build with a job server, object files, an archive and an install into the workspace.
cat >Makefile <<'E'
objects = $(foreach n,1 2 3 4 5 6 7 8,o$(n).o)
all: prog
o%.c: ; echo 'int f$*(void) { return $*; }' > $@
libo.a: $(objects) ; ar rcs $@ $^
prog: libo.a main.c ; $(CC) -o $@ main.c -L. -lo
main.c: ; echo 'int f3(void); int main(void) { return f3(); }' > $@
install: prog ; install -D -m 755 prog $(DESTDIR)/usr/bin/prog
E
works 'make -s -j4 CC=gcc && make -s install DESTDIR=$PWD/stage && { ./stage/usr/bin/prog; echo $?; }'
check_out 3
