// With cooperative groups, blocks of 256, and powf.
#include "nbody.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int kBlock = 256;

__global__ void __launch_bounds__(kBlock)
    gravity(const float4 *__restrict__ body, float3 *__restrict__ acc, int n, float softening)
{
    __shared__ float4 tile[kBlock];
    const cg::thread_block block = cg::this_thread_block();
    const int rank = block.thread_rank();
    const int i = block.group_index().x * kBlock + rank;
    float4 own = {};
    if (i < n) {
        own = body[i];
    }
    float3 a = {};
    for (int t = 0; t * kBlock < n; ++t) {
        if (t * kBlock + rank < n) {
            tile[rank] = body[t * kBlock + rank];
        }
        block.sync();
        const int used = n - t * kBlock < kBlock ? n - t * kBlock : kBlock;
        for (int k = 0; k < used; ++k) {
            const float4 other = tile[k];
            const float3 r = {other.x - own.x, other.y - own.y, other.z - own.z};
            const float d2 = r.x * r.x + r.y * r.y + r.z * r.z + softening * softening;
            const float s = other.w * powf(d2, -1.5f);
            a.x += s * r.x;
            a.y += s * r.y;
            a.z += s * r.z;
        }
        block.sync();
    }
    if (i < n) {
        acc[i] = a;
    }
}

void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening)
{
    gravity<<<(n + kBlock - 1) / kBlock, kBlock>>>(d_body, d_acc, n, softening);
}
