/* Push: each vertex adds its value to its neighbours. ATOMIC adds without an atomic, GUARD looks
 * before the atomic, IN_PLACE reads the value that others add to, SWAP adds by compare-and-swap. */
#include "graph.h"

__device__ void add(data_t *to, int value)
{
#if defined(ATOMIC)
    *to = *to + value;
#elif defined(GUARD)
    if (*to < 1 << 20) {
        atomicAdd((int *)to, value);
    }
#elif defined(SWAP)
    int seen = *to;
    int assumed;
    do {
        assumed = seen;
        seen = atomicCAS((int *)to, assumed, assumed + value);
    } while (seen != assumed);
#else
    atomicAdd((int *)to, value);
#endif
}

__global__ void push(graph graph, data_t *in, data_t *out)
{
    const int v = VERTEX();
    if (!BELOW_END(v, VERTICES)) {
        return;
    }
    const int value = in[v];
    for (int e = graph.first[v] + RANK(); e < graph.first[v] + EDGES_EACH; e += GROUP) {
        add(&out[graph.to[e]], value);
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
    push<<<BLOCKS, THREADS>>>(graph, in, out);
    print_result("push", out, VERTICES);
    return 0;
}
