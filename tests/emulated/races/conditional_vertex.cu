/* Conditional vertex: the largest value among the neighbours of each vertex, if it is large enough,
 * goes into one result. ATOMIC updates it without an atomic, GUARD looks at it before the atomic,
 * NO_SYNC adds up parts that are not there yet, OTHER writes other values. */
#include "graph.h"

__global__ void largest(graph graph, const int *values, data_t *parts, data_t *result)
{
    const int v = VERTEX();
    const int rank = RANK();
    if (!BELOW_END(v, VERTICES)) {
        return;
    }
    int most = 0;
    for (int e = graph.first[v] + rank; e < graph.first[v] + EDGES_EACH; e += GROUP) {
        most = max(most, values[graph.to[e]]);
    }
    parts[v * GROUP + rank] = most;
    meet();
    if (rank == 0) {
        for (int i = 1; i < GROUP; i++) {
            most = max(most, parts[v * GROUP + i]);
        }
        if (most > 100) {
#if defined(ATOMIC)
            if (*result < most) {
                *result = most;
            }
#elif defined(GUARD)
            if (*result < most) {
                atomicMax((int *)result, most);
            }
#else
            atomicMax((int *)result, most);
#endif
        }
    }
}

int main()
{
    const graph graph = new_graph();
    const int *values = new_input<int>(VERTICES);
    int *result = new_output<int>(1);
    largest<<<BLOCKS, THREADS>>>(graph, values, new_output<int>(VERTICES * GROUP), result);
    print_result("conditional_vertex", result, 1);
    return 0;
}
