# Debian's zlib: configure, make, its checks; the products are the same to the byte.
# source: zlib
# part: ci
{ ./configure && make -j2; } >build.log 2>&1
make check 2>&1 | grep -i 'test OK'
sha256sum libz.a libz.so.1.2.13* minigzip
make install DESTDIR="$PWD/installed" >>build.log 2>&1
(cd installed && find . | sort | xargs stat -c '%n %A %s')
