/* Each thread allocates a list and writes one element too many. */
#include "../kernel_program.h"

__global__ void fill_lists(const int *in, int *out)
{
    const int tx = threadIdx.x;
    const int length = in[tx] % 5 + 3;
    int *list = new int[length];
    int sum = 0;
    for (int i = 0; i <= length; i++) {
        list[i] = i * tx; // error: B01 write
    }
    for (int i = 0; i < length; i++) {
        sum += list[i];
    }
    out[tx] = sum;
    delete[] list;
}

int main()
{
    int *in = new_input<int>(64);
    int *out = new_output<int>(64);
    fill_lists<<<1, 64>>>(in, out);
    print_result("heap_overrun", out, 64);
    return 0;
}
