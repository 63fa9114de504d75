/* A second launch reads what other blocks of the first one wrote: launches of a stream are ordered. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void spread(const int *in, int *out, int count)
{
    const int index = blockIdx.x * THREADS + threadIdx.x;
    out[(index * 5) % count] = in[index] + 1;
}

int main()
{
    const int count = 256;
    int *first = new_input<int>(count);
    int *second = new_output<int>(count);
    for (int round = 0; round < 3; round++) {
        spread<<<count / THREADS, THREADS>>>(first, second, count);
        spread<<<count / THREADS, THREADS>>>(second, first, count);
    }
    print_result("launches_in_order", first, count);
    return 0;
}
