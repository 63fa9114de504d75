/* The last thread reads one element past the end. */
#include "../kernel_program.h"

#define COUNT 100

__global__ void differences(const int *in, int *out)
{
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index < COUNT) {
        out[index] = in[index + 1] - in[index]; // error: B01 read
    }
}

int main()
{
    int *in = new_input<int>(COUNT);
    int *out = new_output<int>(COUNT);
    differences<<<4, 32>>>(in, out);
    print_result("global_read_by_one", out, COUNT);
    return 0;
}
