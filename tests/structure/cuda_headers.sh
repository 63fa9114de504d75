#!/bin/sh
# cuda_headers.sh: our headers of CUDA (grader/cuda_headers, grader/device/cuda/driver_abi.h) say what
# the toolkit's say. What needs a toolkit skips without one of the version that ours describe.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
checker=$REPO/tests/structure/cuda_headers.py

if ! command -v python3 >/dev/null 2>&1 || ! command -v g++ >/dev/null 2>&1; then
    skip 'headers of CUDA' 'needs python3 and g++'
    finish
fi

# holds NAME CHECK [TOOLKIT]: passes if the check finds nothing wrong.
holds() {
    name=$1
    check=$2
    shift 2
    python3 "$checker" "$check" "$REPO" "$@" >"$SCRATCH/wrong" 2>&1 || echo 'it failed' >>"$SCRATCH/wrong"
    if [ -s "$SCRATCH/wrong" ]; then
        fail "$name" "$SCRATCH/wrong"
    else
        pass "$name"
    fi
}

# What a file of grader/ includes is ours or the system's.
grep -rnE '^#include <(cu|crt|driver_|vector_|device_|host_)' "$REPO/grader" --include='*.[ch]' |
    while IFS= read -r line; do
        header=${line##*<}
        header=${header%%>*}
        [ -f "$REPO/grader/cuda_headers/$header" ] ||
            printf '%s\n' "$line"
    done >"$SCRATCH/foreign"
if [ -s "$SCRATCH/foreign" ]; then
    fail 'no header of a toolkit is included' "$SCRATCH/foreign"
else
    pass 'no header of a toolkit is included'
fi

holds 'each header compiles by itself' alone
if ls /usr/bin/clang++* >/dev/null 2>&1; then
    holds 'clang compiles all of them as CUDA' device
else
    skip 'clang compiles all of them as CUDA' 'needs clang++'
fi
holds 'calls and errors are those of our tables' tables
holds 'names of the runtime are in order' names

version() {
    sed -n 's/^#define CUDART_VERSION *//p' "$1/cuda_runtime_api.h" 2>/dev/null
}
nvcc=$(command -v nvcc)
toolkit=$(dirname -- "$(readlink -f "${nvcc:-/usr/local/cuda/bin/nvcc}")")/../include
ours=$(version "$REPO/grader/cuda_headers")
theirs=$(version "$toolkit")
if [ "$ours" = "$theirs" ]; then
    holds 'the runtime is that of the toolkit' runtime "$toolkit"
    holds 'libraries are those of the toolkit' libraries "$toolkit"
    holds 'the driver is that of the toolkit' driver "$toolkit"
    holds 'the names are those of its libcudart' names "$toolkit"
else
    why="there is no toolkit of version $ours${theirs:+, but one of $theirs}"
    skip 'the runtime is that of the toolkit' "$why"
    skip 'libraries are those of the toolkit' "$why"
    skip 'the driver is that of the toolkit' "$why"
    skip 'the names are those of its libcudart' "$why"
fi
finish
