/* Only the first block fills its table; shared memory is not handed on. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void look_up(const int *in, int *out)
{
    extern __shared__ int table[];
    const int tx = threadIdx.x;
    if (blockIdx.x == 0) {
        table[tx] = in[tx];
    }
    __syncthreads();
    out[blockIdx.x * THREADS + tx] = table[THREADS - 1 - tx]; // error: N01 read
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(2 * THREADS);
    look_up<<<2, THREADS, THREADS * sizeof(int)>>>(in, out);
    print_result("uninitialised_second_block", out, 2 * THREADS);
    return 0;
}
