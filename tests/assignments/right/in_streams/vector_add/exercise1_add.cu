/* Two streams, four elements at a time. */
#include "vector_add.h"

enum { BLOCK = 256 };

__global__ void addFours(const float4 *a, const float4 *b, float4 *c, int fours)
{
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < fours; i += gridDim.x * BLOCK) {
        c[i] = make_float4(a[i].x + b[i].x, a[i].y + b[i].y, a[i].z + b[i].z, a[i].w + b[i].w);
    }
}

__global__ void addRest(const float *a, const float *b, float *c, int first)
{
    const int i = first + threadIdx.x;
    c[i] = a[i] + b[i];
}

void addVectors(const float *d_a, const float *d_b, float *d_c, int n)
{
    static cudaStream_t streams[2];
    const int fours = n / 4;
    for (cudaStream_t &stream : streams) {
        if (stream == nullptr) {
            cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        }
    }
    if (fours > 0) {
        addFours<<<64, BLOCK, 0, streams[0]>>>((const float4 *)d_a, (const float4 *)d_b,
                                               (float4 *)d_c, fours);
    }
    if (n % 4 > 0) {
        addRest<<<1, n % 4, 0, streams[1]>>>(d_a, d_b, d_c, 4 * fours);
    }
}
