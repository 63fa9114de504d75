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

# The rest runs as programs of somebody's own, which load what nvcc has linked.
# own NAME FLAG...: sets `program`.
own() {
    program=$programs/$1.cu
    if command -v nvcc >/dev/null; then
        nvcc=$(readlink -f "$(command -v nvcc)")
        nvcc -cudart shared -lineinfo -Xcompiler -g1 -gencode arch=compute_75,code=compute_75 \
            -o "$@" "$program" -L"$(dirname -- "$nvcc")/../lib64/stubs" -lcuda >err 2>&1 &&
            program=./$1
    fi
}

# finds NUMBER STATUS PATTERN
finds() {
    "$GPUGRADE" run "$program" "$1" >out 2>err </dev/null
    status=$?
    tr -s ' \n' ' ' <err >line
    if [ "$status" = "$2" ] && grep -q "$3" line; then
        pass "mistake $1 of $(basename "$program"): $3"
    else
        echo "exit $status" >>err
        fail "mistake $1 of $(basename "$program"): $3" err
    fi
}

own mistakes -lcublas -lnvrtc

finds 1 1 'B01.*cublasSgemm goes past the end of .C.: 72 elements take 288 bytes, and 256 are there'
finds 2 1 'cublasSgemm failed: .*leading dimension'
finds 3 1 'R04.*cublasSscal() in stream'
finds 4 3 'U02.*cublasInit failed: the emulated device does not support'
finds 5 3 'U02.*nvrtcGetLTOIRSize'
finds 7 5 'no findings'
finds 8 1 'B01.*past the end of .B.: 8 times 8 elements, 16 apart, take 480 bytes, and 256 are there'
finds 9 0 'no findings'
finds 10 1 'N02.*cublasSgemv reads .* nothing has written: .x., first at byte 16 of an allocation of 256'
finds 11 1 'B01.*cublasSscal uses .x., whose address 0x[0-9a-f]* is in no allocation'
finds 13 1 'cudaFreeAsync gave cudaErrorInvalidValue.*no allocation of a graph'
finds 12 1 'B01.*cublasSaxpy goes past the end of .x.: 65 elements take 260 bytes, and 256 are there'

own triangles -lcublas
finds 0 0 'no findings'
expect 'triangles and symmetric matrices' grep -qx '0 wrong' out
finds 1 1 'cublasStrsm failed: .*a value that the call does not allow'
finds 2 1 'cublasStrsm failed: .*leading dimension'
finds 3 1 'B01.*cublasStrsm goes past the end of ...: .* take 496 bytes, and'

own complex -lcublas
finds 0 0 'no findings'
expect 'complex numbers' grep -qx '0 wrong' out

own batches -lcublas -lcurand
finds 0 0 'no findings'
expect 'batches, factors, sums, rotations, halves, Poisson numbers' grep -qx '0 wrong' out
finds 1 1 'B01.*cublasSgeam goes past the end of .C.: 16 elements take 64 bytes, and 16 are there'
finds 2 1 'cublasSgetrsBatched failed: a value that the call does not allow'
finds 3 1 'cublasSgetrfBatched failed: host memory'
finds 4 3 'U02.*cublasScalEx failed'

# The driver, by clang's link and by nvcc's.
cat >expected <<'END'
6 300 594, factor of 4 bytes, time 1
2.00391 1
1, a pitch of 512
most threads 1024, best 1024
END
"$GPUGRADE" run --compiler clang "$programs/driver.cu" >out 2>err </dev/null
expect 'the driver by clang' diff expected out
own driver
finds 0 0 'no findings in 2 launches'
expect 'the driver by nvcc' diff expected out
finds 1 1 'cuDeviceGet gave CUDA_ERROR_NOT_INITIALIZED'
finds 2 1 'cuMemAlloc gave CUDA_ERROR_INVALID_CONTEXT'
finds 3 1 'CUDA_ERROR_INVALID_PTX.*line 3 of the PTX: .*nonsense'
finds 4 3 'U02.*cuModuleLoadData.*nvcc -ptx'
finds 5 1 'cuModuleGetFunction gave CUDA_ERROR_NOT_FOUND'
finds 6 1 'B01.*right past the end of an allocation of 400 bytes --> scale.cu:4'
finds 7 1 'cuMemFree gave CUDA_ERROR_INVALID_VALUE'
finds 8 1 'it belongs to another context'
finds 9 1 'the function is not a kernel'
finds 10 0 '400 bytes is never freed'
expect 'a call that is not there' grep -q 'by name: 1 1' out
finds 11 3 'U02.*cuCtxResetPersistingL2Cache'
expect 'its name is told' grep -q 'CUDA_ERROR_NOT_SUPPORTED' out
finds 13 1 'cudaErrorLaunchOutOfResources.*more bytes of arguments'
finds 14 1 'fewer bytes of arguments'
finds 12 1 'cuCtxSynchronize gave CUDA_ERROR_INVALID_CONTEXT'

# Kernels that the program compiles itself, by each compiler.
cat >expected <<'END'
_ZN1N5scaleIiEEvPT_S1_PKS1_
_ZN1N5twiceIPNS_3S0_EEEvPiPT_PS5_
_ZN1N6offsetE
50, version 13
END
"$GPUGRADE" run --compiler clang "$programs/compiled.cu" >out 2>err </dev/null
expect 'NVRTC by clang' diff expected out
own compiled -lnvrtc
finds 0 0 'no findings in 2 launches'
expect 'NVRTC by nvcc' diff expected out
finds 1 0 'no findings in 0 launches'
expect 'an option that is not one' grep -q INVALID_OPTION out
finds 2 0 'no findings in 0 launches'
expect 'what the compiler says' grep -q 'kernels.cu(1): error: .*nonsense' out
finds 3 1 'B01.*right past the end of an allocation of 128 bytes --> kernels.cu:14'
finish
