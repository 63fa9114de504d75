/* Each block takes the bodies in tiles through shared memory. */
#include "nbody.h"

enum { TILE = 128 };

__global__ void attract(const float4 *body, float3 *acc, int n, float softening)
{
    __shared__ float4 tile[TILE];
    const int i = blockIdx.x * TILE + threadIdx.x;
    const float4 own = i < n ? body[i] : make_float4(0, 0, 0, 0);
    float3 sum = make_float3(0, 0, 0);
    for (int first = 0; first < n; first += TILE) {
        const int other = first + threadIdx.x;
        tile[threadIdx.x] = other < n ? body[other] : make_float4(0, 0, 0, 0);
        __syncthreads();
        for (int k = 0; k < min(TILE, n - first); k++) {
            const float x = tile[k].x - own.x, y = tile[k].y - own.y, z = tile[k].z - own.z;
            const float square = x * x + y * y + z * z + softening * softening;
            const float scale = tile[k].w / (square * sqrtf(square));
            sum.x += scale * x;
            sum.y += scale * y;
            sum.z += scale * z;
        }
        __syncthreads();
    }
    if (i < n) {
        acc[i] = sum;
    }
}

void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening)
{
    attract<<<(n + TILE - 1) / TILE, TILE>>>(d_body, d_acc, n, softening);
}
