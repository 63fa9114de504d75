#include <iostream>

__global__ void hello()
{
    std::cout << "hello from " << threadIdx.x << std::endl;
}
