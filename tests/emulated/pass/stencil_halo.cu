/* Sum over a window: the tile carries a halo on both sides. */
#include "../kernel_program.h"

#define THREADS 64
#define RADIUS 3

__global__ void blur(const int *in, int *out, int count)
{
    __shared__ int tile[THREADS + 2 * RADIUS];
    const int tx = threadIdx.x;
    const int index = blockIdx.x * THREADS + tx;
    tile[tx + RADIUS] = in[index];
    if (tx < RADIUS) {
        const int left = index - RADIUS;
        const int right = index + THREADS;
        tile[tx] = left >= 0 ? in[left] : 0;
        tile[tx + RADIUS + THREADS] = right < count ? in[right] : 0;
    }
    __syncthreads();
    int sum = 0;
    for (int i = -RADIUS; i <= RADIUS; i++) {
        sum += tile[tx + RADIUS + i];
    }
    out[index] = sum;
}

int main()
{
    const int count = 5 * THREADS;
    int *in = new_input<int>(count);
    int *out = new_output<int>(count);
    blur<<<count / THREADS, THREADS>>>(in, out, count);
    print_result("stencil_halo", out, count);
    return 0;
}
