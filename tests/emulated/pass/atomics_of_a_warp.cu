/* One atomic for all lanes that have something to add; the ballot gives each its place. */
#include "../kernel_program.h"

#define THREADS 128

__global__ void keep_large(const int *in, int *out, int *count)
{
    const int tx = threadIdx.x;
    const int lane = tx % 32;
    const int value = in[tx];
    const unsigned keepers = __ballot_sync(0xffffffffu, value > 120);
    int first = 0;
    if (lane == 0) {
        first = atomicAdd(count, __popc(keepers));
    }
    first = __shfl_sync(0xffffffffu, first, 0);
    if (value > 120) {
        const int place = first + __popc(keepers & ((1u << lane) - 1));
        atomicAdd(&out[value], 1 + 0 * place);
    }
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(256);
    int *count = new_output<int>(1);
    keep_large<<<1, THREADS>>>(in, out, count);
    print_result("atomics_of_a_warp, values", out, 256);
    print_result("atomics_of_a_warp, count", count, 1);
    return 0;
}
