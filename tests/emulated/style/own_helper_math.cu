#include <cstdio>
#include <cmath>
inline __host__ __device__ float3 operator+(const float3 &a, const float3 &b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
inline __host__ __device__ float3 operator-(float3 a, float3 b) { return make_float3(a.x - b.x, a.y - b.y, a.z - b.z); }
inline __host__ __device__ float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
inline __host__ __device__ float3 operator*(float s, float3 a) { return a * s; }
inline __host__ __device__ void operator+=(float3 &a, float3 b) { a.x += b.x; a.y += b.y; a.z += b.z; }
inline __host__ __device__ float3 operator-(const float3 &a) { return make_float3(-a.x, -a.y, -a.z); }
inline __host__ __device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline __host__ __device__ float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
inline __host__ __device__ float3 cross(float3 a, float3 b) { return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x); }
inline __host__ __device__ float length(float3 v) { return sqrtf(dot(v, v)); }
inline __host__ __device__ float3 normalize(float3 v) { float invLen = 1.0f / sqrtf(dot(v, v)); return v * invLen; }
inline __device__ __host__ float lerp(float a, float b, float t) { return a + t * (b - a); }
inline __device__ __host__ float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
inline __host__ __device__ float3 make_float3(float s) { return make_float3(s, s, s); }
inline __host__ __device__ float3 make_float3(float4 a) { return make_float3(a.x, a.y, a.z); }
inline __host__ __device__ float4 make_float4(float3 a, float w) { return make_float4(a.x, a.y, a.z, w); }
inline __host__ __device__ bool operator==(int2 a, int2 b) { return a.x == b.x && a.y == b.y; }
typedef unsigned int uint;
__global__ void bodies(float4 *p, float3 *acc, uint n)
{
    uint i = threadIdx.x;
    float3 a = make_float3(0.0f);
    float3 me = make_float3(p[i]);
    for (uint j = 0; j < n; j++) {
        float3 r = make_float3(p[j]) - me;
        float d2 = dot(r, r) + 0.25f;
        a += r * (p[j].w * clamp(1.0f / d2, 0.0f, 2.0f));
    }
    acc[i] = make_int2(1, 2) == make_int2(1, 2) ? -cross(a, make_float3(0, 0, 1)) + 0.5f * normalize(me) : a;
}
int main()
{
    const uint n = 8;
    float4 h[n], *d; float3 *a, out[n];
    for (uint i = 0; i < n; i++) h[i] = make_float4(make_float3(i + 1, i * 2, 1), 1.0f);
    cudaMalloc(&d, sizeof h); cudaMalloc(&a, sizeof out);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    bodies<<<1, n>>>(d, a, n);
    cudaMemcpy(out, a, sizeof out, cudaMemcpyDeviceToHost);
    for (uint i = 0; i < n; i += 3) printf("%.3f %.3f %.3f %.3f\n", out[i].x, out[i].y, out[i].z, length(out[i]));
    printf("%.2f %.2f\n", lerp(1, 3, 0.25f), dot(h[1], h[2]));
}

/* exit status 0, findings: none
-0.661 0.507 0.354 0.905
0.175 0.462 0.069 0.499
0.828 0.143 0.036 0.840
1.50 16.00
*/
