/* graph.h: what the patterns share: a small graph in compressed rows, and how its vertices are
 * shared out among threads.
 *
 * -D options: VOLATILE makes the data volatile, as those do who hope that it helps against races;
 * BOUNDS lets the last thread look at a vertex that there is not; BY_WARP and BY_BLOCK give each
 * vertex to a warp or a block instead of a thread. */
#ifndef GPUGRADE_TESTS_RACES_GRAPH_H
#define GPUGRADE_TESTS_RACES_GRAPH_H

#include "../kernel_program.h"

#ifdef VOLATILE
typedef volatile int data_t;
#else
typedef int data_t;
#endif

#define THREADS 64
#define VERTICES 96
#define EDGES_EACH 5

#ifdef BOUNDS
#define BELOW_END(v, end) ((v) <= (end))
#else
#define BELOW_END(v, end) ((v) < (end))
#endif

#if defined(BY_BLOCK)
#define GROUP THREADS
#elif defined(BY_WARP)
#define GROUP 32
#else
#define GROUP 1
#endif
#define BLOCKS (VERTICES * GROUP / THREADS + (VERTICES * GROUP % THREADS != 0) + 1)

/* The vertex of a thread, and its rank among those that share it. */
#define VERTEX() ((int)((blockIdx.x * THREADS + threadIdx.x) / GROUP))
#define RANK() ((int)(threadIdx.x % GROUP))

/* Lets the threads of one vertex meet. */
__device__ static inline void meet(void)
{
#if defined(NO_SYNC) || GROUP == 1
#elif defined(BY_WARP)
    __syncwarp();
#else
    __syncthreads();
#endif
}

struct graph {
    const int *first; /* [VERTICES + 1] */
    const int *to;    /* [VERTICES * EDGES_EACH] */
};

/* Every vertex is next to the next one and to four others. */
static inline struct graph new_graph(void)
{
    static int first[VERTICES + 1], to[VERTICES * EDGES_EACH];
    struct graph graph;
    int *device;
    for (int v = 0; v <= VERTICES; v++) {
        first[v] = v * EDGES_EACH;
        for (int e = 0; e < EDGES_EACH && v < VERTICES; e++) {
            to[v * EDGES_EACH + e] =
                e == 0 ? (v + 1) % VERTICES
                       : (int)((v * 7u + e * 31u + input_value(v + e)) % VERTICES);
        }
    }
    CHECK(cudaMalloc(&device, sizeof first));
    CHECK(cudaMemcpy(device, first, sizeof first, cudaMemcpyHostToDevice));
    graph.first = device;
    CHECK(cudaMalloc(&device, sizeof to));
    CHECK(cudaMemcpy(device, to, sizeof to, cudaMemcpyHostToDevice));
    graph.to = device;
    return graph;
}

#endif
