/* One thread resets a counter that others of the same phase still add to. */
#include "../kernel_program.h"

#define THREADS 96

__global__ void phases(int *out)
{
    __shared__ int count;
    const int tx = threadIdx.x;
    if (tx == 0) {
        count = 0;
    }
    __syncthreads();
    atomicAdd(&count, tx);
    if (tx == 95) {
        atomicExch(&count, 0);
    }
    __syncthreads();
    atomicAdd(&count, 1); // error: R01 atomic
    if (tx == 0) {
        *(volatile int *)&count = 7; // error: R01 write
    }
    __syncthreads();
    out[tx] = count;
}

int main()
{
    int *out = new_output<int>(THREADS);
    phases<<<1, THREADS>>>(out);
    print_result("atomic_and_plain_reset", out, THREADS);
    return 0;
}
