/* Blocks read what their neighbours write in the same launch.
 * order: matters */
#include "../kernel_program.h"

#define THREADS 32

__global__ void relax(int *values, int count)
{
    const int index = blockIdx.x * THREADS + threadIdx.x;
    const int right = values[(index + THREADS) % count]; // error: R03 read
    values[index] = right + 1; // error: R03 write
}

int main()
{
    const int count = 4 * THREADS;
    int *values = new_input<int>(count);
    relax<<<count / THREADS, THREADS>>>(values, count);
    print_result("global_race_neighbours", values, count);
    return 0;
}
