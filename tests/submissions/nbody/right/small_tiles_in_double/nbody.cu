// Tiles of 64 bodies in dynamic shared memory, sums in double.
#include "nbody.h"

#define THREADS 64

__global__ void forces(const float4 *bodies, float3 *result, int count, double eps2)
{
    extern __shared__ float4 cache[];
    int me = threadIdx.x + blockDim.x * blockIdx.x;
    float4 my = bodies[min(me, count - 1)];
    double ax = 0, ay = 0, az = 0;

    for (int start = 0; start < count; start += blockDim.x) {
        if (start + threadIdx.x < count)
            cache[threadIdx.x] = bodies[start + threadIdx.x];
        __syncthreads();
        int here = min((int)blockDim.x, count - start);
        for (int k = 0; k < here; k++) {
            double dx = cache[k].x - my.x;
            double dy = cache[k].y - my.y;
            double dz = cache[k].z - my.z;
            double d = sqrt(dx * dx + dy * dy + dz * dz + eps2);
            double s = cache[k].w / (d * d * d);
            ax += s * dx;
            ay += s * dy;
            az += s * dz;
        }
        __syncthreads();
    }
    if (me < count)
        result[me] = make_float3(ax, ay, az);
}

void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening)
{
    int blocks = (n + THREADS - 1) / THREADS;
    forces<<<blocks, THREADS, THREADS * sizeof(float4)>>>(d_body, d_acc, n,
                                                          (double)softening * softening);
}
