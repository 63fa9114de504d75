#include "nbody.h"

enum { TILE = 128 };

__device__ float3 add_pull(float3 sum, float4 own, float4 other, float softening_squared)
{
    const float x = other.x - own.x;
    const float y = other.y - own.y;
    const float z = other.z - own.z;
    const float inverse = rsqrtf(x * x + y * y + z * z + softening_squared);
    const float scale = other.w * inverse * inverse * inverse;
    return make_float3(sum.x + scale * x, sum.y + scale * y, scale * z);
}

__global__ void accelerate(const float4 *body, float3 *acc, int n, float softening)
{
    __shared__ float4 tile[TILE];
    const int i = blockIdx.x * TILE + threadIdx.x;
    const float softening_squared = softening * softening;
    const float4 nothing = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    const float4 own = i < n ? body[i] : nothing;
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);

    for (int first = 0; first < n; first += TILE) {
        const int j = first + threadIdx.x;
        tile[threadIdx.x] = j < n ? body[j] : nothing;
        __syncthreads();
        for (int k = 0; k < TILE; k++) {
            sum = add_pull(sum, own, tile[k], softening_squared);
        }
        __syncthreads();
    }
    if (i < n) {
        acc[i] = sum;
    }
}

void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening)
{
    const int blocks = (n + TILE - 1) / TILE;
    accelerate<<<blocks, TILE>>>(d_body, d_acc, n, softening);
}
