/* A named barrier for 96 threads that 64 come to. */
#include "../kernel_program.h"

__global__ void wait_for_ever(int *out)
{
    if (threadIdx.x < 64) {
        asm volatile("bar.sync 1, 96;" ::: "memory"); // error: D01 barrier
    }
    out[threadIdx.x] = 1;
}

int main()
{
    int *out = new_output<int>(96);
    wait_for_ever<<<1, 96>>>(out);
    print_result("barrier_wrong_count", out, 96);
    return 0;
}
