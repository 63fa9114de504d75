#include <cstdio>
#include <cassert>
__global__ void good(int *p, int n) { assert(n > 0 && "n must be positive"); assert(p != nullptr); p[threadIdx.x] = n; }
__global__ void bad(int *p, int n) { assert(n < 0); p[threadIdx.x] = n; }
int main() {
    int *d, h[4] = {0};
    cudaMalloc(&d, sizeof(h));
    good<<<1, 4>>>(d, 9);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    assert(h[3] == 9);
    printf("%d\n", h[3]);
    bad<<<1, 1>>>(d, 9);
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) { printf("%s\n", cudaGetErrorName(e)); return 3; }
    return 0;
}
/* exit status 1, findings: device_assert
9
cudaErrorAssert
*/
