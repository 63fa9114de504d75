/* A vector of four is stored; the last of its words belongs to a thread of another warp. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void store(const float4 *in, float *out)
{
    __shared__ float4 tile[THREADS / 2];
    const int tx = threadIdx.x;
    float *words = (float *)tile;
    if (tx < 32) {
        tile[tx] = in[tx]; // error: R01 write
    } else {
        words[4 * (tx - 32) + 3] = 1.5f; // error: R01 write
    }
    __syncthreads();
    out[tx] = words[tx];
}

int main()
{
    float *in = new_input<float>(4 * THREADS);
    float *out = new_output<float>(THREADS);
    store<<<1, THREADS>>>((const float4 *)in, out);
    print_result("vector_and_scalar", out, THREADS);
    return 0;
}
