#!/bin/sh
# tests/arm64/run.sh: builds for arm64 on another machine and runs unit tests and fuzz corpora in
# qemu's emulation of a processor. By hand: the tables of instructions alone take minutes.
#
#   sh tests/arm64/run.sh [CTEST-ARGUMENTS]    such as -R unit/device
#
# As root, on Debian or Ubuntu:
#   dpkg --add-architecture arm64 && apt-get update
#   apt-get install gcc-aarch64-linux-gnu qemu-user libcjson-dev:arm64 libsqlite3-dev:arm64 \
#       libzstd-dev:arm64 liblz4-dev:arm64 libmd-dev:arm64 libarchive-dev:arm64 \
#       libseccomp-dev:arm64 libutf8proc-dev:arm64 libcmocka-dev:arm64
# ARM64_ROOT is a folder with these packages instead, QEMU_AARCH64 another qemu (toolchain.cmake).
# The build is in build-arm64; nvcc is this machine's.
#
# Skipped: the parts that start programs in the sandbox, because qemu passes neither seccomp,
# Landlock nor ptrace on to the kernel; and test_process, because vfork is a fork in qemu, which does
# not tell a failed exec.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
build=$REPO/build-arm64
qemu=${QEMU_AARCH64:-qemu-aarch64}
libraries=${ARM64_ROOT:-}/usr/lib/aarch64-linux-gnu/pkgconfig

missing=''
for command in aarch64-linux-gnu-gcc "$qemu" cmake ninja pkg-config; do
    command -v "$command" >/dev/null 2>&1 || missing="$missing $command"
done
for library in libcjson libzstd liblz4 libmd libarchive libseccomp sqlite3 libutf8proc cmocka; do
    [ -f "$libraries/$library.pc" ] || missing="$missing $libraries/$library.pc"
done
if [ -n "$missing" ]; then
    skip 'tests for arm64' "missing:$missing"
    finish
fi
major=$("$qemu" --version | sed -n 's/^.* version \([0-9]*\)\..*/\1/p')
if [ "${major:-0}" -lt 8 ]; then
    skip 'tests for arm64' "$qemu is older than 8.0 (Debian 12: qemu-user of bookworm-backports)"
    finish
fi

if ! { cmake -S "$REPO" -B "$build" -G Ninja -DGPUGRADE_TESTS=ON \
    -DCMAKE_TOOLCHAIN_FILE="$REPO/tests/arm64/toolchain.cmake" &&
    cmake --build "$build" --parallel 2; } >"$SCRATCH/log" 2>&1; then
    tail -n 40 "$SCRATCH/log" >"$SCRATCH/end"
    fail 'the build for arm64' "$SCRATCH/end"
    finish
fi

# skip_matching PATTERN REASON
skip_matching() {
    ctest --test-dir "$build" -N -R "$1" | sed -n 's/^ *Test *#[0-9]*: //p' >"$SCRATCH/names"
    while read -r name; do
        skip "$name" "$2"
    done <"$SCRATCH/names"
}
sandboxed='^unit/(sandbox|session|submission|doctor|cli|batch|toolchain)/'
vforked='^unit/base/test_process$'
skip_matching "$sandboxed" 'qemu has no seccomp, Landlock and ptrace of its own'
skip_matching "$vforked" 'vfork is a fork in qemu'

JOBS=2 sh "$REPO/tests/ctest_totals.sh" "$build" -E "$sandboxed|$vforked" "$@" >"$SCRATCH/ctest" 2>&1
sed '$d' "$SCRATCH/ctest"
# shellcheck disable=SC2046 # three numbers and three words
set -- $(tail -n 1 "$SCRATCH/ctest")
passed=$1
failed=$3
skipped=$((skipped + $5))
finish
