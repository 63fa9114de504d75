/* The update stands in a function of its own that is inlined: its line is told, not the call's. */
#include "../kernel_program.h"

#define THREADS 128

__device__ void bump(int *counter)
{
    atomicAdd(counter, 1); // error: R01 atomic
}

__global__ void count_threads(int *out)
{
    __shared__ int count;
    if (threadIdx.x == 0) {
        count = 0; // error: R01 write
    }
    bump(&count);
    __syncthreads();
    out[threadIdx.x] = count;
}

int main()
{
    int *out = new_output<int>(THREADS);
    count_threads<<<1, THREADS>>>(out);
    print_result("atomic_in_device_function", out, THREADS);
    return 0;
}
