#include "mandelbrot.h"

#include <cuComplex.h>

__global__ void kernel(int *out, int w, int h, cuDoubleComplex from, cuDoubleComplex to, int limit)
{
    int px = threadIdx.x + blockDim.x * blockIdx.x;
    int py = threadIdx.y + blockDim.y * blockIdx.y;
    if (px >= w)
        return;
    if (py >= h)
        return;

    cuDoubleComplex c =
        make_cuDoubleComplex(from.x + px * (to.x - from.x) / w, from.y + py * (to.y - from.y) / h);
    cuDoubleComplex z = make_cuDoubleComplex(0, 0);
    int n = 0;
    do {
        z = cuCadd(cuCmul(z, z), c);
        n++;
    } while (n < limit && z.x * z.x + z.y * z.y <= 4);
    out[py * w + px] = n;
}

void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit)
{
    dim3 block(32, 32);
    dim3 grid(width / 32 + (width % 32 != 0), height / 32 + (height % 32 != 0));
    kernel<<<grid, block>>>(d_count, width, height, make_cuDoubleComplex(x0, y0),
                            make_cuDoubleComplex(x1, y1), limit);
}
