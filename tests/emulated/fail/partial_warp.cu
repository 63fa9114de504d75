/* 40 threads: the eight lanes of the last warp read what the first warp writes. */
#include "../kernel_program.h"

#define THREADS 40

__global__ void copy(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    tile[tx] = in[tx]; // error: R01 write
    if (tx >= 32) {
        out[tx] = tile[tx - 32]; // error: R01 read
    }
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    copy<<<1, THREADS>>>(in, out);
    print_result("partial_warp", out, THREADS);
    return 0;
}
