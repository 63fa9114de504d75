/* naive.cu: the version that the exercise should beat. Each thread reads all bodies from global
 * memory, and keeps its sum there too: for each pair of bodies, it loads and stores the sum.
 */
#include "nbody.h"

enum { NAIVE_BLOCK = 128 };

__global__ void naiveAccelerate(const float4 *body, float3 *acc, int n, float softening)
{
    const int i = blockIdx.x * NAIVE_BLOCK + threadIdx.x;
    if (i >= n) {
        return;
    }
    acc[i] = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < n; j++) {
        const float x = body[j].x - body[i].x;
        const float y = body[j].y - body[i].y;
        const float z = body[j].z - body[i].z;
        const float square = x * x + y * y + z * z + softening * softening;
        const float scale = body[j].w / (square * sqrtf(square));
        acc[i].x += scale * x;
        acc[i].y += scale * y;
        acc[i].z += scale * z;
    }
}

void naiveAccelerations(const float4 *d_body, float3 *d_acc, int n, float softening)
{
    const int blocks = (n + NAIVE_BLOCK - 1) / NAIVE_BLOCK;
    naiveAccelerate<<<blocks, NAIVE_BLOCK>>>(d_body, d_acc, n, softening);
}
