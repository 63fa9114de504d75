#include <stdio.h>
#include <math_constants.h>
#include <math_functions.h>
#include <cuda_fp16.h>
__global__ void ints(int *o, const int *__restrict__ in)
{
    int k = 0; int x = __ldg(in), y = __ldg(&in[1]);
    o[k++] = __clz(x); o[k++] = __popc(x); o[k++] = __brev(x); o[k++] = __ffs(x); o[k++] = __clzll(x); o[k++] = __popcll(0xffull << 30); o[k++] = __ffsll(1ll << 40);
    o[k++] = __mul24(x, y); o[k++] = __umul24(x, y); o[k++] = __mulhi(x << 20, y << 20); o[k++] = __umulhi(0xffffffffu, x); o[k++] = (int)__umul64hi(~0ull, 5ull);
    o[k++] = __byte_perm(0x03020100, 0x07060504, 0x5140); o[k++] = __funnelshift_l(x, y, 8); o[k++] = __funnelshift_r(x, y, 8); o[k++] = __sad(x, y, 10); o[k++] = __usad(3, 9, 1);
    o[k++] = __hadd(x, y); o[k++] = __rhadd(x, y); o[k++] = __uhadd(7, 8); o[k++] = __dp4a(0x01020304, 0x01010101, 5); o[k++] = min(x, y); o[k++] = max(x, 5); o[k++] = abs(-x);
}
__global__ void floats(float *o, double *d, float x, float y)
{
    int k = 0;
    o[k++] = __fmaf_rn(x, y, 1.0f); o[k++] = __fadd_rn(x, y); o[k++] = __fmul_rz(x, y); o[k++] = __frcp_rn(x); o[k++] = __fsqrt_rn(x); o[k++] = __fdiv_rn(x, y); o[k++] = __saturatef(x);
    o[k++] = __float2int_rn(x); o[k++] = __float2int_rd(-x); o[k++] = __float2uint_rz(y); o[k++] = __int2float_rn(7); o[k++] = __uint_as_float(0x40490fdb); o[k++] = fmaf(x, y, 2.f); o[k++] = rintf(2.5f);
    o[k++] = copysignf(x, -1.f); o[k++] = fmodf(7.5f, 2.f); o[k++] = truncf(-2.7f); o[k++] = isnan(CUDART_NAN_F) + isinf(CUDART_INF_F) * 2; o[k++] = __half2float(__float2half(0.1f)) > 0; o[k++] = fabsf(-x); o[k++] = exp2f(3); o[k++] = ldexpf(1.5f, 4);
    d[0] = __dadd_rn(x, y); d[1] = __dmul_rn(x, 0.1); d[2] = __fma_rn(1.0, 2.0, 3.0); d[3] = __hiloint2double(0x40000000, 0); d[4] = __double2hiint(1.0); d[5] = __double2int_rz(-3.9); d[6] = __double2ll_rn(2.5); d[7] = __longlong_as_double(0x3ff8000000000000ll); d[8] = CUDART_PI;
    float approx = __expf(1.f) + __logf(2.f) + __sinf(1.f) + __cosf(1.f) + __powf(2.f, 3.f) + __fdividef(1.f, 3.f) + __log2f(8.f) + __log10f(100.f) + __tanf(.5f) + __exp10f(1.f) + __frsqrt_rn(4.f) + rsqrtf(4.f);
    float s, c; __sincosf(0.5f, &s, &c); sincosf(0.5f, &s, &c);
    d[9] = (int)(approx * 100 + (s + c) * 100);
}
int main()
{
    int hi[24], *di, *in, src[2] = {0x00f0f012, -77}; float hf[22], *df; double hd[10], *dd;
    cudaMalloc(&di, sizeof hi); cudaMalloc(&in, sizeof src); cudaMalloc(&df, sizeof hf); cudaMalloc(&dd, sizeof hd);
    cudaMemcpy(in, src, sizeof src, cudaMemcpyHostToDevice);
    ints<<<1, 1>>>(di, in); floats<<<1, 1>>>(df, dd, 2.25f, 3.5f);
    cudaMemcpy(hi, di, sizeof hi, cudaMemcpyDeviceToHost); cudaMemcpy(hf, df, sizeof hf, cudaMemcpyDeviceToHost); cudaMemcpy(hd, dd, sizeof hd, cudaMemcpyDeviceToHost);
    for (int v : hi) printf("%d ", v); puts(""); for (float v : hf) printf("%g ", v); puts(""); for (double v : hd) printf("%g ", v); puts("");
}

/* exit status 0, findings: none
8 10 1208946432 2 40 8 41 76008086 -913847658 -354816 15790097 4 83952640 -19712 -1291783952 15790185 7 7895010 7895011 7 15 -77 15790098 15790098 
8.875 5.75 7.875 0.444444 1.5 0.642857 1 2 -3 3 7 3.14159 9.875 2 -2.25 1.5 -2 3 1 2.25 8 24 
5.75 0.225 5 2 1.07269e+09 -3 2 1.5 3.14159 3102 
*/
