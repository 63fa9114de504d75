#include <stdio.h>
__device__ __forceinline__ unsigned lane_id() { unsigned ret; asm volatile("mov.u32 %0, %%laneid;" : "=r"(ret)); return ret; }
__device__ uint smid() { uint r; asm("mov.u32 %0, %%smid;" : "=r"(r)); return r; }
static __device__ __inline__ unsigned long long gtime() { unsigned long long t; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)); return t; }
__device__ unsigned bfe(unsigned v, unsigned s, unsigned n) { unsigned r; asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(v), "r"(s), "r"(n)); return r; }
__device__ float fma_ptx(float a, float b, float c) { float d; asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(a), "f"(b), "f"(c)); return d; }
__device__ int addmul(int a, int b) { int r; asm("{\n\t .reg .s32 t;\n\t add.s32 t, %1, %2;\n\t mul.lo.s32 %0, t, 3;\n\t}" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ void store(double *p, double v) { asm volatile("st.global.f64 [%0], %1;" :: "l"(p), "d"(v) : "memory"); }
__global__ void k(int *o, double *d)
{
    __shared__ int s[64]; clock_t t0 = clock(); long long c0 = clock64();
    s[threadIdx.x] = lane_id(); asm volatile("bar.sync 0;"); __threadfence_block(); __threadfence_system(); __nanosleep(10);
    o[threadIdx.x] = s[63 - threadIdx.x] + bfe(0xabcd, 4, 8) + (int)fma_ptx(2, 3, 4) + addmul(1, 2) + (clock() >= t0 ? 0 : 1) * 0 + (clock64() >= c0) + (smid() < 1000) + (gtime() > 0);
    if (threadIdx.x == 0) store(d, 2.5);
    unsigned short h = 3; asm("add.u16 %0, %0, 4;" : "+h"(h)); unsigned long long w; asm("mul.wide.u32 %0, %1, %2;" : "=l"(w) : "r"(1u << 31), "n"(4)); if (threadIdx.x == 1) { o[64] = h; o[65] = (int)(w >> 30); }
    int p; asm("{ .reg .pred q; setp.gt.s32 q, %1, 5; selp.s32 %0, 1, 0, q; }" : "=r"(p) : "r"(threadIdx.x)); if (threadIdx.x == 9) o[66] = p;
}
int main() { int *o, h[67]; double *d, x; cudaMalloc(&o, sizeof h); cudaMalloc(&d, 8); k<<<1, 64>>>(o, d); cudaMemcpy(h, o, sizeof h, cudaMemcpyDeviceToHost); cudaMemcpy(&x, d, 8, cudaMemcpyDeviceToHost); printf("%d %d %d %d %d %g\n", h[0], h[63], h[64], h[65], h[66], x); }

/* exit status 0, findings: none
241 210 7 8 1 2.5
*/
