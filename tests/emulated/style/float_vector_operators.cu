#include <stdio.h>
#include <math.h>
inline __host__ __device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
inline __host__ __device__ float4 operator+(const float4 &a, const float4 &b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
inline __host__ __device__ float4 operator*(float4 a, float s) { return {a.x * s, a.y * s, a.z * s, a.w * s}; }
inline __host__ __device__ void operator+=(float4 &a, float4 b) { a.x += b.x; a.y += b.y; a.z += b.z; a.w += b.w; }
inline __host__ __device__ int3 operator-(int3 a) { return make_int3(-a.x, -a.y, -a.z); }
inline __host__ __device__ bool operator==(uint2 a, uint2 b) { return a.x == b.x && a.y == b.y; }
inline __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__global__ void bodies(float4 *pos, float2 *q, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i >= n) return;
    float4 acc = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int j = 0; j < n; j++) acc += pos[j] * 0.25f;
    q[i] = q[i] + make_float2(acc.x, dot(make_float3(1, 2, 3), make_float3(acc.y, acc.z, acc.w)));
    uchar4 c = make_uchar4(i, 255, 300, -1); char3 d = make_char3(1, 2, 3); double2 e = make_double2(.5, 1);
    longlong2 l = make_longlong2(1LL, 2LL); ushort2 us = make_ushort2(1, 2); short4 s4; s4.w = 3;
    int3 neg = -make_int3(1, 2, 3); uint2 u = make_uint2(i, i), v = {(unsigned)i, (unsigned)i};
    q[i].x += c.x + c.y + c.z + c.w + d.z + (float)e.x + l.y + us.y + s4.w + neg.z + (u == v);
}
int main(void) {
    float4 h[4]; float2 g[4];
    for (int i = 0; i < 4; i++) { h[i] = make_float4(i, i + 1, i + 2, i + 3); g[i] = make_float2(0, i); }
    float4 *p; float2 *q;
    cudaMalloc(&p, sizeof(h)); cudaMalloc(&q, sizeof(g));
    cudaMemcpy(p, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaMemcpy(q, g, sizeof(g), cudaMemcpyHostToDevice);
    bodies<<<1, 32>>>(p, q, 4);
    cudaMemcpy(g, q, sizeof(g), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4; i++) printf("%f %f\n", g[i].x, g[i].y);
    printf("%d %d %d %d\n", (int)sizeof(float3), (int)sizeof(float4), (int)sizeof(char3), (int)alignof(float2));
}
/* exit status 0, findings: none
564.000000 23.000000
565.000000 24.000000
566.000000 25.000000
567.000000 26.000000
12 16 3 8
*/
