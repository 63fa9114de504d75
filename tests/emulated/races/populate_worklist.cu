/* Populate worklist: vertices with a large neighbour go into a list. ATOMIC takes its place in the
 * list without an atomic, GUARD looks at the length before, EARLY reads an entry that others write.
 */
#include "graph.h"

__global__ void populate(graph graph, const int *values, data_t *list, data_t *length)
{
    const int v = VERTEX();
    if (!BELOW_END(v, VERTICES)) {
        return;
    }
    bool is_wanted = false;
    for (int e = graph.first[v]; e < graph.first[v] + EDGES_EACH; e++) {
        is_wanted = is_wanted || values[graph.to[e]] > 60;
    }
    if (!is_wanted || RANK() != 0) {
        return;
    }
#if defined(ATOMIC)
    const int place = *length;
    *length = place + 1;
#elif defined(GUARD)
    if (*length >= VERTICES) {
        return;
    }
    const int place = atomicAdd((int *)length, 1);
#else
    const int place = atomicAdd((int *)length, 1);
#endif
    list[place] = v;
#ifdef EARLY
    if (place > 0) {
        list[VERTICES + v] = list[place - 1];
    }
#endif
}

int main()
{
    const graph graph = new_graph();
    const int *values = new_input<int>(VERTICES);
    int *length = new_output<int>(1);
    populate<<<BLOCKS, THREADS>>>(graph, values, new_output<int>(2 * VERTICES), length);
    print_result("populate_worklist", length, 1);
    return 0;
}
