// At most 8 blocks, which go on to other bodies until all have been handled. Blocks are square.
#include "nbody.h"

const int SIDE = 16;
const int TILE = SIDE * SIDE;

__global__ void nbodyKernel(const float4 *body, float3 *acc, int n, float softening)
{
    __shared__ float x[TILE], y[TILE], z[TILE], m[TILE];
    const int t = threadIdx.y * SIDE + threadIdx.x;

    // The condition is the same for the whole block.
    for (int start = blockIdx.x * TILE; start < n; start += gridDim.x * TILE) {
        const int i = start + t;
        const float4 own = body[i < n ? i : 0];
        float ax = 0.f, ay = 0.f, az = 0.f;
        for (int tile = 0; tile < (n + TILE - 1) / TILE; tile++) {
            const int j = tile * TILE + t;
            x[t] = j < n ? body[j].x : 0.f;
            y[t] = j < n ? body[j].y : 0.f;
            z[t] = j < n ? body[j].z : 0.f;
            m[t] = j < n ? body[j].w : 0.f;
            __syncthreads();
            for (int k = 0; k < TILE; k++) {
                const float dx = x[k] - own.x, dy = y[k] - own.y, dz = z[k] - own.z;
                const float q = dx * dx + dy * dy + dz * dz + softening * softening;
                const float f = m[k] / (q * sqrtf(q));
                ax += dx * f;
                ay += dy * f;
                az += dz * f;
            }
            __syncthreads();
        }
        if (i < n) {
            acc[i].x = ax;
            acc[i].y = ay;
            acc[i].z = az;
        }
    }
}

void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening)
{
    int blocks = (n + TILE - 1) / TILE;
    if (blocks > 8)
        blocks = 8;
    nbodyKernel<<<blocks, dim3(SIDE, SIDE)>>>(d_body, d_acc, n, softening);
}
