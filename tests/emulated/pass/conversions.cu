/* Conversions between widths, with rounding and saturation. */
#include "../kernel_program.h"

#define THREADS 128

__global__ void convert(const float *in, int *out, double *doubles)
{
    const int tx = threadIdx.x;
    const float value = (in[tx] - 125.0f) * 1.37f;
    const float large = value * 3.1e7f;
    out[4 * tx] = __float2int_rn(value);
    out[4 * tx + 1] = (int)large;
    out[4 * tx + 2] = (unsigned char)(int)value + (signed char)(int)value;
    out[4 * tx + 3] = (int)floorf(value) ^ (int)ceilf(value) << 8 ^ (int)rintf(value) << 16;
    doubles[tx] = (double)value / 3.0 + (double)(float)((double)value * 1.1);
}

int main()
{
    float *in = new_input<float>(THREADS);
    int *out = new_output<int>(4 * THREADS);
    double *doubles = new_output<double>(THREADS);
    convert<<<1, THREADS>>>(in, out, doubles);
    print_result("conversions, int", out, 4 * THREADS);
    print_result("conversions, double", doubles, THREADS);
    return 0;
}
