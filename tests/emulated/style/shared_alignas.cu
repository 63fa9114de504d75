#include <cstdio>
#include <cstdint>
#define TILE 64
struct alignas(16) Pixel { float r, g, b, a; };
struct __align__(8) Pair { int key, value; };

__global__ void vectorized(const float4 *in, float4 *out)
{
    __shared__ alignas(16) float tile[TILE * 4];
    __shared__ __align__(16) unsigned char bytes[64];
    alignas(16) __shared__ float4 other[TILE];
    __shared__ Pixel pixels[TILE];
    __shared__ Pair pairs[TILE];
    int t = threadIdx.x;
    reinterpret_cast<float4 *>(tile)[t] = in[t];
    other[t] = make_float4(t, t + 1, t + 2, t + 3);
    pixels[t] = Pixel{1.0f, 2.0f, 3.0f, (float)t};
    pairs[t] = {t, 2 * t};
    if (t < 64) bytes[t] = (unsigned char)t;
    __syncthreads();
    float4 v;
    v.x = tile[4 * (TILE - 1 - t)];
    v.y = other[TILE - 1 - t].y;
    v.z = pixels[TILE - 1 - t].a;
    v.w = pairs[TILE - 1 - t].value + bytes[t];
    out[t] = v;
}
int main()
{
    float4 h[TILE], *a, *b;
    for (int i = 0; i < TILE; i++) h[i] = {float(i), 0, 0, 0};
    cudaMalloc(&a, sizeof h); cudaMalloc(&b, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    vectorized<<<1, TILE>>>(a, b);
    cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < TILE; i += 21) printf("%g %g %g %g\n", h[i].x, h[i].y, h[i].z, h[i].w);
    printf("%zu %zu\n", alignof(Pixel), sizeof(Pair));
    cudaFree(a); cudaFree(b);
}

/* exit status 0, findings: none
63 64 63 126
42 43 42 105
21 22 21 84
0 1 0 63
16 8
*/
