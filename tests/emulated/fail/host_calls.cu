/* Calls of host code that fail: in a macro, in a template, in a function of a function, and a launch
 * that nobody checks. Each has its own line, after 400 other places that make calls. */
#include "../kernel_program.h"

__global__ void fill(int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

#define FIVE(call) call call call call call
#define EIGHT(call) call call call call call call call call
#define TEN(call) FIVE(call) FIVE(call)

template <typename T> static void release(T *pointer)
{
    cudaFree(pointer); // error: E01 call
}

static void clear(int *from)
{
    cudaMemset(from, 0, 4000); // error: E01 call
}

int main()
{
    int *out = nullptr;
    float *none = nullptr;
    CHECK(cudaMalloc(&out, 400));
    cudaMalloc(&none, 0);
    EIGHT(TEN(CHECK(cudaMemset(out, 0, 4));)) EIGHT(TEN(CHECK(cudaMemset(out, 0, 4));))
    EIGHT(TEN(CHECK(cudaMemset(out, 0, 4));)) EIGHT(TEN(CHECK(cudaMemset(out, 0, 4));))
    EIGHT(TEN(CHECK(cudaMemset(out, 0, 4));))
    clear(out);
    release(out + 1);
    fill<<<1, 2000>>>(out); // error: E01 launch
    cudaMemcpy(out, // error: E01 call
               none, 4, cudaMemcpyDeviceToDevice);
    cudaFree(out);
    return 0;
}
