/* An index past the end of constant memory. */
#include "../kernel_program.h"

__constant__ int table[16];

__global__ void look_up(int *out)
{
    out[threadIdx.x] = table[threadIdx.x]; // error: B04 read
}

int main()
{
    int *out = new_output<int>(32);
    look_up<<<1, 32>>>(out);
    print_result("constant_overrun", out, 32);
    return 0;
}
