/* A lambda stores, another reads, and nothing lies between. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void reverse(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    const int tx = threadIdx.x;
    auto store = [&](int value) {
        tile[tx] = value; // error: R01 write
    };
    auto read = [&]() {
        return tile[THREADS - 1 - tx]; // error: R01 read
    };
    store(in[tx]);
    out[tx] = read();
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    reverse<<<1, THREADS>>>(in, out);
    print_result("lambda_in_kernel", out, THREADS);
    return 0;
}
