/* Coefficients in constant memory, rows in shared memory, a signed window. */
#include "../kernel_program.h"

#define THREADS 64
#define TAPS 5

__constant__ float coefficients[TAPS];

__global__ void filter(const float *in, float *out)
{
    __shared__ float row[THREADS + TAPS - 1];
    const int tx = threadIdx.x;
    const float *first = in + blockIdx.x * THREADS;
    for (int i = tx; i < THREADS + TAPS - 1; i += THREADS) {
        row[i] = first[i];
    }
    __syncthreads();
    float sum = 0.0f;
    for (int i = 0; i < TAPS; i++) {
        sum += coefficients[i] * row[tx + i];
    }
    out[blockIdx.x * THREADS + tx] = sum;
}

int main()
{
    const float taps[TAPS] = {0.1f, -0.2f, 0.75f, -0.2f, 0.1f};
    const int blocks = 3;
    float *in = new_input<float>(blocks * THREADS + TAPS - 1);
    float *out = new_output<float>(blocks * THREADS);
    CHECK(cudaMemcpyToSymbol(coefficients, taps, sizeof taps));
    filter<<<blocks, THREADS>>>(in, out);
    print_result("constant_filter", out, blocks * THREADS);
    return 0;
}
