# Debian's cJSON: a CMake project, built and tested by ctest, installed into the workspace.
# source: cjson
# part: ci
{ cmake -S . -B out -DCMAKE_BUILD_TYPE=Release -DENABLE_CJSON_UTILS=On -DCMAKE_INSTALL_PREFIX="$PWD/installed" &&
    cmake --build out -j 2; } >build.log 2>&1
ctest --test-dir out 2>&1 | grep -oE 'Test +#[0-9]+: [a-z_]+ \.+ +[A-Za-z*]+|[0-9]+% tests passed.*'
sha256sum out/libcjson.so.*.*.*
cmake --install out >>build.log 2>&1
(cd installed && find . | sort | xargs stat -c '%n %A %s')
