// print_and_assert.cu: debugging by printf in a kernel; with -DWRONG an assertion fails.
#include "check.h"

#include <cassert>

#ifdef WRONG
const int most = 2;
#else
const int most = 3;
#endif

__global__ void hello(int count)
{
    assert(threadIdx.x < most); // guilty: crash
    printf("thread %d of %d: %5.2f %s\n", threadIdx.x, count, threadIdx.x * 1.5, "text");
}

int main()
{
    hello<<<1, 3>>>(3);
    int wrong = cudaDeviceSynchronize() != cudaSuccess;
    return conclude("print_and_assert", wrong);
}
