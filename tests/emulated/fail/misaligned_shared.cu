/* Bytes and doubles in one dynamic array, cut without regard to alignment. */
#include "../kernel_program.h"

#define THREADS 32

__global__ void cut(const double *in, double *out)
{
    extern __shared__ double memory[];
    unsigned char *bytes = (unsigned char *)memory;
    double *doubles = (double *)(bytes + THREADS + 4);
    const int tx = threadIdx.x;
    bytes[tx] = (unsigned char)tx;
    doubles[tx] = in[tx]; // error: A01 write
    __syncthreads();
    out[tx] = bytes[tx] + 1.0;
}

int main()
{
    double *in = new_input<double>(THREADS);
    double *out = new_output<double>(THREADS);
    cut<<<1, THREADS, THREADS * 9 + 8>>>(in, out);
    print_result("misaligned_shared", out, THREADS);
    return 0;
}
