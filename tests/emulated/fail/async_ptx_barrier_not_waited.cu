/* Copies in PTX that an mbarrier tells of: all threads arrive there, and read at once what only
 * mbarrier.test_wait says is there. "arch: compute_80" */
#include "../kernel_program.h"

#define THREADS 64
#define COPY_ASYNC(tile, from)                                                                     \
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(                                 \
                     (unsigned)__cvta_generic_to_shared(tile)),                                    \
                 "l"(from)                                                                         \
                 : "memory")

__global__ void turn(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    __shared__ unsigned long long loaded;
    const int tx = threadIdx.x;
    const unsigned barrier = __cvta_generic_to_shared(&loaded);
    unsigned long long phase;
    if (tx == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(barrier), "r"(THREADS) : "memory");
    }
    __syncthreads();
    COPY_ASYNC(&tile[tx], &in[tx]); // error: N01 write
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier) : "memory");
    const int own = tile[tx]; // error: N01 read
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(phase) : "r"(barrier) : "memory");
    out[tx] = own;
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    turn<<<1, THREADS>>>(in, out);
    print_result("async_ptx_barrier_not_waited", out, THREADS);
    return 0;
}
