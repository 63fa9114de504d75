/* A block copies a tile as a group, and its threads meet at sync(), which waits for no copy.
 * "arch: compute_80" */
#include "../kernel_program.h"

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#define THREADS 64

__global__ void turn(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    auto block = cooperative_groups::this_thread_block();
    cooperative_groups::memcpy_async(block, tile, in, sizeof tile); // error: R01 write
    block.sync();
    out[tx] = tile[(tx + THREADS - 4) % THREADS]; // error: R01 read
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    turn<<<1, THREADS>>>(in, out);
    print_result("async_group_not_waited", out, THREADS);
    return 0;
}
