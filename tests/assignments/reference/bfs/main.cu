/* main.cu: reads lines "nodes edges source" and calls the exercise once for each. */
#include "bfs.h"
#include "gpugrade.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

template <typename T> static T *array(size_t count)
{
    void *made = nullptr;
    if (cudaMalloc(&made, count * sizeof(T)) != cudaSuccess) {
        exit(EXIT_FAILURE);
    }
    return static_cast<T *>(made);
}

/* After a call. */
static void finish(std::initializer_list<void *> arrays)
{
    const cudaError_t left = cudaGetLastError();
    const cudaError_t error = left != cudaSuccess ? left : cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        fprintf(stderr, "main: %s\n", cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
    for (void *made : arrays) {
        (void)cudaFree(made);
    }
}

int main()
{
    int nodes = 0, edges = 0, source = 0;
    while (scanf("%d %d %d", &nodes, &edges, &source) == 3) {
        int *first = array<int>(nodes + 1), *edge = array<int>(edges), *level = array<int>(nodes);
        gpugrade_begin("bfs");
        gpugrade_operand("d_first", first);
        gpugrade_operand("d_edge", edge);
        gpugrade_operand("d_level", level);
        bfs(first, edge, level, nodes, source);
        gpugrade_end();
        finish({first, edge, level});
    }
    return EXIT_SUCCESS;
}
