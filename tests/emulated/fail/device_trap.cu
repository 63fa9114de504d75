/* The kernel stops itself. */
#include "../kernel_program.h"

__global__ void refuse(const int *in, int *out)
{
    if (in[threadIdx.x] > 200) {
        __trap(); // error: X12 here
    }
    out[threadIdx.x] = in[threadIdx.x];
}

int main()
{
    int *in = new_input<int>(64);
    int *out = new_output<int>(64);
    refuse<<<1, 64>>>(in, out);
    print_result("device_trap", out, 64);
    return 0;
}
