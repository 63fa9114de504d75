#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <stdio.h>
__global__ void h2(const half2 *a, const half2 *b, half2 *c, int n)
{
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) c[i] = __hfma2(a[i], b[i], __float2half2_rn(1.0f));
}
__global__ void dot(const __half *x, const __half *y, float *out, int n)
{
    __half2 acc = __floats2half2_rn(0.f, 0.f);
    const __half2 *x2 = (const __half2 *)x, *y2 = reinterpret_cast<const __half2 *>(y);
    for (int i = 0; i < n / 2; i++) acc = __hadd2(acc, __hmul2(x2[i], y2[i]));
    out[0] = __low2float(acc) + __high2float(acc);
    half s = __low2half(acc) + __high2half(acc);
    out[1] = (float)s;
    half t = half(1.5f) * s - __float2half(2.f);
    out[2] = __half2float(__habs(-t));
    out[3] = __hgt(t, s) ? 1.f : 0.f;
    out[4] = __half2float(hsqrt(s)) + float(hexp(half(0.f)));
    out[5] = t > s && t != s;
    half arr[3]; arr[0] = 1; arr[1] = 2.5; arr[2] = arr[0] + arr[1]; arr[2] += arr[1];
    out[6] = arr[2];
    out[7] = __half2int_rn(arr[2]) + __half_as_ushort(arr[0]) + (int)arr[1];
    half2 v = make_half2(1.f, 2.f); v = v * v + h2exp(make_half2(0.f, 0.f)); v.x = v.y;
    float2 f = __half22float2(v);
    out[8] = f.x + f.y;
    __nv_bfloat16 b = __float2bfloat16(3.14159f); __nv_bfloat162 b2 = __floats2bfloat162_rn(1.f, 2.f);
    out[9] = __bfloat162float(b) + __bfloat162float(b2.x) + __low2float(b2);
    b = b * __float2bfloat16(2.0f) + b;
    out[10] = __bfloat162float(b);
    out[11] = __half2float(__hmax(arr[0], arr[1])) + __half2float(__shfl_sync(1, arr[1], 0));
    atomicAdd((half2 *)(out + 12), v);
}
int main()
{
    const int n = 16;
    half2 ha[n], hb[n], hc[n], *a, *b, *c; float *out, o[13]; half hx[n], *x;
    for (int i = 0; i < n; i++) { ha[i] = __floats2half2_rn(i, i * 0.5f); hb[i] = __float2half2_rn(2.0f); hx[i] = __float2half(i * 0.25f); }
    cudaMalloc(&a, sizeof ha); cudaMalloc(&b, sizeof hb); cudaMalloc(&c, sizeof hc); cudaMalloc(&out, sizeof o); cudaMalloc(&x, sizeof hx);
    cudaMemset(out, 0, sizeof o);
    cudaMemcpy(a, ha, sizeof ha, cudaMemcpyHostToDevice); cudaMemcpy(b, hb, sizeof hb, cudaMemcpyHostToDevice); cudaMemcpy(x, hx, sizeof hx, cudaMemcpyHostToDevice);
    h2<<<1, n>>>(a, b, c, n);
    dot<<<1, 1>>>(x, x, out, n);
    cudaMemcpy(hc, c, sizeof hc, cudaMemcpyDeviceToHost); cudaMemcpy(o, out, sizeof o, cudaMemcpyDeviceToHost);
    printf("%g %g\n", __low2float(hc[5]), __half2float(hc[7].y));
    for (int i = 0; i < 12; i++) printf("%g ", o[i]);
    printf("\n");
}

/* exit status 0, findings: none
11 8
77.5 77.5 114.25 1 9.80469 1 6 15368 10 5.14062 9.4375 5 
*/
