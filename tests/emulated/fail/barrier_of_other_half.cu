/* Each half of the block has a named barrier of its own, but they exchange values. */
#include "../kernel_program.h"

#define THREADS 128

__global__ void exchange(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    tile[tx] = in[tx]; // error: R01 write
    asm volatile("bar.sync %0, 64;" ::"r"(1 + tx / 64) : "memory");
    out[tx] = tile[(tx + 64) % THREADS]; // error: R01 read
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    exchange<<<1, THREADS>>>(in, out);
    print_result("barrier_of_other_half", out, THREADS);
    return 0;
}
