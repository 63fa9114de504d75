/* A template for any type, without the barrier of its rounds. */
#include "../kernel_program.h"

#define THREADS 64

template <typename T> __global__ void reduce(const T *in, T *out)
{
    __shared__ T partial[THREADS];
    const int tx = threadIdx.x;
    partial[tx] = in[tx];
    for (int stride = THREADS / 2; stride >= 32; stride /= 2) {
        __syncthreads();
        if (tx < stride) {
            partial[tx] += partial[tx + stride]; // error: R01 write
        }
    }
    out[tx] = partial[(tx + 32) % THREADS]; // error: R01 read
}

int main()
{
    double *doubles = new_input<double>(THREADS);
    double *double_out = new_output<double>(THREADS);
    reduce<<<1, THREADS>>>(doubles, double_out);
    print_result("reduction_template, double", double_out, THREADS);
    short *shorts = new_input<short>(THREADS);
    short *short_out = new_output<short>(THREADS);
    reduce<<<1, THREADS>>>(shorts, short_out);
    print_result("reduction_template, short", short_out, THREADS);
    return 0;
}
