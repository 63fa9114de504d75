/* A tile in dynamic shared memory; sums along its rows first, then down, both in shared memory. */
#include "image.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { SIDE = 32 };

__global__ void blurInTwoSteps(const unsigned char *in, unsigned char *out, int width, int height,
                               int radius)
{
    extern __shared__ unsigned short memory[];
    cg::thread_block block = cg::this_thread_block();
    const int side = SIDE + 2 * radius;
    unsigned short *row_sums = memory; /* side x SIDE */
    unsigned char *tile =
        reinterpret_cast<unsigned char *>(row_sums + side * SIDE); /* side x side */
    const int left = blockIdx.x * SIDE - radius, top = blockIdx.y * SIDE - radius;

    for (int k = block.thread_rank(); k < side * side; k += block.size()) {
        const int x = left + k % side, y = top + k / side;
        tile[k] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0;
    }
    block.sync();
    for (int k = block.thread_rank(); k < side * SIDE; k += block.size()) {
        const unsigned char *start = tile + k / SIDE * side + k % SIDE;
        unsigned short sum = 0;
        for (int j = 0; j <= 2 * radius; j++) {
            sum += start[j];
        }
        row_sums[k] = sum;
    }
    block.sync();
    for (int k = block.thread_rank(); k < SIDE * SIDE; k += block.size()) {
        const int x = blockIdx.x * SIDE + k % SIDE, y = blockIdx.y * SIDE + k / SIDE;
        if (x < width && y < height) {
            unsigned sum = 0;
            for (int i = 0; i <= 2 * radius; i++) {
                sum += row_sums[(k / SIDE + i) * SIDE + k % SIDE];
            }
            const int across = min(x, radius) + min(width - 1 - x, radius) + 1;
            const int down = min(y, radius) + min(height - 1 - y, radius) + 1;
            out[y * width + x] = static_cast<unsigned char>(sum / (across * down));
        }
    }
}

void boxBlur(const unsigned char *d_in, unsigned char *d_out, int width, int height, int radius)
{
    const int side = SIDE + 2 * radius;
    const size_t bytes = side * SIDE * sizeof(unsigned short) + side * side;
    const dim3 blocks((width + SIDE - 1) / SIDE, (height + SIDE - 1) / SIDE);
    blurInTwoSteps<<<blocks, 256, bytes>>>(d_in, d_out, width, height, radius);
}
