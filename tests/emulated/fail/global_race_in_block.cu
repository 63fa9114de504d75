/* Threads of one block exchange values through global memory without a barrier.
 * order: matters */
#include "../kernel_program.h"

#define THREADS 64

__global__ void reverse(int *values, int *out)
{
    const int tx = threadIdx.x;
    values[tx] = tx * 3; // error: R03 write
    out[tx] = values[THREADS - 1 - tx]; // error: R03 read
}

int main()
{
    int *values = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    reverse<<<1, THREADS>>>(values, out);
    print_result("global_race_in_block", out, THREADS);
    return 0;
}
