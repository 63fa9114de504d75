#include "nbody.h"

__global__ void attractAll(const float4 *body, float3 *acc, int n, float softening)
{
    for (int i = 0; i < n; i++) {
        float3 sum = make_float3(0, 0, 0);
        for (int j = 0; j < n; j++) {
            const float x = body[j].x - body[i].x, y = body[j].y - body[i].y;
            const float z = body[j].z - body[i].z;
            const float square = x * x + y * y + z * z + softening * softening;
            const float scale = body[j].w / (square * sqrtf(square));
            sum.x += scale * x;
            sum.y += scale * y;
            sum.z += scale * z;
        }
        acc[i] = sum;
    }
}

void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening)
{
    attractAll<<<1, 1>>>(d_body, d_acc, n, softening);
}
