/* A radix sort by digits of four bits. Each warp counts the digits of its 32 keys by
 * __match_any_sync. The counts are scanned digit by digit, so equal digits keep their order. */
#include "sort.h"

namespace
{

constexpr int WARPS = 4, THREADS = 32 * WARPS, DIGITS = 16;

/* counts[digit * warps + warp] */
__global__ void countDigits(const unsigned int *keys, int *counts, int n, int shift, int warps)
{
    const int i = blockIdx.x * THREADS + threadIdx.x, warp = i / 32, lane = i % 32;
    const int digit = i < n ? keys[i] >> shift & (DIGITS - 1) : DIGITS;
    const unsigned int same = __match_any_sync(0xffffffffu, digit);
    if (warp >= warps) {
        return;
    }
    if (lane < DIGITS) {
        counts[lane * warps + warp] = 0;
    }
    __syncwarp();
    if (digit < DIGITS && lane == __ffs(same) - 1) {
        counts[digit * warps + warp] = __popc(same);
    }
}

/* One block; exclusive. */
__global__ void scanCounts(int *counts, int count)
{
    __shared__ int of_warps[32];
    __shared__ int total;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (threadIdx.x == 0) {
        total = 0;
    }
    for (int first = 0; first < count; first += 1024) {
        const int i = first + threadIdx.x;
        const int own = i < count ? counts[i] : 0;
        int sum = own;
        for (int far = 1; far < 32; far *= 2) {
            const int left = __shfl_up_sync(0xffffffffu, sum, far);
            sum += lane >= far ? left : 0;
        }
        if (lane == 31) {
            of_warps[warp] = sum;
        }
        __syncthreads();
        if (warp == 0) {
            const int mine = of_warps[lane];
            int sums = mine;
            for (int far = 1; far < 32; far *= 2) {
                const int left = __shfl_up_sync(0xffffffffu, sums, far);
                sums += lane >= far ? left : 0;
            }
            of_warps[lane] = sums - mine;
        }
        __syncthreads();
        const int before = total;
        if (i < count) {
            counts[i] = before + of_warps[warp] + sum - own;
        }
        __syncthreads();
        if (threadIdx.x == 1023) {
            total = before + of_warps[warp] + sum;
        }
        __syncthreads();
    }
}

__global__ void scatter(const unsigned int *in, unsigned int *out, const int *before, int n,
                        int shift, int warps)
{
    const int i = blockIdx.x * THREADS + threadIdx.x, warp = i / 32, lane = i % 32;
    const unsigned int key = i < n ? in[i] : 0;
    const int digit = i < n ? key >> shift & (DIGITS - 1) : DIGITS;
    const unsigned int same = __match_any_sync(0xffffffffu, digit);
    if (i < n) {
        out[before[digit * warps + warp] + __popc(same & ((1u << lane) - 1))] = key;
    }
}

} // namespace

void sortKeys(unsigned int *d_keys, int n)
{
    const int warps = (n + 31) / 32, blocks = (n + THREADS - 1) / THREADS;
    unsigned int *other = nullptr;
    int *counts = nullptr;
    cudaMalloc(&other, n * sizeof *other);
    cudaMalloc(&counts, DIGITS * warps * sizeof *counts);
    unsigned int *from = d_keys, *to = other;
    for (int shift = 0; shift < 32; shift += 4) {
        countDigits<<<blocks, THREADS>>>(from, counts, n, shift, warps);
        scanCounts<<<1, 1024>>>(counts, DIGITS * warps);
        scatter<<<blocks, THREADS>>>(from, to, counts, n, shift, warps);
        unsigned int *swap = from;
        from = to;
        to = swap;
    }
    cudaFree(counts);
    cudaFree(other);
}
