#include <cstdio>
#include <cstdlib>
#include <cmath>
typedef unsigned char uchar;
#define W 48
#define H 32
#define BLOCK 16
#define R 1
__constant__ int Gx[3][3] = {{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}};
__constant__ int Gy[3][3] = {{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}};
__global__ void sobel(const uchar *in, uchar *out, int w, int h)
{
    __shared__ uchar t[BLOCK + 2 * R][BLOCK + 2 * R];
    const int x = blockIdx.x * BLOCK + threadIdx.x, y = blockIdx.y * BLOCK + threadIdx.y;
    for (int j = threadIdx.y; j < BLOCK + 2 * R; j += BLOCK) for (int i = threadIdx.x; i < BLOCK + 2 * R; i += BLOCK) { int gx = min(max((int)(blockIdx.x * BLOCK + i) - R, 0), w - 1), gy = min(max(int(blockIdx.y * BLOCK) + j - R, 0), h - 1); t[j][i] = in[gy * w + gx]; }
    __syncthreads();
    if (x >= w || y >= h) return;
    int sx = 0, sy = 0;
#pragma unroll
    for (int j = 0; j < 3; ++j)
#pragma unroll
        for (int i = 0; i < 3; ++i) { sx += t[threadIdx.y + j][threadIdx.x + i] * Gx[j][i]; sy += t[threadIdx.y + j][threadIdx.x + i] * Gy[j][i]; }
    int m = sqrt((double)sx * sx + sy * sy); out[y * w + x] = m > 255 ? 255 : m;
}
__global__ void grey(const uchar3 *rgb, uchar *g, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) { uchar3 p = rgb[i]; g[i] = (uchar)(0.299f * p.x + 0.587f * p.y + 0.114f * p.z); } }
__global__ void life(const uchar *a, uchar *b, int w, int h) { int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y; int n = 0; for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) if (dx || dy) n += a[(y + dy + h) % h * w + (x + dx + w) % w] & 1; b[y * w + x] = n == 3 || (n == 2 && (a[y * w + x] & 1)); }
int main()
{
    uchar3 *rgb = new uchar3[W * H], *d; uchar *g, *s, *out = new uchar[W * H]; for (int i = 0; i < W * H; i++) rgb[i] = make_uchar3(i % 256, (i * 3) % 256, (i / W * 8) % 256);
    cudaMalloc(&d, W * H * sizeof(uchar3)); cudaMalloc(&g, W * H); cudaMalloc(&s, W * H); cudaMemcpy(d, rgb, W * H * sizeof(uchar3), cudaMemcpyHostToDevice);
    grey<<<(W * H + 255) / 256, 256>>>(d, g, W * H); dim3 b(BLOCK, BLOCK), gr((W + BLOCK - 1) / BLOCK, (H + BLOCK - 1) / BLOCK); sobel<<<gr, b>>>(g, s, W, H);
    cudaMemcpy(out, s, W * H, cudaMemcpyDeviceToHost); int sum = 0; for (int i = 0; i < W * H; i++) sum += out[i]; printf("%d\n", sum);
    for (int i = 0; i < 4; i++) { life<<<gr, b>>>(i % 2 ? g : s, i % 2 ? s : g, W, H); } cudaMemcpy(out, s, W * H, cudaMemcpyDeviceToHost); sum = 0; for (int i = 0; i < W * H; i++) sum += out[i]; printf("%d\n", sum); delete[] rgb; delete[] out;
}

/* exit status 0, findings: none
287841
334
*/
