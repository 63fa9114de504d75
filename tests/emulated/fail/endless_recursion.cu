/* A recursion that never ends for some threads: the condition is missed. */
#include "../kernel_program.h"

__device__ int steps(int n, int *visited)
{
    if (n == 1) {
        return 0;
    }
    visited[n & 63] += 1;
    const int below = n % 2 == 0 ? n / 2 : n - 4;
    return 1 + steps(below, visited) * visited[n & 63]; // error: B10 here
}

__global__ void count_steps(const int *in, int *out)
{
    int visited[64] = {0};
    const int tx = threadIdx.x;
    out[tx] = steps(in[tx] % 2 == 0 ? 16 : 7, visited);
}

int main()
{
    int *in = new_input<int>(64);
    int *out = new_output<int>(64);
    count_steps<<<1, 64>>>(in, out);
    print_result("endless_recursion", out, 64);
    return 0;
}
