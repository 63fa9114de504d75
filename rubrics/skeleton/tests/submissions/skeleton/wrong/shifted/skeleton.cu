/* Wrong: every result is one place too far. */
#include "skeleton.h"

__global__ void skeleton_kernel(const float *x, float *result, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n) {
        result[i + 1] = 2.0f * x[i];
    }
}

void launch_skeleton(const float *d_x, float *d_result, int n)
{
    skeleton_kernel<<<(n + 255) / 256, 256>>>(d_x, d_result, n);
}
