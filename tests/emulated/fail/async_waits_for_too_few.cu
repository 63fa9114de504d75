/* Two tiles in turn: the wait leaves one copy under way, also in the last round, when it is that of
 * the tile that is read. "arch: compute_80" */
#include "../kernel_program.h"

#include <cuda_pipeline.h>

#define THREADS 64
#define TILES 4

__global__ void turn(const int *in, int *out)
{
    __shared__ int tile[2][THREADS];
    const int tx = threadIdx.x;
    __pipeline_memcpy_async(&tile[0][tx], &in[tx], sizeof(int));
    __pipeline_commit();
    for (int k = 0; k < TILES; k++) {
        if (k + 1 < TILES) {
            __pipeline_memcpy_async(&tile[(k + 1) % 2][tx], // error: R01 write
                                    &in[(k + 1) * THREADS + tx], sizeof(int));
            __pipeline_commit();
        }
        __pipeline_wait_prior(1);
        __syncthreads();
        out[k * THREADS + tx] = tile[k % 2][(tx + 32) % THREADS]; // error: R01 read
        __syncthreads();
    }
}

int main()
{
    int *in = new_input<int>(TILES * THREADS);
    int *out = new_output<int>(TILES * THREADS);
    turn<<<1, THREADS>>>(in, out);
    print_result("async_waits_for_too_few", out, TILES * THREADS);
    return 0;
}
