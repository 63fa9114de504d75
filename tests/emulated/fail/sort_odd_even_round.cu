/* No barrier between the odd and the even half of a round. */
#include "../kernel_program.h"

#define COUNT 64

__device__ void exchange(int *values, int left)
{
    if (left + 1 < COUNT && values[left] > values[left + 1]) { // error: R02 read
        const int value = values[left];
        values[left] = values[left + 1]; // error: R02 write
        values[left + 1] = value;        // error: R02 write
    }
}

__global__ void sort(const int *in, int *out)
{
    __shared__ int values[COUNT];
    const int tx = threadIdx.x;
    values[tx] = in[tx];
    values[tx + COUNT / 2] = in[tx + COUNT / 2];
    for (int round = 0; round < COUNT / 2; round++) {
        __syncthreads();
        exchange(values, 2 * tx);
        exchange(values, 2 * tx + 1);
    }
    __syncthreads();
    out[tx] = values[tx];
    out[tx + COUNT / 2] = values[tx + COUNT / 2];
}

int main()
{
    int *in = new_input<int>(COUNT);
    int *out = new_output<int>(COUNT);
    sort<<<1, COUNT / 2>>>(in, out);
    print_result("sort_odd_even_round", out, COUNT);
    return 0;
}
