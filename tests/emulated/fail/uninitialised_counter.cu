/* A counter in shared memory that nobody clears; an atomic reads it first. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void count(const int *in, int *out)
{
    __shared__ int total;
    const int tx = threadIdx.x;
    if (in[tx] % 2 == 0) {
        atomicAdd(&total, 1); // error: N01 atomic
    }
    __syncthreads();
    out[tx] = total;
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    count<<<1, THREADS>>>(in, out);
    print_result("uninitialised_counter", out, THREADS);
    return 0;
}
