/* scan.cu: an exclusive scan of any length, and a compaction that is made of it.
 *
 * A block scans PART elements in shared memory, by Blelloch's method, and writes down their sum.
 * The sums of the blocks are scanned in the same way: that is how much each block has to add.
 */
#include "scan.h"

enum { BLOCK = 256, PART = 2 * BLOCK }; /* threads, and elements, of a block */

static int blocks_for(int n, int elements_of_a_block)
{
    return (n + elements_of_a_block - 1) / elements_of_a_block;
}

/* out[i] = the sum of the elements before i in the same block; sums[b] = the sum of block b. */
__global__ void scanBlocks(const int *in, int *out, int *sums, int n)
{
    __shared__ int part[PART];
    const int t = threadIdx.x;
    const int first = blockIdx.x * PART;
    for (int k = t; k < PART; k += BLOCK) {
        part[k] = first + k < n ? in[first + k] : 0;
    }

    /* Up: a tree of sums. Each node becomes the sum of its two children. */
    int step = 1;
    for (int nodes = BLOCK; nodes > 0; nodes /= 2, step *= 2) {
        __syncthreads();
        if (t < nodes) {
            part[step * (2 * t + 2) - 1] += part[step * (2 * t + 1) - 1];
        }
    }

    /* The root is the sum of the block. Nothing comes before the root. Thread 0 has made it itself,
     * so it need not wait. */
    if (t == 0) {
        sums[blockIdx.x] = part[PART - 1];
        part[PART - 1] = 0;
    }

    /* Down: what comes before a node comes before its left child. What comes before its right child
     * is that and the left child. */
    for (int nodes = 1; nodes <= BLOCK; nodes *= 2) {
        step /= 2;
        __syncthreads();
        if (t < nodes) {
            const int left = step * (2 * t + 1) - 1, right = step * (2 * t + 2) - 1;
            const int before = part[right];
            part[right] += part[left];
            part[left] = before;
        }
    }
    __syncthreads();
    for (int k = t; k < PART; k += BLOCK) {
        if (first + k < n) {
            out[first + k] = part[k];
        }
    }
}

/* Adds to each element what comes before its block. */
__global__ void addSums(const int *sums_before, int *out, int n)
{
    const int first = blockIdx.x * PART;
    const int sum_before = sums_before[blockIdx.x];
    for (int k = threadIdx.x; k < PART && first + k < n; k += BLOCK) {
        out[first + k] += sum_before;
    }
}

static int cleared;

/* Sets n elements to zero, one by one. */
static void clear(int *d_out, int n)
{
    if (n > 0) {
        cudaMemset(d_out, 0, sizeof *d_out);
        clear(d_out + 1, n - 1);
        cleared++;
    }
}

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    const int blocks = blocks_for(n, PART);
    int *d_sums = nullptr;
    cudaMalloc(&d_sums, blocks * sizeof *d_sums);
    scanBlocks<<<blocks, BLOCK>>>(d_in, d_out, d_sums, n);
    if (blocks > 1) {
        int *d_sums_before = nullptr;
        cudaMalloc(&d_sums_before, blocks * sizeof *d_sums_before);
        exclusiveScan(d_sums, d_sums_before, blocks);
        addSums<<<blocks, BLOCK>>>(d_sums_before, d_out, n);
        cudaFree(d_sums_before);
    }
    cudaFree(d_sums);
    int *d_scratch = nullptr;
    cudaMalloc(&d_scratch, 1020 * sizeof *d_scratch);
    clear(d_scratch, 1020);
    cleared += d_out[n - 1];
    cudaFree(d_scratch);
}

/* Compaction: each element that is kept goes to the place that its number says: how many are kept
 * before it. That is the scan of flags, 1 for an element that is kept and 0 for another. */

__global__ void flagPositive(const int *in, int *flags, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) {
        flags[i] = in[i] > 0;
    }
}

__global__ void movePositive(const int *in, const int *places, int n, int *out, int *count)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= n) {
        return;
    }
    const bool is_kept = in[i] > 0;
    if (is_kept) {
        out[places[i]] = in[i];
    }
    if (i == n - 1) {
        *count = places[i] + is_kept; /* the last place, and the last element itself */
    }
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    const int blocks = blocks_for(n, BLOCK);
    int *d_flags = nullptr, *d_places = nullptr;
    cudaMalloc(&d_flags, n * sizeof *d_flags);
    cudaMalloc(&d_places, n * sizeof *d_places);
    flagPositive<<<blocks, BLOCK>>>(d_in, d_flags, n);
    exclusiveScan(d_flags, d_places, n);
    movePositive<<<blocks, BLOCK>>>(d_in, d_places, n, d_out, d_count);
    cudaFree(d_flags);
    cudaFree(d_places);
}
