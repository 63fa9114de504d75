/* The producer fills the slots again without knowing that they were read. */
#include "../kernel_program.h"

#define ROUNDS 3

__global__ void pass_on(const int *in, int *out)
{
    __shared__ int slots[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int round = 0; round < ROUNDS; round++) {
            slots[lane] = in[round * 32 + lane]; // error: R01 write
            asm volatile("bar.sync 1, 64;" ::: "memory");
        }
    } else {
        int sum = 0;
        for (int round = 0; round < ROUNDS; round++) {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            sum += slots[lane]; // error: R01 read
        }
        out[lane] = sum;
    }
}

int main()
{
    int *in = new_input<int>(ROUNDS * 32);
    int *out = new_output<int>(32);
    pass_on<<<1, 64>>>(in, out);
    print_result("barrier_empty_slot", out, 32);
    return 0;
}
