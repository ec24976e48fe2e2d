# Debian's lua5.4: libtool's configure, make and its check, then a script that uses files and processes.
# source: lua5.4
# part: ci
{
    mkdir debian/libtool && cp debian/configure.ac debian/libtool
    (cd debian/libtool && LIBTOOLIZE='libtoolize -i' autoreconf -fi && ./configure)
    printf '#define DEB_HOST_MULTIARCH "here"\n' >src/lua5.4-deb-multiarch.h
    make -C src V=5.4 lua5.4 luac5.4 LIBTOOL="$PWD/debian/libtool/libtool" CC='gcc -std=gnu99' \
        SYSCFLAGS=-DLUA_USE_LINUX SYSLIBS='-Wl,-E -ldl'
} >build.log 2>&1
ls src | grep -E '^(lua5.4|luac5.4)$|la$'
cat >files.lua <<'LUA'
local name = os.tmpname()
local file = assert(io.open(name, "w"))
for i = 1, 1000 do file:write(i, "\n") end
file:close()
local sum = 0
for line in io.lines(name) do sum = sum + tonumber(line) end
print(sum, os.execute("mv " .. name .. " moved.txt"))
print(os.rename("moved.txt", "again.txt"), os.remove("again.txt"), os.remove("again.txt"))
print(io.popen("echo from a shell; exit 3"):read("a"), os.execute("exit 4"))
LUA
./src/lua5.4 -v
./src/lua5.4 files.lua
./src/luac5.4 -l files.lua | grep -vc '0x'
