/* An assertion of the kernel fails in some threads. */
#include "../kernel_program.h"

#include <cassert>

__global__ void check_input(const int *in, int *out)
{
    const int tx = threadIdx.x;
    assert(in[tx] < 200); // error: X11 here
    out[tx] = in[tx];
}

int main()
{
    int *in = new_input<int>(64);
    int *out = new_output<int>(64);
    check_input<<<1, 64>>>(in, out);
    print_result("device_assert", out, 64);
    return 0;
}
