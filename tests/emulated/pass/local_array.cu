/* An array of each thread with an index that is known only at run time: local memory. */
#include "../kernel_program.h"

#define THREADS 64
#define DEPTH 12

__global__ void permute(const int *in, int *out)
{
    int own[DEPTH];
    const int tx = threadIdx.x;
    for (int i = 0; i < DEPTH; i++) {
        own[i] = in[tx * DEPTH + i];
    }
    for (int i = 0; i < DEPTH; i++) {
        const int other = own[i] % DEPTH;
        const int value = own[other];
        own[other] = own[i] + i;
        own[i] = value;
    }
    int sum = 0;
    for (int i = 0; i < DEPTH; i++) {
        sum = sum * 7 + own[i];
    }
    out[tx] = sum;
}

int main()
{
    int *in = new_input<int>(THREADS * DEPTH);
    int *out = new_output<int>(THREADS);
    permute<<<1, THREADS>>>(in, out);
    print_result("local_array", out, THREADS);
    return 0;
}
