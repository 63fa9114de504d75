#include <stdio.h>
#include <cuda_fp16.h>
__global__ void haxpy(int n, half a, const half *x, half *y) {
    int i = threadIdx.x;
    if (i < n) y[i] = __hadd(__hmul(a, x[i]), y[i]);
}
__global__ void convert(const float *in, __half *out, half2 *pairs, float *f) {
    int i = threadIdx.x;
    out[i] = __float2half(in[i]); __syncthreads();
    if (i < 2) pairs[i] = __halves2half2(out[2 * i], out[2 * i + 1]);
    half2 p = __floats2half2_rn(in[0], in[1]); p = __hadd2(p, p);
    if (i == 0) { f[0] = __half2float(out[3]) + __low2float(p); f[1] = __high2float(__hmul2(p, p)); f[2] = (float)(out[1] + out[2] * __float2half(2.0f)); f[3] = __hgt(out[2], out[1]) ? 1.0f : 0.0f; }
}
int main() {
    float h[4] = {1, 2, 3, 4.5f}, *in, *f; half *x, *y; half2 *p; half g[4];
    cudaMalloc(&in, 16); cudaMalloc(&f, 16); cudaMalloc(&x, 8); cudaMalloc(&y, 8); cudaMalloc(&p, 8);
    cudaMemcpy(in, h, 16, cudaMemcpyHostToDevice);
    convert<<<1, 4>>>(in, x, p, f); cudaMemcpy(h, f, 16, cudaMemcpyDeviceToHost);
    cudaMemcpy(y, x, 8, cudaMemcpyDeviceToDevice);
    haxpy<<<1, 4>>>(4, __float2half(0.5f), x, y); cudaMemcpy(g, y, 8, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4; i++) printf("%g %g\n", h[i], __half2float(g[i]));
}
/* exit status 0, findings: none
6.5 1.5
16 3
8 4.5
1 6.75
*/
