/* A float4 is read at an address that is a multiple of four bytes only. */
#include "../kernel_program.h"

__global__ void read_vectors(const float *in, float *out)
{
    const float4 value = *(const float4 *)(in + threadIdx.x + 1); // error: A01 read
    out[threadIdx.x] = value.x + value.w;
}

int main()
{
    float *in = new_input<float>(40);
    float *out = new_output<float>(32);
    read_vectors<<<1, 32>>>(in, out);
    print_result("misaligned_vector", out, 32);
    return 0;
}
