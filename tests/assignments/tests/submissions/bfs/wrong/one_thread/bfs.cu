#include "bfs.h"

__global__ void visitAll(const int *first, const int *edge, int *level, int *queue, int nodes,
                         int source)
{
    for (int i = 0; i < nodes; i++) {
        level[i] = -1;
    }
    level[source] = 0;
    queue[0] = source;
    for (int head = 0, tail = 1; head < tail; head++) {
        for (int k = first[queue[head]]; k < first[queue[head] + 1]; k++) {
            if (level[edge[k]] < 0) {
                level[edge[k]] = level[queue[head]] + 1;
                queue[tail++] = edge[k];
            }
        }
    }
}

void bfs(const int *d_first, const int *d_edge, int *d_level, int nodes, int source)
{
    int *queue = nullptr;
    cudaMalloc(&queue, nodes * sizeof(int));
    visitAll<<<1, 1>>>(d_first, d_edge, d_level, queue, nodes, source);
    cudaFree(queue);
}
