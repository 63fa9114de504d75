/* Two warps wait for each other at two named barriers. */
#include "../kernel_program.h"

__global__ void wait_for_ever(int *out)
{
    if (threadIdx.x < 32) {
        asm volatile("bar.sync 1, 64;" ::: "memory"); // error: D01 barrier
    } else {
        asm volatile("bar.sync 2, 64;" ::: "memory"); // error: D01 barrier
    }
    out[threadIdx.x] = 1;
}

int main()
{
    int *out = new_output<int>(64);
    wait_for_ever<<<1, 64>>>(out);
    print_result("barrier_deadlock", out, 64);
    return 0;
}
