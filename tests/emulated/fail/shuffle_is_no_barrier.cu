/* A shuffle exchanges registers; it does not order accesses to shared memory. */
#include "../kernel_program.h"

__global__ void exchange(const int *in, int *out)
{
    __shared__ int part[32];
    const int lane = threadIdx.x;
    part[lane] = in[lane]; // error: R02 write
    const int other = __shfl_sync(0xffffffffu, lane * 7, lane + 3) % 32;
    out[lane] = part[other]; // error: R02 read
}

int main()
{
    int *in = new_input<int>(32);
    int *out = new_output<int>(32);
    exchange<<<1, 32>>>(in, out);
    print_result("shuffle_is_no_barrier", out, 32);
    return 0;
}
