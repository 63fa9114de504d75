/* Many threads of many blocks count; the order does not matter to the sums. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void count(const int *in, unsigned *totals, int *extremes)
{
    __shared__ unsigned odd;
    const int tx = threadIdx.x;
    const int value = in[blockIdx.x * THREADS + tx];
    if (tx == 0) {
        odd = 0;
    }
    __syncthreads();
    if (value % 2 == 1) {
        atomicInc(&odd, 1000u);
    }
    atomicMin(&extremes[0], value);
    atomicMax(&extremes[1], value);
    __syncthreads();
    if (tx == 0) {
        atomicAdd(&totals[0], odd);
        atomicXor(&totals[1], odd << blockIdx.x);
    }
}

int main()
{
    const int blocks = 4;
    int *in = new_input<int>(blocks * THREADS);
    unsigned *totals = new_output<unsigned>(2);
    int *extremes = new_output<int>(2);
    count<<<blocks, THREADS>>>(in, totals, extremes);
    print_result("atomics_as_counters, totals", totals, 2);
    print_result("atomics_as_counters, extremes", extremes, 2);
    return 0;
}
