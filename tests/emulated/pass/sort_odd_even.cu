/* Odd-even transposition: half as many threads as values. */
#include "../kernel_program.h"

#define COUNT 96

__global__ void sort(const short *in, short *out)
{
    __shared__ short values[COUNT];
    const int tx = threadIdx.x;
    values[tx] = in[tx];
    values[tx + COUNT / 2] = in[tx + COUNT / 2];
    for (int round = 0; round < COUNT; round++) {
        __syncthreads();
        const int left = 2 * tx + round % 2;
        if (left + 1 < COUNT && values[left] > values[left + 1]) {
            const short value = values[left];
            values[left] = values[left + 1];
            values[left + 1] = value;
        }
    }
    __syncthreads();
    out[tx] = values[tx];
    out[tx + COUNT / 2] = values[tx + COUNT / 2];
}

int main()
{
    short *in = new_input<short>(COUNT);
    short *out = new_output<short>(COUNT);
    sort<<<1, COUNT / 2>>>(in, out);
    print_result("sort_odd_even", out, COUNT);
    return 0;
}
