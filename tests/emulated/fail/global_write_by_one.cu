/* `<=` instead of `<`: one thread writes past the end. */
#include "../kernel_program.h"

#define COUNT 100

__global__ void copy(const int *in, int *out)
{
    const int index = blockIdx.x * blockDim.x + threadIdx.x;
    if (index <= COUNT) {
        out[index] = in[0] + index; // error: B01 write
    }
}

int main()
{
    int *in = new_input<int>(COUNT);
    int *out = new_output<int>(COUNT);
    copy<<<4, 32>>>(in, out);
    print_result("global_write_by_one", out, COUNT);
    return 0;
}
