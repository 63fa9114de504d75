/* Adjacent bytes of one word written and read by different threads without a barrier: no race. */
#include "../kernel_program.h"

#define THREADS 96

__global__ void scramble(const unsigned char *in, unsigned char *out)
{
    __shared__ unsigned char bytes[THREADS];
    const int tx = threadIdx.x;
    volatile unsigned char *own = &bytes[tx];
    *own = in[tx];
    for (int round = 0; round < 5; round++) {
        *own = (unsigned char)(*own * 5 + round);
    }
    __syncthreads();
    out[tx] = bytes[THREADS - 1 - tx];
}

int main()
{
    unsigned char *in = new_input<unsigned char>(THREADS);
    unsigned char *out = new_output<unsigned char>(THREADS);
    scramble<<<1, THREADS>>>(in, out);
    print_result("bytes_adjacent", out, THREADS);
    return 0;
}
