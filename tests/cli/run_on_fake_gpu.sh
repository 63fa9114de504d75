#!/bin/sh
# run_on_fake_gpu.sh: `gpugrade run --device cuda` without a GPU: the driver is one that only
# pretends (tests/unit/device/fake_libcuda.c), and does what a kernel's name says.
set -u
. "$(dirname -- "$0")/../shell_lib.sh"
unset NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS

fake=${GPUGRADE_BUILD:-$REPO/build}/tests/unit/libcuda_fake.so
case $GPUGRADE in */bin/gpugrade) fake=${GPUGRADE%/bin/gpugrade}/tests/unit/libcuda_fake.so ;; esac
if [ ! -f "$fake" ]; then
    skip 'run on a pretended GPU' "there is no $fake; build the tests"
    finish
fi
mkdir "$SCRATCH/driver" "$SCRATCH/locks" "$SCRATCH/none"
ln -s "$fake" "$SCRATCH/driver/libcuda.so.1"
ln -s /dev/null "$SCRATCH/none/libcuda.so.1"
GPUGRADE_LOCKS=$SCRATCH/locks
export GPUGRADE_LOCKS
# Other libraries of the user's stay where they are found.
others=${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

cat >"$SCRATCH/kernels.cu" <<'SOURCE'
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

extern "C" __global__ void store_at(unsigned char *at) { *at = 1; }
extern "C" __global__ void fault_700(void) { asm volatile("trap;"); }
extern "C" __global__ void endless_1(void) { asm volatile("trap;"); }
extern "C" __global__ void stuck(void) { asm volatile("trap;"); }
extern "C" __global__ void refused(void) { asm volatile("trap;"); }

int main(int count, char **arguments)
{
    unsigned char *memory, bytes[4];
    cudaDeviceProp properties;
    char kind = count > 1 ? arguments[1][0] : 's';

    cudaMalloc((void **)&memory, sizeof bytes);
    cudaMemset(memory, 7, sizeof bytes);
    switch (kind) {
    case 'f': fault_700<<<1, 32>>>(); break;
    case 'e': endless_1<<<1, 32>>>(); break;
    case 'h': stuck<<<1, 32>>>(); break;
    case 'r': refused<<<1, 32>>>(); break;
    default: store_at<<<1, 32>>>(memory + 2);
    }
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        printf("error %d\n", (int)error);
        return 0;
    }
    cudaMemcpy(bytes, memory, sizeof bytes, cudaMemcpyDeviceToHost);
    cudaGetDeviceProperties(&properties, 0);
    printf("%d %d %d %d on %s\n", bytes[0], bytes[1], bytes[2], bytes[3], properties.name);
    return 0;
}
SOURCE

# run ARGUMENTS...: with the pretended driver; output in out and err, exit status in status.
run() {
    LD_LIBRARY_PATH=$SCRATCH/driver$others "$GPUGRADE" run "$@" \
        >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
    status=$?
}

# expect_run NAME STATUS OUTPUT ERROR: the words are in what was printed.
expect_run() {
    if [ "$status" -ne "$2" ]; then
        fail "$1: exits with $2, got $status" "$SCRATCH/err"
    elif [ -n "$3" ] && ! grep -qF -- "$3" "$SCRATCH/out"; then
        fail "$1: prints '$3'" "$SCRATCH/out"
    elif ! grep -qF -- "$4" "$SCRATCH/err"; then
        fail "$1: says '$4'" "$SCRATCH/err"
    else
        pass "$1"
    fi
}

kernels=$SCRATCH/kernels
if ! build_cuda "$kernels" "$kernels.cu"; then
    fail 'kernels.cu is built' "$SCRATCH/err"
    finish
fi
run --device cuda --json "$SCRATCH/run.json" "$kernels"
expect_run 'a launch writes memory' 0 '7 7 1 7 on Fake GPU 0' 'in 1 launch on the Fake GPU 0'
if jq -e '.machine.devices == [{"kind": "cuda", "gpu_model": "Fake GPU 0"}]' \
    "$SCRATCH/run.json" >/dev/null; then
    pass 'the result names the GPU'
else
    fail 'the result names the GPU' "$SCRATCH/run.json"
fi
run --device cuda --gpu 1 "$kernels"
expect_run 'another GPU is named by its number' 0 'on Fake GPU 1' 'no findings'
run --device cuda --gpu 9 "$kernels"
expect_run 'a GPU that is not there' 2 '' 'there is no GPU 9'
run --device cuda "$kernels" fault
expect_run 'a fault' 1 'error 700' 'uses an address outside of all memory; a real GPU does not report where'
run --device cuda --launch-seconds 1 "$kernels" endless
expect_run 'an endless kernel' 1 'error 702' '--launch-seconds N gives each launch N seconds'
run --device cuda --launch-seconds 1 "$kernels" hung
expect_run 'a driver that does not come back' 1 '' 'the GPU does not return from a launch'
run --device cuda "$kernels" refused
expect_run 'a refused launch' 3 'error 801' "was not launched: the GPU's driver reports"

LD_LIBRARY_PATH=$SCRATCH/none$others "$GPUGRADE" run --device cuda "$kernels" \
    >"$SCRATCH/out" 2>"$SCRATCH/err" </dev/null
status=$?
expect_run 'no driver' 3 '' 'there is no NVIDIA driver on this machine'
run --gpu 0 "$kernels"
expect_run '--gpu without --device cuda' 2 '' 'add --device cuda'
run --device cuda --seed 1 "$kernels"
expect_run '--seed with a real GPU' 2 '' '--seed is for the emulated device'
if [ -z "$(find "$SCRATCH/locks" ! -type d -size +0)" ]; then
    pass 'locks hold nothing'
else
    fail 'locks hold nothing' "$(ls -la "$SCRATCH/locks")"
fi
finish
