/* 16-byte stores into a tile that is read by words, and words that are read as vectors. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void shuffle_vectors(const float4 *in, float4 *out)
{
    __shared__ float4 tile[THREADS];
    const int tx = threadIdx.x;
    const float *words = (const float *)tile;
    tile[tx] = in[tx];
    __syncthreads();
    float4 value;
    value.x = words[tx];
    value.y = words[THREADS + tx];
    value.z = words[2 * THREADS + tx];
    value.w = words[3 * THREADS + tx];
    __syncthreads();
    tile[THREADS - 1 - tx] = value;
    __syncthreads();
    out[tx] = tile[tx];
}

int main()
{
    float *in = new_input<float>(4 * THREADS);
    float *out = new_output<float>(4 * THREADS);
    shuffle_vectors<<<1, THREADS>>>((const float4 *)in, (float4 *)out);
    print_result("vectors_of_four", out, 4 * THREADS);
    return 0;
}
