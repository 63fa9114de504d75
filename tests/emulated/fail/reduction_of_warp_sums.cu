/* The first warp reads the sums of the others without a barrier. */
#include "../kernel_program.h"

#define THREADS 128

__device__ int warp_sum(int value)
{
    for (int offset = 16; offset > 0; offset /= 2) {
        value += __shfl_down_sync(0xffffffffu, value, offset);
    }
    return value;
}

__global__ void reduce(const int *in, int *out)
{
    __shared__ int sums[THREADS / 32];
    const int tx = threadIdx.x;
    const int sum = warp_sum(in[tx]);
    if (tx % 32 == 0) {
        sums[tx / 32] = sum; // error: R01 write
    }
    if (tx == 0) {
        int total = 0;
        for (int i = 0; i < THREADS / 32; i++) {
            total += sums[i]; // error: R01 read
        }
        out[0] = total;
    }
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(1);
    reduce<<<1, THREADS>>>(in, out);
    print_result("reduction_of_warp_sums", out, 1);
    return 0;
}
