/* A single pass: a block waits for what the block before it has summed up, and passes its own
 * sum on. Blocks take numbers in the order in which they start, so the one before always runs. */
#include "scan.h"

#define THREADS 256

struct State {
    unsigned long long next;           /* the next number */
    unsigned long long ready[1 << 13]; /* 2^32 + the sum up to the end of a part, or 0 */
};

template <bool COMPACT>
__global__ void single_pass(const int *in, int *out, int n, int *count, State *state)
{
    __shared__ int warps[THREADS / 32];
    __shared__ int number, offset;
    if (threadIdx.x == 0) {
        number = (int)atomicAdd(&state->next, 1ull);
    }
    __syncthreads();
    const int i = number * THREADS + threadIdx.x;
    const int element = i < n ? in[i] : 0;
    const int own = COMPACT ? element > 0 : element;
    const int lane = threadIdx.x % 32;
    int sum = own;
    for (int d = 1; d < 32; d *= 2) {
        const int left = __shfl_up_sync(~0u, sum, d);
        sum += lane >= d ? left : 0;
    }
    if (lane == 31) {
        warps[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int total = 0;
        for (int w = 0; w < THREADS / 32; w++) {
            const int of_warp = warps[w];
            warps[w] = total;
            total += of_warp;
        }
        unsigned long long before = 1ull << 32;
        if (number > 0) {
            do {
                before = atomicAdd(&state->ready[number - 1], 0ull);
            } while (before == 0);
        }
        offset = (int)(unsigned)before;
        const unsigned after = (unsigned)before + (unsigned)total;
        atomicExch(&state->ready[number], (1ull << 32) + after);
        if (COMPACT && (number + 1) * THREADS >= n) {
            *count = (int)after;
        }
    }
    __syncthreads();
    const int place = offset + warps[threadIdx.x / 32] + sum - own;
    if (COMPACT && own) {
        out[place] = element;
    } else if (!COMPACT && i < n) {
        out[i] = place;
    }
}

template <bool COMPACT> static void run(const int *d_in, int *d_out, int n, int *d_count)
{
    State *state = nullptr;
    cudaMalloc(&state, sizeof *state);
    cudaMemset(state, 0, sizeof *state);
    single_pass<COMPACT><<<(n + THREADS - 1) / THREADS, THREADS>>>(d_in, d_out, n, d_count, state);
    cudaFree(state);
}

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    run<false>(d_in, d_out, n, nullptr);
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    run<true>(d_in, d_out, n, d_count);
}
