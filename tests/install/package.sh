#!/bin/sh
# package.sh: the Debian package in a fresh Debian 12: installed with what it depends on, used by a user
# who is not root, purged without leftovers.
#
#   package.sh [--cache FOLDER] [--cuda]     see fresh_root.sh; without --cuda the clang that comes with
#                                            the package compiles in there, and clang out here
#
# Needs root, debootstrap, bubblewrap and the network. The package is made of GPUGRADE_BUILD (default:
# build/), a Release build. The scores that the grader of that folder gives are what the installed one
# must give. What is done inside stands in package_inside.sh.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
build=${GPUGRADE_BUILD:-$REPO/build}
compiler=clang
case " $* " in
*' --cuda '*) compiler=nvcc ;;
esac
courseworks='matmul matmul_lab matmul_square adjacent_difference transpose'

if [ "$(id -u)" != 0 ]; then
    skip 'the package in a fresh root' 'needs root'
    finish
fi
for tool in debootstrap bwrap cpack dpkg-shlibdeps jq; do
    if ! command -v "$tool" >/dev/null 2>&1; then
        skip 'the package in a fresh root' "$tool is not installed"
        finish
    fi
done
if ! grep -qE '^CMAKE_BUILD_TYPE:[A-Z]*=(Release)?$' "$build/CMakeCache.txt" 2>/dev/null ||
    [ ! -f "$build/grader/install/man/gpugrade.1" ]; then
    skip 'the package in a fresh root' "$build is no Release build with all its targets"
    finish
fi

if ! (umask 077 && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$SCRATCH/deb") \
    >"$SCRATCH/log" 2>&1; then
    fail 'cpack -G DEB' "$SCRATCH/log"
    finish
fi
set -- "$@" --worktree
for package in "$SCRATCH"/deb/gpugrade_*.deb; do
    pass "cpack -G DEB: $(basename "$package"), $(($(stat -c %s "$package") / 1024)) KiB"
    set -- "$@" --with "$package"
done

# Nothing of this machine is in it, and no symbols.
mkdir "$SCRATCH/tree"
dpkg-deb -x "$package" "$SCRATCH/tree"
grep -rlF -e "$REPO" -e "$build" "$SCRATCH/tree" >"$SCRATCH/found"
find "$SCRATCH/tree/usr/bin" "$SCRATCH/tree/usr/libexec" "$SCRATCH/tree/usr/lib" -type f \
    -exec sh -c 'readelf -S "$1" | grep -q " \.debug_info\|\.symtab" && echo "$1 is not stripped"' \
    sh {} \; >>"$SCRATCH/found"
if [ -s "$SCRATCH/found" ]; then
    fail 'stripped, and without paths of the build' "$SCRATCH/found"
else
    pass 'stripped, and without paths of the build'
fi
if command -v lintian >/dev/null 2>&1; then
    lintian --allow-root "$package" >"$SCRATCH/tags" 2>&1
    if grep -qE '^[EW]:' "$SCRATCH/tags"; then
        fail 'lintian has no error and no warning' "$SCRATCH/tags"
    else
        pass 'lintian has no error and no warning'
    fi
else
    skip 'lintian has no error and no warning' 'lintian is not installed'
fi

for coursework in $courseworks; do
    (cd "$REPO/reference/$coursework" && GPUGRADE_ROOT=$REPO "$build/bin/gpugrade" check \
        solution --compiler "$compiler" --device emulated --seed 0x1 --json "$SCRATCH/raw.json" \
        >"$SCRATCH/log" 2>&1)
    jq -f "$REPO/tests/install/comparable.jq" "$SCRATCH/raw.json" >"$SCRATCH/$coursework.outside" || fail "check of $coursework outside" "$SCRATCH/log"
    set -- "$@" --with "$SCRATCH/$coursework.outside"
done

sh "$REPO/tests/install/fresh_root.sh" "$@" 'sh tests/install/package_inside.sh' \
    >"$SCRATCH/inside" 2>&1
status=$?
grep -E '^(ok|NOT OK|skipped|        \|)' "$SCRATCH/inside"
line=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$SCRATCH/inside" | tail -n 1)
if [ -z "$line" ]; then
    tail -n 40 "$SCRATCH/inside" >"$SCRATCH/tail"
    fail "the tests in the fresh root, status $status" "$SCRATCH/tail"
    finish
fi
# shellcheck disable=SC2086 # three numbers and three words
set -- $line
passed=$((passed + $1))
failed=$((failed + $3))
skipped=$((skipped + $5))
finish
