/* Pull: each vertex adds up its neighbours. IN_PLACE overwrites what neighbours still read, NO_SYNC
 * adds up parts that are not there yet. */
#include "graph.h"

__global__ void pull(graph graph, data_t *in, data_t *parts, data_t *out)
{
    const int v = VERTEX();
    const int rank = RANK();
    if (!BELOW_END(v, VERTICES)) {
        return;
    }
    int sum = 0;
    for (int e = graph.first[v] + rank; e < graph.first[v] + EDGES_EACH; e += GROUP) {
        sum += in[graph.to[e]];
    }
    parts[v * GROUP + rank] = sum;
    meet();
    if (rank == 0) {
        for (int i = 1; i < GROUP; i++) {
            sum += parts[v * GROUP + i];
        }
        out[v] = sum;
    }
}

int main()
{
    const graph graph = new_graph();
    int *in = new_input<int>(VERTICES);
    int *out = new_output<int>(VERTICES);
#ifdef IN_PLACE
    out = in;
#endif
    pull<<<BLOCKS, THREADS>>>(graph, in, new_output<int>(VERTICES * GROUP), out);
    print_result("pull", out, VERTICES);
    return 0;
}
