/* A loop that lanes leave by return one after the other, with a barrier inside. */
#include "../kernel_program.h"

#define THREADS 32

__global__ void shrink(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    tile[tx] = in[tx];
    for (int i = 0; i < THREADS; i += 8) {
        if (tx < i) {
            return;
        }
        __syncthreads(); // error: D04 barrier
        out[tx] += tile[(tx + i) % THREADS];
    }
} // error: D04 here

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    shrink<<<1, THREADS>>>(in, out);
    print_result("barrier_after_exit_of_lanes", out, THREADS);
    return 0;
}
