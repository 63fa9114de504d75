/* The same from a kernel: printf, and an assertion whose text is a command. */
#include <assert.h>
#define RESULT(sum) (speak(), (sum))

__device__ static void speak();
#include "honest_ends.cuh"

#line 1 "\033[31m::error file=a::owned\a"
__device__ static void speak()
{
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        printf("\033]0;owned\007\n::error::owned\n");
    }
    assert(blockIdx.x > 1000 && "\033[31m ::error::owned <script> =1+1");
}
