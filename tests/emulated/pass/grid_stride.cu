/* No shared memory: a grid-stride loop over a length that divides nothing. */
#include "../kernel_program.h"

__global__ void scale(const float *x, float *y, float factor, int count)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        y[i] = factor * x[i] + 0.1f / (x[i] + 1.0f);
    }
}

int main()
{
    const int count = 1237;
    float *x = new_input<float>(count);
    float *y = new_output<float>(count);
    scale<<<4, 100>>>(x, y, 1.7f, count);
    print_result("grid_stride", y, count);
    return 0;
}
