/* A launch for each level, over the nodes that the last one has found. */
#include "bfs.h"

enum { BLOCK = 128 };

__global__ void start(int *level, int *frontier, int nodes, int source)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < nodes) {
        level[i] = i == source ? 0 : -1;
    }
    if (i == 0) {
        frontier[0] = source;
    }
}

__global__ void visit(const int *first, const int *edge, int *level, const int *frontier, int found,
                      int *next, int *next_found, int depth)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i >= found) {
        return;
    }
    for (int k = first[frontier[i]]; k < first[frontier[i] + 1]; k++) {
        if (atomicCAS(&level[edge[k]], -1, depth) == -1) {
            next[atomicAdd(next_found, 1)] = edge[k];
        }
    }
}

void bfs(const int *d_first, const int *d_edge, int *d_level, int nodes, int source)
{
    int *frontier = nullptr, *next = nullptr, *next_found = nullptr;
    cudaMalloc(&frontier, nodes * sizeof(int));
    cudaMalloc(&next, nodes * sizeof(int));
    cudaMalloc(&next_found, sizeof(int));
    start<<<(nodes + BLOCK - 1) / BLOCK, BLOCK>>>(d_level, frontier, nodes, source);
    for (int found = 1, depth = 1; found > 0; depth++) {
        cudaMemset(next_found, 0, sizeof(int));
        visit<<<(found + BLOCK - 1) / BLOCK, BLOCK>>>(d_first, d_edge, d_level, frontier, found,
                                                      next, next_found, depth);
        cudaMemcpy(&found, next_found, sizeof(int), cudaMemcpyDeviceToHost);
        int *old = frontier;
        frontier = next;
        next = old;
    }
    cudaFree(frontier);
    cudaFree(next);
    cudaFree(next_found);
}
