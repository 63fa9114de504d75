/* Many threads set one flag to the same value: worth a remark, not an error. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void any_above(const int *in, int *out, int bound)
{
    __shared__ int found;
    const int tx = threadIdx.x;
    if (tx == 0) {
        found = 0;
    }
    __syncthreads();
    if (in[blockIdx.x * THREADS + tx] > bound) {
        found = 1;
    }
    __syncthreads();
    if (tx == 0) {
        out[blockIdx.x] = found;
    }
}

int main()
{
    const int blocks = 3;
    int *in = new_input<int>(blocks * THREADS);
    int *out = new_output<int>(blocks);
    any_above<<<blocks, THREADS>>>(in, out, 125);
    print_result("same_value_flag", out, blocks);
    return 0;
}
