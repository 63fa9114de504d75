/* flag_never_set.cu: threads wait for flags that each would set only afterwards: by volatile loads,
 * by atomics that change nothing, and with pauses. order: matters, as the launch stops with the
 * first block that waits.
 */
#include "../kernel_program.h"

#include <cuda/atomic>

__device__ int turn;
__device__ cuda::atomic<int, cuda::thread_scope_device> ready;

__global__ void wait_first(int *out)
{
    __shared__ volatile int flag;
    if (threadIdx.x == 0) {
        flag = 0;
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        while (flag == 0) { // error: X04 here
        }
        ready.store(1, cuda::memory_order_release);
    } else if (threadIdx.x < 64) {
        while (atomicAdd(&turn, 0) == 0) { // error: X04 here
        }
        flag = 1;
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0) { // error: X04 here
            __nanosleep(100);
        }
        atomicAdd(&turn, 1);
    }
    out[threadIdx.x] = flag;
}

int main()
{
    wait_first<<<2, 96>>>(new_output<int>(96));
    return cudaDeviceSynchronize() == cudaSuccess;
}
