#include <stdio.h>
#include <stdlib.h>
#define ROWS 5
#define COLS 7
__global__ void addOne(float *m, size_t pitch) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < ROWS && c < COLS) { float *row = (float *)((char *)m + r * pitch); row[c] += r; }
}
__global__ void volume(cudaPitchedPtr p, cudaExtent e, int *out) {
    char *base = (char *)p.ptr; size_t pitch = p.pitch, slice = pitch * e.height; int s = 0;
    for (int z = 0; z < (int)e.depth; ++z) for (int y = 0; y < (int)e.height; ++y) {
        int *row = (int *)(base + z * slice + y * pitch);
        for (int x = 0; x < (int)(e.width / sizeof(int)); ++x) s += (row[x] = x + y + z);
    }
    *out = s;
}
int main(int argc, char *argv[]) {
    float h[ROWS][COLS], g[ROWS][COLS], *d; size_t pitch;
    for (int i = 0; i < ROWS * COLS; i++) (&h[0][0])[i] = (float)i;
    cudaMallocPitch((void **)&d, &pitch, COLS * sizeof(float), ROWS);
    cudaMemset2D(d, pitch, 0, COLS * sizeof(float), ROWS);
    cudaMemcpy2D(d, pitch, h, COLS * sizeof(float), COLS * sizeof(float), ROWS, cudaMemcpyHostToDevice);
    addOne<<<dim3(1, 2), dim3(8, 4)>>>(d, pitch);
    cudaMemcpy2D(g, COLS * sizeof(float), d, pitch, COLS * sizeof(float), ROWS, cudaMemcpyDeviceToHost);
    printf("%g %g %g %d\n", g[0][6], g[4][0], g[4][6], (int)(pitch % 32));
    cudaExtent ext = make_cudaExtent(4 * sizeof(int), 3, 2); cudaPitchedPtr p; int *out, s;
    cudaMalloc3D(&p, ext); cudaMemset3D(p, 0, ext); cudaMalloc(&out, 4);
    volume<<<1, 1>>>(p, ext, out); cudaMemcpy(&s, out, 4, cudaMemcpyDeviceToHost); printf("%d\n", s);
    unsigned char bytes[8]; int *b; cudaMalloc(&b, 8); cudaMemset(b, 0xff, 4); cudaMemset((char *)b + 4, 1, 4);
    cudaMemcpy(bytes, b, 8, cudaMemcpyDeviceToHost); printf("%d %d\n", bytes[3], bytes[4]);
    cudaFree(p.ptr); cudaFree(d); return argc > 5 ? 1 : 0;
}
/* exit status 0, findings: none
6 32 38 0
72
255 1
*/
