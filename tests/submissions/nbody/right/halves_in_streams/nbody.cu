// Two buffers, so one barrier a tile is enough. Each half of the bodies is in a stream of its own.
#include "nbody.h"

enum { TILE = 96 };

__device__ void add(float3 &sum, const float4 &own, const float4 &other, float soft2)
{
    float3 r;
    r.x = other.x - own.x;
    r.y = other.y - own.y;
    r.z = other.z - own.z;
    const float over = rsqrtf(r.x * r.x + r.y * r.y + r.z * r.z + soft2);
    const float scale = other.w * over * over * over;
    sum.x += scale * r.x;
    sum.y += scale * r.y;
    sum.z += scale * r.z;
}

__global__ void half(const float4 *body, float3 *acc, int n, int from, int to, float soft2)
{
    __shared__ float4 tile[2][TILE];
    const int i = from + blockIdx.x * TILE + threadIdx.x;
    const float4 own = i < to ? body[i] : float4();
    float3 sum = float3();
    int now = 0;
    for (int first = 0; first < n; first += TILE, now = 1 - now) {
        if (first + threadIdx.x < n) {
            tile[now][threadIdx.x] = body[first + threadIdx.x];
        }
        /* The other buffer is written only after this barrier's next round. */
        __syncthreads();
        for (int k = 0; k < TILE && first + k < n; k++) {
            add(sum, own, tile[now][k], soft2);
        }
    }
    if (i < to) {
        acc[i] = sum;
    }
}

void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening)
{
    const int middle = n / 2;
    for (int part = 0; part < 2; part++) {
        const int from = part == 0 ? 0 : middle, to = part == 0 ? middle : n;
        if (from == to) {
            continue;
        }
        cudaStream_t stream;
        cudaStreamCreate(&stream);
        half<<<(to - from + TILE - 1) / TILE, TILE, 0, stream>>>(d_body, d_acc, n, from, to,
                                                                 softening * softening);
        cudaStreamDestroy(stream);
    }
}
