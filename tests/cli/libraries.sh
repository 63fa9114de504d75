#!/bin/sh
# libraries.sh: the stand-ins for NVIDIA's libraries in programs that `gpugrade run` builds, and in one
# that is built elsewhere. The numbers of libraries/*.txt are those of an H200 with the libraries of
# CUDA 13.0.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
programs=$REPO/tests/cli/libraries
cd "$SCRATCH" || exit 1

# same NAME BOUND: a program prints what the H200 printed, within a part of each number; of numbers of
# 16 bits within 1 %.
same() {
    "$GPUGRADE" run ${3:+--compiler "$3"} "$programs/$1.cu" >out 2>err </dev/null
    awk -v bound="$2" '
        NR == FNR { rows[FNR] = $0; count = FNR; next }
        {
            n = split(rows[FNR], theirs)
            limit = /^(H|GemmEx hh)/ ? 0.01 : bound
            for (i = 1; i <= n || i <= NF; i++) {
                size = theirs[i] < 0 ? -theirs[i] : theirs[i] + 0
                apart = theirs[i] - $i < 0 ? $i - theirs[i] : theirs[i] - $i
                if ($i != theirs[i] && (!(theirs[i] ~ /^[-0-9.e+]+$/) ||
                                        apart > limit * (size < 1 ? 1 : size)))
                    print FNR ": " $0 " instead of " rows[FNR]
            }
        }
        END { if (FNR != count) print FNR " rows instead of " count }' \
        "$programs/$1.txt" out >wrong
    [ ! -s wrong ] || cat err >>wrong
    if [ -s wrong ]; then
        fail "$1${3:+ by $3}: the numbers of an H200" wrong
    else
        pass "$1${3:+ by $3}: the numbers of an H200"
    fi
}

same algebra 2e-5
same fourier 2e-5

# The rest runs as a program of somebody's own, which loads what nvcc has linked.
if command -v nvcc >/dev/null; then
    nvcc -cudart shared -lineinfo -Xcompiler -g1 -gencode arch=compute_75,code=compute_75 \
        -o mistakes "$programs/mistakes.cu" -lcublas -lnvrtc -L"$(dirname -- "$(readlink -f "$(command -v nvcc)")")"/../lib64/stubs -lcuda \
        >err 2>&1 || rm -f mistakes
fi
program=./mistakes
[ -x mistakes ] || program=$programs/mistakes.cu

# finds NUMBER STATUS PATTERN
finds() {
    "$GPUGRADE" run "$program" "$1" >out 2>err </dev/null
    status=$?
    tr -s ' \n' ' ' <err >line
    if [ "$status" = "$2" ] && grep -q "$3" line; then
        pass "mistake $1: $3"
    else
        echo "exit $status" >>err
        fail "mistake $1: $3" err
    fi
}

finds 1 1 'cublasSgemm gave .* 288 bytes, but the allocation has only [0-9]* from there'
finds 2 1 'cublasSgemm gave .*leading dimension'
finds 3 1 'R04.*cublasSscal() in stream'
finds 4 3 'U02.*cublasInit'
finds 5 3 'U02.*nvrtcCreateProgram'
expect 'its text is told' grep -q NVRTC_ERROR out
finds 6 3 'U02.*cuInit'
expect 'its text is told' grep -q 'not supported' out
finds 7 5 'no findings'
finish
