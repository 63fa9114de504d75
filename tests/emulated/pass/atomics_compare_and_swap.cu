/* A product built from compare-and-swap, which all threads of a block update. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void multiply(const int *in, unsigned *out)
{
    __shared__ unsigned product;
    if (threadIdx.x == 0) {
        atomicExch(&product, 1u);
    }
    __syncthreads();
    const unsigned factor = 2u * in[blockIdx.x * THREADS + threadIdx.x] + 1u;
    unsigned seen = atomicAdd(&product, 0u);
    unsigned expected;
    do {
        expected = seen;
        seen = atomicCAS(&product, expected, expected * factor);
    } while (seen != expected);
    __syncthreads();
    if (threadIdx.x == 0) {
        out[blockIdx.x] = product;
    }
}

int main()
{
    const int blocks = 2;
    int *in = new_input<int>(blocks * THREADS);
    unsigned *out = new_output<unsigned>(blocks);
    multiply<<<blocks, THREADS>>>(in, out);
    print_result("atomics_compare_and_swap", out, blocks);
    return 0;
}
