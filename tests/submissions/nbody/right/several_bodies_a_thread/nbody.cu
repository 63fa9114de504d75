// Each thread computes PER bodies, a template parameter, so each body of a tile is used PER times.
#include "nbody.h"

template <int THREADS, int PER>
__global__ void pull(const float4 *body, float3 *acc, int n, float soft2)
{
    __shared__ float4 tile[THREADS];
    float4 own[PER];
    float3 sum[PER];
    const int base = blockIdx.x * THREADS * PER + threadIdx.x;

#pragma unroll
    for (int p = 0; p < PER; p++) {
        const int i = base + p * THREADS;
        own[p] = i < n ? body[i] : make_float4(0, 0, 0, 0);
        sum[p] = make_float3(0, 0, 0);
    }
    for (int first = 0; first < n; first += THREADS) {
        const int j = first + threadIdx.x;
        tile[threadIdx.x] = j < n ? body[j] : make_float4(0, 0, 0, 0);
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < THREADS; k++) {
            const float4 other = tile[k];
#pragma unroll
            for (int p = 0; p < PER; p++) {
                const float dx = other.x - own[p].x;
                const float dy = other.y - own[p].y;
                const float dz = other.z - own[p].z;
                const float inv = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, soft2))));
                const float s = other.w * (inv * inv * inv);
                sum[p].x = fmaf(s, dx, sum[p].x);
                sum[p].y = fmaf(s, dy, sum[p].y);
                sum[p].z = fmaf(s, dz, sum[p].z);
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int p = 0; p < PER; p++) {
        const int i = base + p * THREADS;
        if (i < n) {
            acc[i] = sum[p];
        }
    }
}

void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening)
{
    constexpr int threads = 64, per = 4;
    const int blocks = (n + threads * per - 1) / (threads * per);
    pull<threads, per><<<blocks, threads>>>(d_body, d_acc, n, softening * softening);
}
