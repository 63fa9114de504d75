// Without tiles: each thread reads all bodies from global memory.
#include "nbody.h"

__global__ void accelerate(const float4 *body, float3 *acc, int n, float softening)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 own = body[i];
    float3 sum = make_float3(0, 0, 0);
    for (int j = 0; j < n; j++) {
        float4 other = body[j];
        float x = other.x - own.x;
        float y = other.y - own.y;
        float z = other.z - own.z;
        float square = x * x + y * y + z * z + softening * softening;
        float scale = other.w / (square * sqrtf(square));
        sum.x += scale * x;
        sum.y += scale * y;
        sum.z += scale * z;
    }
    acc[i] = sum;
}

void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening)
{
    accelerate<<<(n + 255) / 256, 256>>>(d_body, d_acc, n, softening);
}
