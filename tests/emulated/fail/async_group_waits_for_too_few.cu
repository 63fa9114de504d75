/* A block copies two tiles as a group, and reads both after the wait that leaves one under way.
 * "arch: compute_80" */
#include "../kernel_program.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#define THREADS 64

__global__ void turn(const int *in, int *out)
{
    __shared__ int tile[2][THREADS];
    const int tx = threadIdx.x;
    auto block = cooperative_groups::this_thread_block();
    cooperative_groups::memcpy_async(block, tile[0], in, sizeof tile[0]);
    cooperative_groups::memcpy_async(block, tile[1], in + THREADS, sizeof tile[1]); // error: R01 write
    cooperative_groups::wait_prior<1>(block);
    out[tx] = tile[0][tx];
    out[THREADS + tx] = tile[1][(tx + THREADS - 4) % THREADS]; // error: R01 read
    cooperative_groups::wait(block);
}

int main()
{
    int *in = new_input<int>(2 * THREADS);
    int *out = new_output<int>(2 * THREADS);
    turn<<<1, THREADS>>>(in, out);
    print_result("async_group_waits_for_too_few", out, 2 * THREADS);
    return 0;
}
