/* Two threads of different warps update the two halves of each word. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void halves(const int *in, int *out)
{
    __shared__ int words[THREADS / 2];
    const int tx = threadIdx.x;
    short *part = (short *)words + (tx % 32) * 2 + tx / 32;
    *(volatile short *)part = (short)(in[tx] - 100);
    *(volatile short *)part = (short)(*(volatile short *)part * 3);
    __syncthreads();
    if (tx < THREADS / 2) {
        out[tx] = words[tx];
    }
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS / 2);
    halves<<<1, THREADS>>>(in, out);
    print_result("shorts_adjacent", out, THREADS / 2);
    return 0;
}
