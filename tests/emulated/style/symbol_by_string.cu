#include <stdio.h>
__constant__ float coef[4];
__device__ int result;
__global__ void use() { result = (int)(coef[0] + coef[3]); }
int main()
{
    float h[4] = {1, 2, 3, 4}; int r = -1;
    cudaError_t e = cudaMemcpyToSymbol("coef", h, sizeof(h));
    printf("%s\n", cudaGetErrorString(e));
    cudaMemcpyToSymbol(coef, h, sizeof(h), 0);
    use<<<1, 1>>>();
    cudaMemcpyFromSymbol(&r, result, sizeof(r));
    printf("%d\n", r);
    return 0;
}

/* exit status 1, findings: api_error
invalid device symbol
5
*/
