// Two kernels. Blocks in y share the bodies out among them, and leave partial sums in scratch.
#include "nbody.h"

namespace
{

constexpr int TILE = 128;
constexpr int PARTS = 4;

__global__ void partial(const float4 *body, float3 *sums, int n, float soft2)
{
    __shared__ float4 tile[TILE];
    const int i = blockIdx.x * TILE + threadIdx.x;
    const float4 own = body[min(i, n - 1)];
    float3 sum = make_float3(0, 0, 0);
    for (int first = blockIdx.y * TILE; first < n; first += PARTS * TILE) {
        const int used = min(TILE, n - first);
        if (threadIdx.x < used) {
            tile[threadIdx.x] = body[first + threadIdx.x];
        }
        __syncthreads();
        for (int k = 0; k < used; k++) {
            const float3 r = make_float3(tile[k].x - own.x, tile[k].y - own.y, tile[k].z - own.z);
            const float over = rsqrtf(r.x * r.x + r.y * r.y + r.z * r.z + soft2);
            const float s = tile[k].w * over * over * over;
            sum = make_float3(sum.x + s * r.x, sum.y + s * r.y, sum.z + s * r.z);
        }
        __syncthreads();
    }
    if (i < n) {
        sums[blockIdx.y * n + i] = sum;
    }
}

__global__ void finish(const float3 *sums, float3 *acc, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float3 sum = sums[i];
        for (int part = 1; part < PARTS; part++) {
            sum.x += sums[part * n + i].x;
            sum.y += sums[part * n + i].y;
            sum.z += sums[part * n + i].z;
        }
        acc[i] = sum;
    }
}

} // namespace

void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening)
{
    float3 *d_sums = nullptr;
    cudaMalloc(&d_sums, sizeof(float3) * PARTS * n);
    partial<<<dim3((n + TILE - 1) / TILE, PARTS), TILE>>>(d_body, d_sums, n, softening * softening);
    finish<<<(n + 255) / 256, 256>>>(d_sums, d_acc, n);
    cudaFree(d_sums);
}
