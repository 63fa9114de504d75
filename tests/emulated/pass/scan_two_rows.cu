/* Scan between two rows: one barrier a round. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void scan(const float *in, float *out)
{
    __shared__ float rows[2][THREADS];
    const int tx = threadIdx.x;
    int from = 0;
    rows[from][tx] = in[blockIdx.x * THREADS + tx];
    __syncthreads();
    for (int offset = 1; offset < THREADS; offset *= 2) {
        const int to = 1 - from;
        rows[to][tx] = rows[from][tx] + (tx >= offset ? rows[from][tx - offset] : 0.0f);
        __syncthreads();
        from = to;
    }
    out[blockIdx.x * THREADS + tx] = rows[from][tx];
}

int main()
{
    const int blocks = 4;
    float *in = new_input<float>(blocks * THREADS);
    float *out = new_output<float>(blocks * THREADS);
    scan<<<blocks, THREADS>>>(in, out);
    print_result("scan_two_rows", out, blocks * THREADS);
    return 0;
}
