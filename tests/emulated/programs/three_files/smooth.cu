#include "filter.h"

#include <cuda_runtime.h>

static __constant__ float taps[3] = {1, 2, 1};

// The same name as the kernel of another file.
static __global__ void kernel(const float *in, float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i > 0 && i < count - 1) {
        out[i] = in[i - 1] * taps[0] + in[i] * taps[1] + in[i + 1] * taps[2];
    }
}

void smooth(const float *in, float *out, int count)
{
    kernel<<<(count + 63) / 64, 64>>>(in, out, count);
}
