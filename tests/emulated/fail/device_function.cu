/* The race lies between two device functions: both places are named where they stand. */
#include "../kernel_program.h"

#define THREADS 64

__device__ void fill(int *tile, const int *in)
{
    tile[threadIdx.x] = in[threadIdx.x]; // error: R01 write
}

__device__ __noinline__ int mirror(const int *tile)
{
    return tile[THREADS - 1 - threadIdx.x]; // error: R01 read
}

__global__ void reverse(const int *in, int *out)
{
    __shared__ int tile[THREADS];
    fill(tile, in);
    out[threadIdx.x] = mirror(tile);
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    reverse<<<1, THREADS>>>(in, out);
    print_result("device_function", out, THREADS);
    return 0;
}
