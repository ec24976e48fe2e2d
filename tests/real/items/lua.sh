# Debian's lua5.4: make and its check, then a script that uses files and processes.
# source: lua5.4
# part: ci
make linux -j2 MYCFLAGS= >build.log 2>&1
make test 2>&1 | tail -n 1
sha256sum src/lua src/luac src/liblua.a
cat >files.lua <<'LUA'
local name = os.tmpname()
local file = assert(io.open(name, "w"))
for i = 1, 1000 do file:write(i, "\n") end
file:close()
local sum = 0
for line in io.lines(name) do sum = sum + tonumber(line) end
print(sum, os.rename(name, "moved.txt") ~= nil or io.popen("mv " .. name .. " moved.txt"):close(), os.remove("moved.txt"))
print(io.popen("echo from a shell; exit 3"):read("a"), os.execute("exit 4"))
LUA
src/lua files.lua
