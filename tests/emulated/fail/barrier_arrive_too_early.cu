/* The producer arrives before it writes. */
#include "../kernel_program.h"

__global__ void pass_on(const int *in, int *out)
{
    __shared__ int slots[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        slots[lane] = in[lane]; // error: R01 write
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[lane] = slots[lane]; // error: R01 read
    }
}

int main()
{
    int *in = new_input<int>(32);
    int *out = new_output<int>(32);
    pass_on<<<1, 64>>>(in, out);
    print_result("barrier_arrive_too_early", out, 32);
    return 0;
}
