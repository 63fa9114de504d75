#include "vector_add.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void addGroup(const float *a, const float *b, float *c, int n)
{
    const cg::grid_group grid = cg::this_grid();
    for (unsigned i = grid.thread_rank(); i < n; i += grid.size()) {
        c[i] = a[i] + b[i];
    }
}

void addVectors(const float *d_a, const float *d_b, float *d_c, int n)
{
    void *arguments[] = {&d_a, &d_b, &d_c, &n};
    cudaLaunchCooperativeKernel((const void *)addGroup, dim3(32), dim3(256), arguments, 0,
                                nullptr);
}
