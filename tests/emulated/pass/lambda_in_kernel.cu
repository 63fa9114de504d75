/* A lambda that captures a tile, and one that is handed to a template. */
#include "../kernel_program.h"

#define THREADS 64

template <typename Function> __device__ int fold(int count, Function value)
{
    int sum = 0;
    for (int i = 0; i < count; i++) {
        sum = sum * 3 + value(i);
    }
    return sum;
}

__global__ void apply(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    auto store = [&](int value) { tile[tx] = value; };
    store(in[tx]);
    __syncthreads();
    out[tx] = fold(4, [&](int i) { return tile[(tx + 16 * i) % THREADS]; });
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    apply<<<1, THREADS>>>(in, out);
    print_result("lambda_in_kernel", out, THREADS);
    return 0;
}
