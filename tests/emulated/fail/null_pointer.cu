/* An allocation was forgotten. */
#include "../kernel_program.h"

__global__ void copy(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x]; // error: B06 write
}

int main()
{
    int *in = new_input<int>(32);
    copy<<<1, 32>>>(in, nullptr);
    print_result("null_pointer", in, 32);
    return 0;
}
