/* Unaligned pairs of bytes: each thread writes its byte and its neighbour's. */
#include "../kernel_program.h"

#define THREADS 32

__global__ void pairs(const int *in, unsigned char *out)
{
    __shared__ unsigned char bytes[THREADS + 1];
    const int tx = threadIdx.x;
    bytes[tx] = (unsigned char)in[tx]; // error: R02 write
    bytes[tx + 1] = (unsigned char)(in[tx] + 1); // error: R02 write
    __syncthreads();
    out[tx] = bytes[tx + 1];
}

int main()
{
    int *in = new_input<int>(THREADS);
    unsigned char *out = new_output<unsigned char>(THREADS);
    pairs<<<1, THREADS>>>(in, out);
    print_result("bytes_overlap", out, THREADS);
    return 0;
}
