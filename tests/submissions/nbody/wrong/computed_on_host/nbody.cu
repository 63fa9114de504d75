// Computes on the host.
#include "nbody.h"

#include <math.h>
#include <vector>

__global__ void store(const float3 *from, float3 *acc, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        acc[i] = from[i];
    }
}

void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening)
{
    std::vector<float4> body(n);
    std::vector<float3> acc(n);
    cudaMemcpy(body.data(), d_body, n * sizeof(float4), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        double sum[3] = {0, 0, 0};
        for (int j = 0; j < n; j++) {
            double x = body[j].x - body[i].x, y = body[j].y - body[i].y, z = body[j].z - body[i].z;
            double s = body[j].w / pow(x * x + y * y + z * z + softening * softening, 1.5);
            sum[0] += s * x;
            sum[1] += s * y;
            sum[2] += s * z;
        }
        acc[i] = make_float3(sum[0], sum[1], sum[2]);
    }
    float3 *d_from;
    cudaMalloc(&d_from, n * sizeof(float3));
    cudaMemcpy(d_from, acc.data(), n * sizeof(float3), cudaMemcpyHostToDevice);
    store<<<(n + 255) / 256, 256>>>(d_from, d_acc, n);
    cudaFree(d_from);
}
