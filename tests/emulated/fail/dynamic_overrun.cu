/* The launch asks for fewer bytes than the kernel uses. */
#include "../kernel_program.h"

#define THREADS 64

__global__ void reverse(const int *in, int *out)
{
    extern __shared__ int tile[];
    const int tx = threadIdx.x;
    tile[tx] = in[tx]; // error: B02 write
    __syncthreads();
    out[tx] = tile[THREADS - 1 - tx]; // error: B02 read
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    reverse<<<1, THREADS, (THREADS - 1) * sizeof(int)>>>(in, out);
    print_result("dynamic_overrun", out, THREADS);
    return 0;
}
