#!/bin/sh
# capture.sh [CLANG]: writes said/NAME.nvcc and said/NAME.clang anew: what the compilers print about
# each program of this folder. clang reads each one twice, as grading does: for the device, then for
# the host. Paths of this checkout become /usr/include/gpugrade.
set -eu
cd "$(dirname -- "$0")"
clang=${1:-clang++-19}

# Without the lines of foreign headers that notes show.
own_lines() {
    awk '/^[^ ]/ { is_foreign = /^\/usr\// } /^[^ ]/ || !is_foreign'
}

headers=$(cd ../../grader/cuda_headers && pwd)
for program in *.cu; do
    name=${program%.cu}
    { nvcc -arch=sm_75 -std=c++17 -c -o /dev/null "$program" 2>&1 || true; } |
        sed -e 's|/usr/local/cuda[^ ]*/include/|/usr/include/cuda/|g' | own_lines >"said/$name.nvcc"
    for pass in device host; do
        "$clang" -x cuda -fsyntax-only --cuda-$pass-only --cuda-gpu-arch=sm_75 \
            --cuda-path=/nonexistent -nocudainc -nocudalib -std=c++17 \
            -Xclang -target-sdk-version=12.3 -I"$headers" -include cuda_runtime.h \
            -fno-color-diagnostics -fdiagnostics-parseable-fixits -ferror-limit=50 \
            "$program" 2>&1 || true
    done | sed "s|$headers/|/usr/include/gpugrade/|g" | own_lines >"said/$name.clang"
done
