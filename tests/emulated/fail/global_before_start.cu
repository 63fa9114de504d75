/* The halo of the first block lies before the array. */
#include "../kernel_program.h"

#define COUNT 64

__global__ void blur(const float *in, float *out)
{
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    out[index] = in[index] + in[index - 1]; // error: B01 read
}

int main()
{
    float *in = new_input<float>(COUNT);
    float *out = new_output<float>(COUNT);
    blur<<<2, 32>>>(in, out);
    print_result("global_before_start", out, COUNT);
    return 0;
}
