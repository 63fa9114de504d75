/* Prefix sums by shuffles within a warp, then over the sums of the warps. */
#include "../kernel_program.h"

#define THREADS 256
#define WARPS (THREADS / 32)

__device__ int warp_scan(int value, int lane)
{
    for (int offset = 1; offset < 32; offset *= 2) {
        const int left = __shfl_up_sync(0xffffffffu, value, offset);
        if (lane >= offset) {
            value += left;
        }
    }
    return value;
}

__global__ void scan(const int *in, int *out)
{
    __shared__ int sums[WARPS];
    const int tx = threadIdx.x;
    const int lane = tx % 32;
    const int warp = tx / 32;
    int value = warp_scan(in[tx], lane);
    if (lane == 31) {
        sums[warp] = value;
    }
    __syncthreads();
    if (warp == 0) {
        const int sum = warp_scan(lane < WARPS ? sums[lane] : 0, lane);
        if (lane < WARPS) {
            sums[lane] = sum;
        }
    }
    __syncthreads();
    out[tx] = value + (warp > 0 ? sums[warp - 1] : 0);
}

int main()
{
    int *in = new_input<int>(THREADS);
    int *out = new_output<int>(THREADS);
    scan<<<1, THREADS>>>(in, out);
    print_result("scan_shuffle", out, THREADS);
    return 0;
}
