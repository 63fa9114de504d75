/* Tiles of 64 bodies, in dynamic shared memory; double, and rsqrt. */
#include "nbody.h"

enum { TILE = 64 };

__global__ void attract(const float4 *body, float3 *acc, int n, float softening)
{
    extern __shared__ float4 tile[];
    const int i = blockIdx.x * TILE + threadIdx.x;
    const float4 own = body[min(i, n - 1)];
    double sum[3] = {0.0, 0.0, 0.0};
    for (int first = 0; first < n; first += TILE) {
        if (first + threadIdx.x < n) {
            tile[threadIdx.x] = body[first + threadIdx.x];
        }
        __syncthreads();
        for (int k = 0; k < TILE && first + k < n; k++) {
            const double x = tile[k].x - own.x, y = tile[k].y - own.y, z = tile[k].z - own.z;
            const double over = rsqrt(x * x + y * y + z * z + (double)softening * softening);
            const double scale = tile[k].w * over * over * over;
            sum[0] += scale * x;
            sum[1] += scale * y;
            sum[2] += scale * z;
        }
        __syncthreads();
    }
    if (i < n) {
        acc[i] = make_float3((float)sum[0], (float)sum[1], (float)sum[2]);
    }
}

void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening)
{
    attract<<<(n + TILE - 1) / TILE, TILE, TILE * sizeof(float4)>>>(d_body, d_acc, n, softening);
}
