/* Nested branches, a switch and early continues; the paths meet again before the exchange. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void walk(const int *in, int *out)
{
    const int tx = threadIdx.x;
    int value = in[tx];
    for (int i = 0; i < 20; i++) {
        if (value % 5 == 0) {
            value += i;
            continue;
        }
        switch (value % 4) {
        case 0: value = value / 2 + 1; break;
        case 1: value = value * 3; break;
        case 2: value -= i; break;
        default:
            if (value > 1000) {
                value %= 1000;
            } else {
                value += 7;
            }
            break;
        }
    }
    out[tx] = value + __shfl_xor_sync(0xffffffffu, value, 1);
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    walk<<<1, THREADS>>>(in, out);
    print_result("divergent_paths", out, THREADS);
    return 0;
}
