/* Warps scan by shuffles. One block scans the sums of all blocks, piece by piece. Compaction
 * counts by ballots and needs no flags in memory. */
#include "scan.h"

constexpr int kThreads = 512;
constexpr unsigned kAll = 0xffffffffu;

/* The inclusive scan of a block of kThreads values; *total is their sum. */
__device__ int block_scan(int value, int *total)
{
    __shared__ int warps[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int d = 1; d < 32; d <<= 1) {
        const int other = __shfl_up_sync(kAll, value, d);
        if (lane >= d)
            value += other;
    }
    if (lane == 31)
        warps[warp] = value;
    __syncthreads();
    if (warp == 0) {
        int sum = lane < kThreads / 32 ? warps[lane] : 0;
        for (int d = 1; d < 32; d <<= 1) {
            const int other = __shfl_up_sync(kAll, sum, d);
            if (lane >= d)
                sum += other;
        }
        if (lane < kThreads / 32)
            warps[lane] = sum;
    }
    __syncthreads();
    if (warp > 0)
        value += warps[warp - 1];
    *total = warps[kThreads / 32 - 1];
    __syncthreads();
    return value;
}

__global__ void block_sums(const int *in, int *sums, int n)
{
    int total;
    const int i = blockIdx.x * kThreads + threadIdx.x;
    block_scan(i < n ? in[i] : 0, &total);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
}

/* In place, exclusive; one block. */
__global__ void scan_sums(int *sums, int count, int *all)
{
    int carry = 0;
    for (int base = 0; base < count; base += kThreads) {
        const int i = base + threadIdx.x;
        const int own = i < count ? sums[i] : 0;
        int total;
        const int inclusive = block_scan(own, &total);
        if (i < count)
            sums[i] = carry + inclusive - own;
        carry += total;
    }
    if (all != nullptr && threadIdx.x == 0)
        *all = carry;
}

__global__ void scan_again(const int *in, const int *sums, int *out, int n)
{
    int total;
    const int i = blockIdx.x * kThreads + threadIdx.x;
    const int own = i < n ? in[i] : 0;
    const int inclusive = block_scan(own, &total);
    if (i < n)
        out[i] = sums[blockIdx.x] + inclusive - own;
}

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    const int blocks = (n + kThreads - 1) / kThreads;
    int *d_sums;
    cudaMalloc(&d_sums, blocks * sizeof(int));
    block_sums<<<blocks, kThreads>>>(d_in, d_sums, n);
    scan_sums<<<1, kThreads>>>(d_sums, blocks, nullptr);
    scan_again<<<blocks, kThreads>>>(d_in, d_sums, d_out, n);
    cudaFree(d_sums);
}

__global__ void count_kept(const int *in, int *sums, int n)
{
    const int i = blockIdx.x * kThreads + threadIdx.x;
    const int kept = __syncthreads_count(i < n && in[i] > 0);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = kept;
}

__global__ void move_kept(const int *in, const int *sums, int *out, int n)
{
    __shared__ int of_warps[kThreads / 32];
    const int i = blockIdx.x * kThreads + threadIdx.x;
    const int own = i < n ? in[i] : 0;
    const unsigned kept = __ballot_sync(kAll, own > 0);
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0)
        of_warps[warp] = __popc(kept);
    __syncthreads();
    int place = sums[blockIdx.x] + __popc(kept & ((1u << lane) - 1));
    for (unsigned w = 0; w < warp; ++w)
        place += of_warps[w];
    if (own > 0)
        out[place] = own;
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    const int blocks = (n + kThreads - 1) / kThreads;
    int *d_sums;
    cudaMalloc(&d_sums, blocks * sizeof(int));
    count_kept<<<blocks, kThreads>>>(d_in, d_sums, n);
    scan_sums<<<1, kThreads>>>(d_sums, blocks, d_count);
    move_kept<<<blocks, kThreads>>>(d_in, d_sums, d_out, n);
    cudaFree(d_sums);
}
