/* 64-bit products, divisions, shifts and bit counts. */
#include "../kernel_program.h"

#define THREADS 96

__global__ void mix(const unsigned long long *in, unsigned long long *out)
{
    const int tx = threadIdx.x;
    unsigned long long value = in[tx] * 0x9e3779b97f4a7c15ull + tx;
    for (int i = 0; i < 8; i++) {
        const unsigned long long divisor = (value >> 40) | 1;
        value = (value << 13 | value >> 51) ^ __umul64hi(value, divisor);
        value += value / divisor + (long long)value % 1000003ll;
        value += __popcll(value) + __clzll(value | 1) + __brev((unsigned)value);
    }
    out[tx] = value;
}

int main()
{
    unsigned long long *in = new_input<unsigned long long>(THREADS);
    unsigned long long *out = new_output<unsigned long long>(THREADS);
    mix<<<1, THREADS>>>(in, out);
    print_result("integers_wide", out, THREADS);
    return 0;
}
