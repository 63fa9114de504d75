/* redux.sync and __reduce_*_sync: of all lanes, of half of them, of one. "arch: compute_80" */
#include "../kernel_program.h"

#define THREADS 64

__global__ void reduce(const int *in, unsigned *out)
{
    const int tx = threadIdx.x;
    const int value = (in[tx] - 125) * 0x1234567;
    const unsigned half = tx % 32 < 16 ? 0xffffu : 0xffff0000u;
    unsigned *own = out + tx * 16;
    own[0] = (unsigned)__reduce_add_sync(0xffffffffu, value);
    own[1] = (unsigned)__reduce_min_sync(0xffffffffu, value);
    own[2] = (unsigned)__reduce_max_sync(0xffffffffu, value);
    own[3] = __reduce_add_sync(0xffffffffu, (unsigned)value);
    own[4] = __reduce_min_sync(0xffffffffu, (unsigned)value);
    own[5] = __reduce_max_sync(0xffffffffu, (unsigned)value);
    own[6] = __reduce_and_sync(0xffffffffu, (unsigned)value | 0x00ff00ffu);
    own[7] = __reduce_or_sync(0xffffffffu, (unsigned)value & 0x00ff00ffu);
    own[8] = __reduce_xor_sync(0xffffffffu, (unsigned)value);
    own[9] = (unsigned)__reduce_add_sync(half, value);
    own[10] = (unsigned)__reduce_min_sync(half, value);
    own[11] = __reduce_max_sync(half, (unsigned)value);
    own[12] = __reduce_xor_sync(1u << tx % 32, (unsigned)value);
}

int main()
{
    int *in = new_input<int>(THREADS);
    unsigned *out = new_output<unsigned>(THREADS * 16);
    reduce<<<1, THREADS>>>(in, out);
    print_result("reductions_of_warps", out, THREADS * 16);
    return 0;
}
