#include <stdio.h>
#include <string.h>
#define W 5
#define H 4
#define D 3
__global__ void addSlice(cudaPitchedPtr p, cudaExtent e)
{
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    char *devPtr = (char *)p.ptr;
    size_t pitch = p.pitch, slicePitch = pitch * e.height;
    float *row = (float *)(devPtr + z * slicePitch + y * pitch);
    row[x] += 100 * z;
}
__global__ void rows(float *p, size_t pitch, int w, int h)
{
    for (int r = 0; r < h; ++r) { float *row = (float *)((char *)p + r * pitch); if (threadIdx.x < w) row[threadIdx.x] = r * 10 + threadIdx.x; }
}
int main()
{
    float h[D][H][W], back[D][H][W];
    for (int z = 0; z < D; z++) for (int y = 0; y < H; y++) for (int x = 0; x < W; x++) h[z][y][x] = y * W + x;
    cudaExtent extent = make_cudaExtent(W * sizeof(float), H, D);
    cudaPitchedPtr dev;
    cudaMalloc3D(&dev, extent);
    cudaMemset3D(dev, 0, extent);
    cudaMemcpy3DParms p = {0};
    p.srcPtr = make_cudaPitchedPtr(h, W * sizeof(float), W, H);
    p.dstPtr = dev; p.extent = extent; p.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&p);
    addSlice<<<1, dim3(W, H, D)>>>(dev, extent);
    cudaMemcpy3DParms q = {};
    q.srcPtr = dev; q.dstPtr = make_cudaPitchedPtr((void *)back, W * sizeof(float), W, H); q.extent = extent; q.kind = cudaMemcpyDeviceToHost;
    q.srcPos = make_cudaPos(0, 0, 0);
    cudaMemcpy3D(&q);
    printf("%g %g %g\n", back[0][0][1], back[1][2][3], back[2][3][4]);
    float *d2; size_t pitch; float flat[H * W];
    cudaMallocPitch((void **)&d2, &pitch, W * sizeof(float), H);
    cudaMemset2D(d2, pitch, 0, W * sizeof(float), H);
    rows<<<1, 32>>>(d2, pitch, W, H);
    cudaMemcpy2D(flat, W * sizeof(float), d2, pitch, W * sizeof(float), H, cudaMemcpyDeviceToHost);
    printf("%g %g %d\n", flat[7], flat[H * W - 1], pitch % 32 == 0);
    cudaMemcpy2DAsync(d2, pitch, h, W * sizeof(float), W * sizeof(float), H, cudaMemcpyHostToDevice, 0);
    cudaMemcpy(flat, d2, W * sizeof(float), cudaMemcpyDefault);
    printf("%g\n", flat[4]);
    cudaFree(dev.ptr); cudaFree(d2);
    return 0;
}

/* exit status 0, findings: none
1 113 219
12 34 1
4
*/
