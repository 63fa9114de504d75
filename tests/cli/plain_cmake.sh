#!/bin/sh
# plain_cmake.sh: `cmake -S . -B build && cmake --build build` works with the packages that the
# launcher needs and no others: without cmocka, without ninja.
# tests/run: --all
set -u
. "$(dirname -- "$0")/../shell_lib.sh"

# All packages but one, and make.
mkdir "$SCRATCH/packages"
pkg-config --variable pc_path pkg-config | tr ':' '\n' | while read -r folder; do
    find "$folder/" -name '*.pc' ! -name 'cmocka*' -exec ln -sf {} "$SCRATCH/packages/" \; 2>/dev/null
done
export PKG_CONFIG_LIBDIR="$SCRATCH/packages"
unset PKG_CONFIG_PATH CMAKE_GENERATOR

# The flags only make it quick.
cmake -S "$REPO" -B "$SCRATCH/build" -G 'Unix Makefiles' -DCMAKE_C_FLAGS_RELEASE=-O0 \
    >"$SCRATCH/log" 2>&1
status=$?
expect 'it configures without cmocka' [ "$status" = 0 ]
expect 'and says that there are no tests' grep -qF 'there is no cmocka' "$SCRATCH/log"
cmake --build "$SCRATCH/build" --parallel 2 >"$SCRATCH/log" 2>&1
status=$?
expect 'make builds it' [ "$status" = 0 ]
GPUGRADE_ROOT=$REPO "$SCRATCH/build/bin/gpugrade" version >"$SCRATCH/out" 2>&1
status=$?
expect 'what was built starts' [ "$status" = 0 ]
for helper in gpugrade-device gpugrade-jail gpugrade-unpack gpugrade-sandbox-probe; do
    expect "there is $helper" [ -x "$SCRATCH/build/bin/$helper" ]
done
finish
