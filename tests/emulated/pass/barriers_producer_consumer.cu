/* One warp produces, another consumes: bar.arrive where nobody has to wait, one barrier for "full"
 * and one for "empty". */
#include "../kernel_program.h"

#define ROUNDS 5

__global__ void pass_on(const int *in, int *out)
{
    __shared__ int slots[32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int round = 0; round < ROUNDS; round++) {
            if (round > 0) {
                asm volatile("bar.sync 2, 64;" ::: "memory");
            }
            slots[lane] = in[round * 32 + lane];
            asm volatile("bar.arrive 1, 64;" ::: "memory");
        }
    } else {
        int sum = 0;
        for (int round = 0; round < ROUNDS; round++) {
            asm volatile("bar.sync 1, 64;" ::: "memory");
            sum = sum * 3 + slots[31 - lane];
            if (round + 1 < ROUNDS) {
                asm volatile("bar.arrive 2, 64;" ::: "memory");
            }
        }
        out[lane] = sum;
    }
}

int main()
{
    int *in = new_input<int>(ROUNDS * 32);
    int *out = new_output<int>(32);
    pass_on<<<1, 64>>>(in, out);
    print_result("barriers_producer_consumer", out, 32);
    return 0;
}
