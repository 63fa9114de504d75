/* Half of a warp exchanges with a mask that names all of it; the other half goes on. */
#include "../kernel_program.h"

__global__ void sums(const int *in, int *out)
{
    const int lane = threadIdx.x;
    int value = in[lane];
    if (lane < 16) {
        value += __shfl_xor_sync(0xffffffff, value, 1); // error: D05 here
    }
    out[lane] = value;
}

int main()
{
    int *in = new_input<int>(32);
    int *out = new_output<int>(32);
    sums<<<1, 32>>>(in, out);
    print_result("shuffle_in_branch", out, 32);
    return 0;
}
