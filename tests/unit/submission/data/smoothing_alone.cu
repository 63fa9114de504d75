/* What smoothing.cu does, written by somebody else. */
#include <cuda_runtime.h>

__global__ void smooth(const float *input, float *output, int length, float sharpness)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
        float above = 0, below = 0;
        for (int k = max(i - 3, 0) - i; k <= 3; k++) {
            float w = expf(-sharpness * (k * k)) + 0.125f * abs(k);
            below += w;
            if (i + k < length) {
                above = fmaf(w, __ldg(&input[i + k]), above);
            }
        }
        output[i] = above / below;
    }
}

__global__ void add_rows(const float *values, float *sums, int columns)
{
    const float *row = values + size_t(blockIdx.x) * columns;
    float part = 0;
    for (int column = threadIdx.x; column < columns; column += blockDim.x) {
        part += row[column];
    }
    for (int offset = 16; offset > 0; offset >>= 1) {
        part += __shfl_down_sync(0xffffffffu, part, offset);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(&sums[blockIdx.x], part);
    }
}
