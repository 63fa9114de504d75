/* Two tiles in turn, in PTX: the wait leaves one group under way, also in the last round, when it is
 * that of the tile that is read. "arch: compute_80" */
#include "../kernel_program.h"

#define THREADS 64
#define TILES 4
#define COPY_ASYNC(tile, from)                                                                     \
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n cp.async.commit_group;" ::"r"(        \
                     (unsigned)__cvta_generic_to_shared(tile)),                                    \
                 "l"(from)                                                                         \
                 : "memory")

__global__ void turn(const int *in, int *out)
{
    __shared__ int tile[2][THREADS];
    const int tx = threadIdx.x;
    COPY_ASYNC(&tile[0][tx], &in[tx]);
    for (int k = 0; k < TILES; k++) {
        if (k + 1 < TILES) {
            COPY_ASYNC(&tile[(k + 1) % 2][tx], &in[(k + 1) * THREADS + tx]); // error: R01 write
        }
        asm volatile("cp.async.wait_group 1;" ::: "memory");
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
    print_result("async_ptx_waits_for_too_few", out, TILES * THREADS);
    return 0;
}
