#include <stdio.h>
__global__ void k(const float *__restrict__ in, float *o, int *n, long long *c) {
    float x = __ldg(&in[0]), s, cs; long long t0 = clock64(); clock_t t1 = clock();
    sincosf(x, &s, &cs); o[0] = s * s + cs * cs; o[1] = erff(x); o[2] = powf(x, 3.0f); o[3] = rsqrtf(4.0f * x) + fmaf(x, 2.f, 1.f);
    o[4] = __fdividef(1.f, x) > 0; o[5] = __expf(x) > 1 && __logf(x) < 1 && __sinf(x) < 1 && __cosf(x) < 1 && __powf(x, 2) > 0; o[6] = __fsqrt_rn(x) + __frcp_rn(x) + __saturatef(5.f);
    n[0] = __float2int_rn(2.5f); n[1] = __float2int_rz(-2.9f); n[2] = __float2int_ru(x); n[3] = __float2int_rd(-x); n[4] = __double2int_rn(3.5); n[5] = __float2uint_rz(7.9f);
    n[6] = (int)__int2float_rn(9) + __popcll(255ull) + __clzll(1) + __ffsll(8) + __mulhi(1 << 30, 8) + __sad(3, 9, 1u) + __byte_perm(1, 2, 0x4);
    n[7] = __float_as_int(1.f) == 0x3f800000; n[8] = __hiloint2double(0x3ff00000, 0) == 1.0; n[9] = __funnelshift_l(1, 2, 4); n[10] = __usad(1, 2, 3); n[11] = __dp4a(0x01010101, 0x02020202, 5);
    __nanosleep(10); __threadfence(); __threadfence_block(); __threadfence_system(); __prof_trigger(0);
    c[0] = clock64() >= t0; c[1] = t1 != -1; c[2] = __ldg((const long long *)c) * 0 + warpSize;
}
int main() {
    float h = 1.25f, *in, *o, ho[7]; int *n, hn[12]; long long *c, hc[3];
    cudaMalloc(&in, 4); cudaMalloc(&o, sizeof ho); cudaMalloc(&n, sizeof hn); cudaMalloc(&c, sizeof hc); cudaMemset(c, 0, sizeof hc);
    cudaMemcpy(in, &h, 4, cudaMemcpyHostToDevice); k<<<1, 1>>>(in, o, n, c);
    cudaMemcpy(ho, o, sizeof ho, cudaMemcpyDeviceToHost); cudaMemcpy(hn, n, sizeof hn, cudaMemcpyDeviceToHost); cudaMemcpy(hc, c, sizeof hc, cudaMemcpyDeviceToHost);
    for (float f : ho) printf("%.4f ", f);
    for (int i : hn) printf("%d ", i);
    printf("%lld %lld %lld\n", hc[0], hc[1], hc[2]);
}
/* exit status 0, findings: none
1.0000 0.9229 1.9531 3.9472 1.0000 1.0000 2.9180 2 -2 2 -2 4 7 16843103 1 1 32 4 13 1 1 32
*/
