/* Three bytes of each word are written, four are read. */
#include "../kernel_program.h"

#define THREADS 32

__global__ void pack(const int *in, unsigned *out)
{
    __shared__ unsigned words[THREADS];
    const int tx = threadIdx.x;
    unsigned char *bytes = (unsigned char *)&words[tx];
    for (int i = 0; i < 3; i++) {
        *(volatile unsigned char *)&bytes[i] = (unsigned char)(in[tx] + i);
    }
    __syncthreads();
    out[tx] = words[THREADS - 1 - tx] & 0x00ffffffu; // error: N01 read
}

int main()
{
    int *in = new_input<int>(THREADS);
    unsigned *out = new_output<unsigned>(THREADS);
    pack<<<1, THREADS>>>(in, out);
    print_result("uninitialised_bytes", out, THREADS);
    return 0;
}
