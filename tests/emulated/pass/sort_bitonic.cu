/* Bitonic sort of a block's values, a barrier after each exchange. */
#include "../kernel_program.h"

#define COUNT 256

__global__ void sort(const int *in, int *out)
{
    __shared__ int values[COUNT];
    const int tx = threadIdx.x;
    values[tx] = in[blockIdx.x * COUNT + tx];
    __syncthreads();
    for (int size = 2; size <= COUNT; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            const int other = tx ^ stride;
            if (other > tx) {
                const int low = values[tx];
                const int high = values[other];
                if ((low > high) == ((tx & size) == 0)) {
                    values[tx] = high;
                    values[other] = low;
                }
            }
            __syncthreads();
        }
    }
    out[blockIdx.x * COUNT + tx] = values[tx];
}

int main()
{
    const int blocks = 2;
    int *in = new_input<int>(blocks * COUNT);
    int *out = new_output<int>(blocks * COUNT);
    sort<<<blocks, COUNT>>>(in, out);
    print_result("sort_bitonic", out, blocks * COUNT);
    return 0;
}
