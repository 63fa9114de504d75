/* A double and its two halves in a union. */
#include "../kernel_program.h"

#define THREADS 64

union cell {
    double number;
    int halves[2];
};

__global__ void split(const int *in, double *out)
{
    __shared__ union cell cells[THREADS / 2];
    const int tx = threadIdx.x;
    if (tx < 32) {
        cells[tx].number = in[tx]; // error: R01 write
    } else {
        cells[tx - 32].halves[1] = 0x40000000; // error: R01 write
    }
    __syncthreads();
    if (tx < 32) {
        out[tx] = cells[tx].number;
    }
}

int main()
{
    int *in = new_input<int>(THREADS);
    double *out = new_output<double>(THREADS / 2);
    split<<<1, THREADS>>>(in, out);
    print_result("union_halves", out, THREADS / 2);
    return 0;
}
