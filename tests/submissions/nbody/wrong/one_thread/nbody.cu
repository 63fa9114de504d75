// One thread does everything.
#include "nbody.h"

__global__ void accelerate(const float4 *body, float3 *acc, int n, float softening)
{
    for (int i = 0; i < n; i++) {
        float4 own = body[i];
        float3 sum = make_float3(0, 0, 0);
        for (int j = 0; j < n; j++) {
            float4 other = body[j];
            float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
            float square = x * x + y * y + z * z + softening * softening;
            float scale = other.w / (square * sqrtf(square));
            sum.x += scale * x;
            sum.y += scale * y;
            sum.z += scale * z;
        }
        acc[i] = sum;
    }
}

void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening)
{
    accelerate<<<1, 1>>>(d_body, d_acc, n, softening);
}
