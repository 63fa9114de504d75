/* bfs.h: what the exercise and the given main program agree on. */
#ifndef BFS_H
#define BFS_H

/* d_level[v] = the fewest edges from the source to v, -1 if there is no way. The edges of u lead to
 * d_edge[d_first[u]] to d_edge[d_first[u + 1] - 1]. */
void bfs(const int *d_first, const int *d_edge, int *d_level, int nodes, int source);

#endif
