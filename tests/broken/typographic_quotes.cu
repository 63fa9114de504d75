#include <cstdio>

__global__ void hello()
{
    printf(“hello from %d\n”, threadIdx.x);
}
