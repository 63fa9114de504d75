/* Host code reads device memory in a function that main() calls. exit: 139 */
#include "../kernel_program.h"

__global__ void fill(int *out)
{
    out[threadIdx.x] = 1;
}

static int first_of(const int *values)
{
    return values[0] + 1; // error: X01 here
}

int main()
{
    int *out = nullptr;
    CHECK(cudaMalloc(&out, 400));
    fill<<<1, 100>>>(out);
    printf("%d\n", first_of(out));
    return 0;
}
