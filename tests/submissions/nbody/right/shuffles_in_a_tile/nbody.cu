// Each lane of a warp reads one body of the tile, and the warp hands it round by shuffles.
#include "nbody.h"

#define TILE 256
#define FULL 0xffffffffu

__global__ void shuffled(const float4 *body, float3 *acc, int n, float softening)
{
    __shared__ float4 tile[TILE];
    const int i = blockIdx.x * TILE + threadIdx.x, lane = threadIdx.x % 32;
    const float4 none = make_float4(0, 0, 0, 0);
    const float4 own = i < n ? body[i] : none;
    float sx = 0, sy = 0, sz = 0;
    for (int first = 0; first < n; first += TILE) {
        tile[threadIdx.x] = first + threadIdx.x < n ? body[first + threadIdx.x] : none;
        __syncthreads();
        for (int part = 0; part < TILE; part += 32) {
            const float4 mine = tile[part + lane];
            for (int k = 0; k < 32; k++) {
                const float x = __shfl_sync(FULL, mine.x, k) - own.x;
                const float y = __shfl_sync(FULL, mine.y, k) - own.y;
                const float z = __shfl_sync(FULL, mine.z, k) - own.z;
                const float m = __shfl_sync(FULL, mine.w, k);
                const float r = sqrtf(x * x + y * y + z * z + softening * softening);
                const float f = m / (r * r * r);
                sx += f * x;
                sy += f * y;
                sz += f * z;
            }
        }
        __syncthreads();
    }
    if (i < n) {
        acc[i] = {sx, sy, sz};
    }
}

void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening)
{
    shuffled<<<(n - 1) / TILE + 1, TILE>>>(d_body, d_acc, n, softening);
    cudaDeviceSynchronize();
}
