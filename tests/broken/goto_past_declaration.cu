#include <cstdlib>

int main()
{
    float *d = nullptr;
    if (cudaMalloc(&d, 64) != cudaSuccess)
        goto end;
    int blocks = 4;
    cudaMemset(d, 0, 16 * blocks);
end:
    cudaFree(d);
    return 0;
}
