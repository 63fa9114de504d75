// All steps of a bitonic sort in one launch; the whole grid waits between two steps.
#include "sort.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

enum { THREADS = 256, BLOCKS = 16 };

__global__ void sortAll(unsigned int *keys, unsigned int *padded, int n, int all)
{
    const cg::grid_group grid = cg::this_grid();
    const int first = grid.thread_rank(), threads = grid.size();
    for (int i = first; i < all; i += threads) {
        padded[i] = i < n ? keys[i] : 0xffffffffu;
    }
    grid.sync();
    for (int run = 2; run <= all; run *= 2) {
        for (int distance = run / 2; distance > 0; distance /= 2) {
            for (int i = first; i < all; i += threads) {
                const int partner = i ^ distance;
                if (partner <= i) {
                    continue;
                }
                const unsigned int a = padded[i], b = padded[partner];
                if ((i & run) == 0 ? a > b : a < b) {
                    padded[i] = b;
                    padded[partner] = a;
                }
            }
            grid.sync();
        }
    }
    for (int i = first; i < n; i += threads) {
        keys[i] = padded[i];
    }
}

void sortKeys(unsigned int *d_keys, int n)
{
    int all = 1;
    while (all < n) {
        all *= 2;
    }
    unsigned int *d_padded = nullptr;
    cudaMalloc(&d_padded, all * sizeof(unsigned int));
    void *arguments[] = {&d_keys, &d_padded, &n, &all};
    cudaLaunchCooperativeKernel((void *)sortAll, dim3(BLOCKS), dim3(THREADS), arguments, 0, 0);
    cudaFree(d_padded);
}
