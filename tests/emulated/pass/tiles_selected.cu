/* tiles_selected.cu: pointers to one of several shared arrays, used within their bounds: selected by
 * a condition, by thread, and swapped each round; loop unrolled or not.
 */
#include "../kernel_program.h"

__global__ void tiles_selected(const int *in, int *out, int rounds)
{
    __shared__ int a[64];
    __shared__ int b[64];
    __shared__ int c[128];
    int *from = a, *to = b;
    int t = threadIdx.x;
    a[t] = in[t];
    b[t] = in[t + 64];
    c[t] = t;
    c[t + 64] = -t;
    __syncthreads();
    int sum = (rounds > 3 ? c + 64 : b)[63 - t];
    sum += (t % 2 == 0 ? a : c)[t];
    __syncthreads();
    for (int i = 0; i < rounds; i++) {
        to[t] = from[(t + i) % 64] + 1;
        __syncthreads();
        int *last = from;
        from = to;
        to = last;
    }
#pragma unroll 1
    for (int i = 0; i < rounds; i++) {
        int *last = from;
        to[63 - t] = from[t] ^ i;
        __syncthreads();
        from = to;
        to = last;
    }
    out[blockIdx.x * 64 + t] = from[t] + sum;
}

int main()
{
    int *in = new_input<int>(128);
    int *out = new_output<int>(256);
    tiles_selected<<<4, 64>>>(in, out, 7);
    print_result("tiles_selected", out, 256);
    return 0;
}
