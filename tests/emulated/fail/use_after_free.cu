/* The input is freed before the kernel runs. */
#include "../kernel_program.h"

__global__ void copy(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x]; // error: B05 read
}

int main()
{
    int *in = new_input<int>(32);
    int *out = new_output<int>(32);
    CHECK(cudaFree(in)); // error: B05 freed
    copy<<<1, 32>>>(in, out);
    print_result("use_after_free", out, 32);
    return 0;
}
