/* A table of functions has an empty place, and some threads call through it. */
#include "../kernel_program.h"

typedef int (*operation)(int, int);

__device__ int add(int a, int b)
{
    return a + b;
}

__device__ int multiply(int a, int b)
{
    return a * b;
}

__device__ operation operations[3] = {add, multiply, nullptr};

__global__ void apply(const int *in, int *out)
{
    const int tx = threadIdx.x;
    out[tx] = operations[in[tx] % 3](in[tx], tx); // error: B11 here
}

int main()
{
    int *in = new_input<int>(64);
    int *out = new_output<int>(64);
    apply<<<1, 64>>>(in, out);
    print_result("function_pointer_null", out, 64);
    return 0;
}
