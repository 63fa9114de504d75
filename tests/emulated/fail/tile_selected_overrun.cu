/* tile_selected_overrun.cu: overruns of arrays that a condition, a thread's number or a swap selects;
 * the bytes behind them belong to the next array.
 */
#include "../kernel_program.h"

__global__ void tile_selected_overrun(const float *in, float *out, int second, int rounds)
{
    __shared__ float a[64];
    __shared__ float b[64];
    __shared__ float c[65];
    int t = threadIdx.x;
    a[t] = in[t];
    b[t] = in[t + 64];
    c[t] = 0.0f;
    __syncthreads();
    float sum = (second ? b : a)[t + 1]; // error: B02 read
    float *row = a;
    if (t % 2 == 1) {
        row = b;
    }
    sum += row[t - (t == 0)]; // error: B02 read
    float *from = a, *to = b;
    __syncthreads();
    for (int i = 0; i < rounds; i++) {
        to[t] = from[t] + c[t];
        __syncthreads();
        float *last = from;
        from = to;
        to = last;
    }
    if (t == 0) {
        to[64] = from[63]; // error: B02 write
    }
    out[t] = from[t] + sum;
}

int main()
{
    float *in = new_input<float>(128);
    float *out = new_output<float>(64);
    tile_selected_overrun<<<1, 64>>>(in, out, 0, 5);
    return cudaDeviceSynchronize() == cudaSuccess;
}
