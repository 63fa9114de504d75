/* A plain read of a counter that other threads add to. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void tickets(int *out)
{
    __shared__ int next;
    const int tx = threadIdx.x;
    if (tx == 0) {
        next = 0;
    }
    __syncthreads();
    const int before = *(volatile int *)&next; // error: R01 read
    const int ticket = atomicAdd(&next, 1); // error: R01 atomic
    out[tx] = before <= ticket;
}

int main()
{
    int *out = new_output<int>(THREADS);
    tickets<<<1, THREADS>>>(out);
    print_result("atomic_and_plain_read", out, THREADS);
    return 0;
}
