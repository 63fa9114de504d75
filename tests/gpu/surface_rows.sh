#!/bin/sh
# surface_rows.sh: what a GPU answers to queries of textures and surfaces (txq, suq), reductions
# (sured) and formatted stores (sust.p), beside the emulated device.
#
# tests/emulated/programs/surface_reductions.cu is run on the GPU by itself: what the manual says must
# be what its .out says. Of what the manual leaves open the rows of both are shown where they differ.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
. "$(dirname -- "$0")/gpu_lib.sh"
. "$REPO/tests/find_nvcc.sh"
gpu_demand surface_rows
PROGRAM=$REPO/tests/emulated/programs/surface_reductions
if ! nvcc -std=c++17 -cudart shared -gencode arch=compute_75,code=compute_75 -o "$SCRATCH/program" \
    "$PROGRAM.cu" >"$SCRATCH/log" 2>&1; then
    skip surface_rows "nvcc does not build it: $(head -n 1 "$SCRATCH/log")"
    finish
fi
"$SCRATCH/program" >"$SCRATCH/gpu"
"$SCRATCH/program" open >"$SCRATCH/gpu_open"
"$GPUGRADE" run --device emulated "$SCRATCH/program" open >"$SCRATCH/emulated_open" 2>"$SCRATCH/log"
diff "$PROGRAM.out" "$SCRATCH/gpu" >"$SCRATCH/difference"
expect 'what the manual says is what a GPU does' test ! -s "$SCRATCH/difference"
cat "$SCRATCH/difference"
echo 'rows that the manual leaves open, the emulated device first:'
diff "$SCRATCH/emulated_open" "$SCRATCH/gpu_open"
finish
