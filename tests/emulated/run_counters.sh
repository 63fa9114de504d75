#!/bin/sh
# run_counters.sh: the emulated device runs the launches of tests/gpu/launches.txt and must give what a
# real GPU gave in tests/gpu/counters.txt: the results bit for bit, and requests, sectors and
# wavefronts as the GPU's own counters say. Each launch is one test.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
runner=${GPUGRADE_BUILD:-$REPO/build}/tests/gpu/launch_on_emulator
gpu=$REPO/tests/gpu

if ! command -v nvcc >/dev/null; then
    skip "a GPU's counters" 'the GPU ran the code that nvcc makes, and there is no CUDA toolkit here'
    finish
fi
if ! nvcc -ptx -arch=compute_75 -fmad=false -lineinfo -o "$SCRATCH/pattern.ptx" \
    "$gpu/pattern_kernels.cu" >"$SCRATCH/log" 2>&1; then
    fail 'the kernels build' "$SCRATCH/log"
    finish
fi
"$runner" "$SCRATCH/pattern.ptx" "$gpu/launches.txt" >"$SCRATCH/seen" 2>"$SCRATCH/log" ||
    fail 'launches without findings' "$SCRATCH/log"
grep -v '^#' "$gpu/counters.txt" >"$SCRATCH/expected"
while read -r line; do
    name=${line%% *}
    if grep -qxF "$line" "$SCRATCH/seen"; then
        pass "$name"
    else
        fail "$name" "expected $line, got $(grep "^$name " "$SCRATCH/seen")"
    fi
done <"$SCRATCH/expected"
finish
