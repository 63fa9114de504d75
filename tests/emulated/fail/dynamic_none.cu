/* The launch forgets the dynamic bytes. */
#include "../kernel_program.h"

#define THREADS 32

__global__ void copy(const double *in, double *out)
{
    extern __shared__ double values[];
    const int tx = threadIdx.x;
    values[tx] = in[tx]; // error: B02 write
    __syncthreads();
    out[tx] = values[THREADS - 1 - tx]; // error: B02 read
}

int main()
{
    double *in = new_input<double>(THREADS);
    double *out = new_output<double>(THREADS);
    copy<<<1, THREADS>>>(in, out);
    print_result("dynamic_none", out, THREADS);
    return 0;
}
