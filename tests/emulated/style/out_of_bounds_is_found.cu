#include <cstdio>
#include <cstdlib>
__global__ void vec_add(float *a, float *b, float *c, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; /* if (i < n) */ c[i] = a[i] + b[i]; (void)n; }
int main() {
    const int n = 1000; size_t size = n * sizeof(float); float *a, *b, *c;
    float *h = (float *)calloc(n, sizeof(float));
    cudaMalloc(&a, size); cudaMalloc(&b, size); cudaMalloc(&c, size);
    cudaMemcpy(a, h, size, cudaMemcpyHostToDevice); cudaMemcpy(b, h, size, cudaMemcpyHostToDevice);
    vec_add<<<(n + 255) / 256, 256>>>(a, b, c, n);
    if (cudaDeviceSynchronize() != cudaSuccess) { printf("failed\n"); return 1; }
    free(h); cudaFree(a); cudaFree(b); cudaFree(c);
}
/* exit status 1, findings: global_out_of_bounds
failed
*/
