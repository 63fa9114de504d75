#!/bin/sh
# emulated_speed.sh BENCH_EMULATED [ROUNDS]: how fast the emulated device is, and how much memory it takes.
#
# BENCH_EMULATED is the program of that name (ninja -C BUILD bench_emulated). Each line is measured with
# all checks but those of global memory, without, and with those too, in turn, in one process; the
# figures are medians. Goals for one core: those of global memory at most 1.6 times all others; 4e9
# lane-instructions per second with 512-bit vectors, 2e9 with 256 bits, on the tiled multiplication with
# all checks; the three small launches under 0.1 s in all; at most 6 bytes of memory for each byte
# allocated. It judges nothing: a benchmark is no test.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
bench=${1:?"name the program bench_emulated"}
rounds=${2:-7}
nvcc=${CUDA_HOME:+$CUDA_HOME/bin/nvcc}
[ -n "$nvcc" ] || nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
cores=$(nproc)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

"$nvcc" -ptx -lineinfo -arch=compute_75 -I "$root/student_template/matmul" -o "$work/tiled.ptx" \
    "$root/reference/matmul/solution/exercise1_tiled.cu"
"$nvcc" -ptx -lineinfo -arch=compute_75 -o "$work/kernels.ptx" "$root/tests/bench/bench_kernels.cu"

size=$((1024 * 1024 * 4))
for threads in 1 "$cores"; do
    echo "multiplication 1024 x 1024 x 1024, tile 16, $threads thread(s)"
    "$bench" "$work/tiled.ptx" matrixMulTiled 64 64 16 16 "$threads" best "$rounds" \
        b$size b$size b$size i1024 i1024
    echo "random gathers and divergent branches, $threads thread(s)"
    "$bench" "$work/kernels.ptx" irregular 256 1 256 1 "$threads" best "$rounds" \
        r$size b262144 i200
done
echo "three small launches"
"$bench" "$work/kernels.ptx" small_matmul 4 4 16 16 "$cores" best "$rounds" \
    b16384 b16384 b16384 i64
"$bench" "$work/kernels.ptx" small_reduction 16 1 256 1 "$cores" best "$rounds" b16384 b64
"$bench" "$work/kernels.ptx" small_histogram 16 1 256 1 "$cores" best "$rounds" r16384 b256
echo "memory, 2 x 128 MiB, each byte read or written"
half=$((128 << 20))
"$bench" "$work/kernels.ptx" touch $((half / 4 / 256)) 1 256 1 "$cores" best 0 b$half b$half

echo "ns for each unit of work (device/emulated/exec/launch_work.h), each kernel doing little else than its name says"
echo "| kernel | checked | unchecked |"
echo "|---|---|---|"
sed -n 's/.*\.entry unit_\([a-z0-9_]*\)(.*/\1/p' "$work/kernels.ptx" | sort | while read -r kind; do
    "$bench" "$work/kernels.ptx" "unit_$kind" 2 1 256 1 1 best "$rounds" b65536 i500 | awk -v kind="$kind" '
        match($0, /[0-9.]+ ns for each/) { cost[++count] = substr($0, RSTART, RLENGTH - 12) }
        END { printf "| %s | %s | %s |\n", kind, cost[1], cost[2] }'
done
