#include "bfs.h"

void bfs(const int *d_first, const int *d_edge, int *d_level, int nodes, int source)
{
    /* TODO: a launch for each level. */
}
