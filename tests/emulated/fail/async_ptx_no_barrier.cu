/* Each thread waits for its own copies, in PTX, and reads what another one has copied without a
 * barrier. "arch: compute_80" */
#include "../kernel_program.h"

#define THREADS 64
#define COPY_ASYNC(tile, from)                                                                     \
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n cp.async.commit_group;" ::"r"(        \
                     (unsigned)__cvta_generic_to_shared(tile)),                                    \
                 "l"(from)                                                                         \
                 : "memory")

__global__ void turn(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    COPY_ASYNC(&tile[tx], &in[tx]); // error: R01 write
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[tx] = tile[(tx + 32) % THREADS]; // error: R01 read
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    turn<<<1, THREADS>>>(in, out);
    print_result("async_ptx_no_barrier", out, THREADS);
    return 0;
}
