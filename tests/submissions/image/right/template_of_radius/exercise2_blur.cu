/* A kernel for each radius. The mean is taken in float and rounded to nearest, which is one step
 * off at most. Pixels outside of the image are marked, and counted while the sum is made. */
#include "image.h"

template <int RADIUS>
__global__ void blur(const unsigned char *__restrict__ in, unsigned char *__restrict__ out,
                     int width, int height)
{
    constexpr int WIDE = 32, HIGH = 16;
    __shared__ short tile[HIGH + 2 * RADIUS][WIDE + 2 * RADIUS];
    const int x0 = blockIdx.x * WIDE - RADIUS, y0 = blockIdx.y * HIGH - RADIUS;
    for (int i = threadIdx.y; i < HIGH + 2 * RADIUS; i += blockDim.y) {
        for (int j = threadIdx.x; j < WIDE + 2 * RADIUS; j += blockDim.x) {
            const int x = x0 + j, y = y0 + i;
            tile[i][j] = x < 0 || y < 0 || x >= width || y >= height ? -1 : in[y * width + x];
        }
    }
    __syncthreads();
    const int x = blockIdx.x * WIDE + threadIdx.x;
    for (int row = threadIdx.y; row < HIGH; row += blockDim.y) {
        const int y = blockIdx.y * HIGH + row;
        if (x >= width || y >= height) {
            continue;
        }
        float sum = 0.0f, count = 0.0f;
        for (int i = 0; i <= 2 * RADIUS; i++) {
            for (int j = 0; j <= 2 * RADIUS; j++) {
                const short pixel = tile[row + i][threadIdx.x + j];
                if (pixel >= 0) {
                    sum += pixel;
                    count += 1.0f;
                }
            }
        }
        out[y * width + x] = (unsigned char)(sum / count + 0.5f);
    }
}

template <int RADIUS>
static void start(const unsigned char *d_in, unsigned char *d_out, int width, int height,
                  int radius)
{
    if constexpr (RADIUS > 1) {
        if (radius < RADIUS) {
            start<RADIUS - 1>(d_in, d_out, width, height, radius);
            return;
        }
    }
    const dim3 blocks((width + 31) / 32, (height + 15) / 16);
    blur<RADIUS><<<blocks, dim3(32, 4)>>>(d_in, d_out, width, height);
}

void boxBlur(const unsigned char *d_in, unsigned char *d_out, int width, int height, int radius)
{
    start<8>(d_in, d_out, width, height, radius);
}
