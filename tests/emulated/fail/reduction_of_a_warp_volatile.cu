/* volatile keeps the compiler from holding values back, but orders no lanes. */
#include "../kernel_program.h"

#define THREADS 64

__device__ void finish(volatile int *partial, int tx)
{
    partial[tx] += partial[tx + 32]; // error: R02 write
    partial[tx] += partial[tx + 16]; // error: R02 read, R02 write
    partial[tx] += partial[tx + 8];  // error: R02 read, R02 write
    partial[tx] += partial[tx + 4];  // error: R02 read, R02 write
    partial[tx] += partial[tx + 2];  // error: R02 read, R02 write
    partial[tx] += partial[tx + 1];  // error: R02 read, R02 write
}

__global__ void reduce(const int *in, int *out)
{
    __shared__ int partial[THREADS];
    const int tx = threadIdx.x;
    partial[tx] = in[blockIdx.x * THREADS + tx];
    __syncthreads();
    if (tx < 32) {
        finish(partial, tx);
    }
    if (tx == 0) {
        out[blockIdx.x] = partial[0];
    }
}

int main()
{
    int *in = new_input<int>(2 * THREADS);
    int *out = new_output<int>(2);
    reduce<<<2, THREADS>>>(in, out);
    print_result("reduction_of_a_warp_volatile", out, 2);
    return 0;
}
