/* Conditional edge: counts edges to a larger vertex. ATOMIC counts without an atomic, NO_SYNC adds
 * up counts of other threads that are not there yet, PLAIN_READ looks at the count meanwhile, BLOCK
 * counts by atomics that other blocks do not see. */
#include "graph.h"

__global__ void count(graph graph, data_t *parts, data_t *total)
{
    const int v = VERTEX();
    const int rank = RANK();
    if (!BELOW_END(v, VERTICES)) {
        return;
    }
    int found = 0;
    for (int e = graph.first[v] + rank; e < graph.first[v] + EDGES_EACH; e += GROUP) {
        found += v < graph.to[e] ? 1 : 0;
    }
    parts[v * GROUP + rank] = found;
    meet();
    if (rank == 0) {
        for (int i = 1; i < GROUP; i++) {
            found += parts[v * GROUP + i];
        }
#if defined(ATOMIC)
        *total = *total + found;
#elif defined(BLOCK)
        atomicAdd_block((int *)total, found);
#else
        atomicAdd((int *)total, found);
#endif
#ifdef PLAIN_READ
        parts[v * GROUP] = *total;
#endif
    }
}

int main()
{
    const graph graph = new_graph();
    int *total = new_output<int>(1);
    count<<<BLOCKS, THREADS>>>(graph, new_output<int>(VERTICES * GROUP), total);
    print_result("conditional_edge", total, 1);
    return 0;
}
