/* The host's array is handed to the kernel instead of the device's. */
#include "../kernel_program.h"

static int host[32];

__global__ void copy(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x]; // error: B07 read
}

int main()
{
    int *out = new_output<int>(32);
    copy<<<1, 32>>>(host, out);
    print_result("host_pointer", out, 32);
    return 0;
}
