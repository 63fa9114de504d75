/* A static tile, then dynamic bytes, each used up to its last element. */
#include "../kernel_program.h"

#define THREADS 32

__global__ void both(const int *in, int *out)
{
    __shared__ int fixed[THREADS];
    extern __shared__ int variable[];
    const int tx = threadIdx.x;
    fixed[tx] = in[tx];
    for (int i = tx; i < 3 * THREADS; i += THREADS) {
        variable[i] = in[i] + 1;
    }
    __syncthreads();
    out[tx] = fixed[THREADS - 1 - tx] + variable[3 * THREADS - 1 - tx];
}

int main()
{
    int *in = new_input<int>(3 * THREADS);
    int *out = new_output<int>(THREADS);
    both<<<1, THREADS, 3 * THREADS * sizeof(int)>>>(in, out);
    print_result("dynamic_beside_static", out, THREADS);
    return 0;
}
