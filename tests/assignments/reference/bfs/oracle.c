/* oracle.c: levels, and random graphs whose nodes lie on chains of some length. */
#include "model/oracle.h"

#include <stdlib.h>

enum { NODES, DEGREE, SOURCE, CHAIN }; /* parameters */

/* The first edge of most nodes leads on to the next one, so that there are many levels; the others
 * lead to nodes that are not far ahead, or anywhere if chains are short. */
static void make_inputs(const struct oracle_problem *problem, struct oracle_random *random,
                        void *const *inputs)
{
    const int64_t nodes = problem->parameters[NODES], degree = problem->parameters[DEGREE];
    const int64_t chain = problem->parameters[CHAIN];
    const int64_t source = problem->parameters[SOURCE];
    int32_t *first = inputs[0], *edge = inputs[1];

    for (int64_t u = 0; u <= nodes; u++) {
        first[u] = (int32_t)(u * degree);
    }
    for (int64_t i = 0; i < nodes * degree; i++) {
        const int64_t u = i / degree, place = (u - source + nodes) % nodes;
        const int64_t on = place % chain + 1 < chain ? place + 1 : place;
        edge[i] = (int32_t)((i % degree == 0 || chain > nodes / 2
                                 ? (on < nodes ? on : place) + source
                                 : oracle_random_range(random, 0, nodes * 3 / 4) + source) %
                            nodes);
    }
}

static void expect(const struct oracle_problem *problem, double *out_expected,
                   double *out_magnitudes)
{
    const int64_t nodes = problem->parameters[NODES];
    const int32_t *first = problem->inputs[0], *edge = problem->inputs[1];
    int32_t *queue = malloc((size_t)nodes * sizeof *queue);
    int64_t head = 0, tail = 1;

    (void)out_magnitudes;
    if (queue == NULL) {
        return;
    }
    for (int64_t v = 0; v < nodes; v++) {
        out_expected[v] = -1;
    }
    queue[0] = (int32_t)problem->parameters[SOURCE];
    out_expected[queue[0]] = 0;
    for (; head < tail; head++) {
        for (int32_t k = first[queue[head]]; k < first[queue[head] + 1]; k++) {
            if (out_expected[edge[k]] < 0) {
                out_expected[edge[k]] = out_expected[queue[head]] + 1;
                queue[tail++] = edge[k];
            }
        }
    }
    free(queue);
}

const struct oracle gpugrade_oracle = {
    .abi_version = ORACLE_ABI_VERSION, .expect = expect, .make_inputs = make_inputs};
