/* Blocks count without atomics.
 * order: matters */
#include "../kernel_program.h"

__device__ int total;

__global__ void count(void)
{
    if (threadIdx.x == 0) {
        total = total + (int)blockIdx.x + 1; // error: R03 read, R03 write
    }
}

__global__ void fetch(int *out)
{
    *out = total;
}

int main()
{
    int *out = new_output<int>(1);
    count<<<4, 32>>>();
    fetch<<<1, 1>>>(out);
    print_result("global_race_counter", out, 1);
    return 0;
}
