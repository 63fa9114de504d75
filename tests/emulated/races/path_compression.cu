/* Path compression: the parts of a graph, by trees of parents that are made shorter on the way.
 * READ follows parents by plain reads, ATOMIC shortens paths by plain stores, HOOK joins two trees
 * by a plain store. */
#include "graph.h"

__device__ int parent_of(data_t *parents, int v)
{
#ifdef READ
    return parents[v];
#else
    return atomicAdd((int *)&parents[v], 0);
#endif
}

__device__ int root_of(data_t *parents, int v)
{
    int parent = parent_of(parents, v);
    while (parent != v) {
        const int next = parent_of(parents, parent);
#ifdef ATOMIC
        parents[v] = next;
#else
        atomicMin((int *)&parents[v], next);
#endif
        v = parent;
        parent = next;
    }
    return v;
}

__device__ void join(data_t *parents, int a, int b)
{
    for (;;) {
        a = root_of(parents, a);
        b = root_of(parents, b);
        if (a == b) {
            return;
        }
        const int low = min(a, b);
        const int high = max(a, b);
#ifdef HOOK
        parents[high] = low;
        return;
#else
        if (atomicCAS((int *)&parents[high], high, low) == high) {
            return;
        }
#endif
    }
}

__global__ void start(data_t *parents)
{
    const int v = blockIdx.x * THREADS + threadIdx.x;
    if (v < VERTICES) {
        parents[v] = v;
    }
}

__global__ void unite(graph graph, data_t *parents)
{
    const int v = VERTEX();
    if (!BELOW_END(v, VERTICES)) {
        return;
    }
    for (int e = graph.first[v] + RANK(); e < graph.first[v] + EDGES_EACH; e += GROUP) {
        join(parents, v, graph.to[e]);
    }
}

int main()
{
    const graph graph = new_graph();
    int *parents = new_output<int>(VERTICES);
    start<<<2, THREADS>>>(parents);
    unite<<<BLOCKS, THREADS>>>(graph, parents);
    print_result("path_compression", parents, VERTICES);
    return 0;
}
