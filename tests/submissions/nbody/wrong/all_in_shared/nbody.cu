#include "nbody.h"

// All bodies in shared memory at once: right as long as they fit.
__global__ void accelerate(const float4 *body, float3 *acc, int n, float softening)
{
    extern __shared__ float4 bodies[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        bodies[k] = body[k];
    }
    __syncthreads();
    if (i >= n) {
        return;
    }
    const float4 own = bodies[i];
    float3 sum = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < n; j++) {
        const float x = bodies[j].x - own.x, y = bodies[j].y - own.y, z = bodies[j].z - own.z;
        const float squared = x * x + y * y + z * z + softening * softening;
        const float pull = bodies[j].w / (squared * sqrtf(squared));
        sum.x += pull * x;
        sum.y += pull * y;
        sum.z += pull * z;
    }
    acc[i] = sum;
}

void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening)
{
    accelerate<<<(n + 127) / 128, 128, n * sizeof(float4)>>>(d_body, d_acc, n, softening);
}
