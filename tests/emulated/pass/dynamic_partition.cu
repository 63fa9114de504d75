/* One dynamic array cut by hand into doubles, ints and bytes. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void cut(const int *in, double *out)
{
    extern __shared__ double memory[];
    double *doubles = memory;
    int *ints = (int *)(doubles + THREADS);
    unsigned char *bytes = (unsigned char *)(ints + THREADS);
    const int tx = threadIdx.x;
    doubles[tx] = in[tx] * 0.25;
    ints[tx] = in[tx] * 3;
    bytes[tx] = (unsigned char)in[tx];
    __syncthreads();
    const int other = THREADS - 1 - tx;
    out[tx] = doubles[other] + ints[other] + bytes[other];
}

int main()
{
    int *in = new_input<int>(THREADS);
    double *out = new_output<double>(THREADS);
    cut<<<1, THREADS, THREADS * (sizeof(double) + sizeof(int) + 1)>>>(in, out);
    print_result("dynamic_partition", out, THREADS);
    return 0;
}
