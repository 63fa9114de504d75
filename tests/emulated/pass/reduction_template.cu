/* One template for several types and operators. */
#include "../kernel_program.h"

#define THREADS 64

struct add {
    template <typename T> __device__ T operator()(T a, T b) const { return a + b; }
};

struct smaller {
    template <typename T> __device__ T operator()(T a, T b) const { return a < b ? a : b; }
};

template <typename T, typename Operator>
__global__ void reduce(const T *in, T *out, Operator combine)
{
    __shared__ T partial[THREADS];
    const int tx = threadIdx.x;
    partial[tx] = in[blockIdx.x * THREADS + tx];
    __syncthreads();
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        if (tx < stride) {
            partial[tx] = combine(partial[tx], partial[tx + stride]);
        }
        __syncthreads();
    }
    if (tx == 0) {
        out[blockIdx.x] = partial[0];
    }
}

int main()
{
    const int blocks = 4;
    double *doubles = new_input<double>(blocks * THREADS);
    double *double_out = new_output<double>(blocks);
    reduce<<<blocks, THREADS>>>(doubles, double_out, add());
    print_result("reduction_template, double", double_out, blocks);
    long long *longs = new_input<long long>(blocks * THREADS);
    long long *long_out = new_output<long long>(blocks);
    reduce<<<blocks, THREADS>>>(longs, long_out, smaller());
    print_result("reduction_template, long long", long_out, blocks);
    return 0;
}
