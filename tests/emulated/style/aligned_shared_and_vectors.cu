#include <stdio.h>
struct __align__(16) Body { float x, y, z; int id; };
struct alignas(8) Two { int a, b; };
typedef struct __builtin_align__(8) { float re, im; } Complex;
__global__ void k(Body *b, float *o) {
    __shared__ __align__(16) float s[32];
    alignas(16) __shared__ Body tile[8];
    alignas(16) __shared__ Two two[8];
    __align__(8) __shared__ Complex c[8];
    int t = threadIdx.x;
    tile[t] = b[t]; two[t].a = t; two[t].b = 2 * t; c[t].re = t; c[t].im = -t; reinterpret_cast<float4 *>(s)[t] = make_float4(t, 1, 2, 3);
    __syncthreads();
    int u = 7 - t; o[t] = tile[u].z + tile[u].id + two[u].b + c[u].im + s[4 * u];
}
int main() {
    Body h[8], *d; float *o, r[8];
    for (int i = 0; i < 8; i++) h[i] = Body{1.f * i, 2.f * i, 3.f * i, 100 * i};
    cudaMalloc(&d, sizeof(h)); cudaMalloc(&o, sizeof(r));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice); k<<<1, 8>>>(d, o); cudaMemcpy(r, o, sizeof(r), cudaMemcpyDeviceToHost);
    for (float f : r) printf("%g ", f);
    printf("%d %d\n", (int)sizeof(Body), (int)alignof(Two)); return 0;
}
/* exit status 0, findings: none
735 630 525 420 315 210 105 0 16 8
*/
