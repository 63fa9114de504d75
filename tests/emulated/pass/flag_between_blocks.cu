/* Block 1 waits for a flag of block 0: a fence on each side of an atomic flag. */
#include "../kernel_program.h"

__device__ int message[32];
__device__ int flag;

__global__ void hand_over(const int *in, int *out)
{
    const int tx = threadIdx.x;
    if (blockIdx.x == 0) {
        message[tx] = in[tx] * 2;
        __threadfence();
        __syncthreads();
        if (tx == 0) {
            atomicExch(&flag, 1);
        }
    } else {
        if (tx == 0) {
            while (atomicAdd(&flag, 0) == 0) {
            }
            __threadfence();
        }
        __syncthreads();
        out[tx] = message[31 - tx];
    }
}

int main()
{
    int *in = new_input<int>(32);
    int *out = new_output<int>(32);
    hand_over<<<2, 32>>>(in, out);
    print_result("flag_between_blocks", out, 32);
    return 0;
}
