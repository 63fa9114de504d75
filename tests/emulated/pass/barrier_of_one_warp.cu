/* Blocks of one warp and of half a warp. */
#include "../kernel_program.h"

__global__ void reverse(const int *in, int *out)
{
    __shared__ int tile[32];
    const int tx = threadIdx.x;
    const int threads = blockDim.x;
    const int index = blockIdx.x * threads + tx;
    tile[tx] = in[index];
    __syncthreads();
    const int value = tile[threads - 1 - tx];
    __syncthreads();
    tile[(tx + 3) % threads] = value;
    __syncthreads();
    out[index] = tile[tx];
}

int main()
{
    int *in = new_input<int>(64);
    int *out = new_output<int>(64);
    reverse<<<2, 32>>>(in, out);
    print_result("barrier_of_one_warp, 32", out, 64);
    reverse<<<4, 16>>>(in, out);
    print_result("barrier_of_one_warp, 16", out, 64);
    return 0;
}
