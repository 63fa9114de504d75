/* The barrier stands after the inner loop instead of in it. order: matters */
#include "../kernel_program.h"

#define COUNT 128

__global__ void sort(const int *in, int *out)
{
    __shared__ int values[COUNT];
    const int tx = threadIdx.x;
    values[tx] = in[tx];
    __syncthreads();
    for (int size = 2; size <= COUNT; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            const int other = tx ^ stride;
            if (other > tx) {
                const int low = values[tx]; // error: R01 read
                const int high = values[other]; // error: R01 read
                if ((low > high) == ((tx & size) == 0)) {
                    values[tx] = high; // error: R01 write
                    values[other] = low; // error: R01 write
                }
            }
        }
        __syncthreads();
    }
    out[tx] = values[tx];
}

int main()
{
    int *in = new_input<int>(COUNT);
    int *out = new_output<int>(COUNT);
    sort<<<1, COUNT>>>(in, out);
    print_result("sort_bitonic_inner", out, COUNT);
    return 0;
}
