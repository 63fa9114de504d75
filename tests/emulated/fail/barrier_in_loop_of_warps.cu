/* The second warp goes around a loop with a barrier more often than the first, which has ended by
 * then. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void loop(const int *in, int *out)
{
    const int tx = threadIdx.x;
    int sum = in[tx];
    for (int i = 0; i < 2 + tx / 32; i++) {
        sum = sum * 5 + i;
        __syncthreads(); // error: D04 barrier
    }
    out[tx] = sum;
} // error: D04 here

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    loop<<<1, THREADS>>>(in, out);
    print_result("barrier_in_loop_of_warps", out, THREADS);
    return 0;
}
