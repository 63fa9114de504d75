#include "spmv.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void multiplyRows(const int *row_start, const int *column, const float *value,
                             const float *x, float *y, int rows)
{
    const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int row = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank();

    if (row < rows) {
        float sum = 0.0f;
        for (int k = row_start[row] + warp.thread_rank(); k < row_start[row + 1];
             k += warp.size()) {
            sum += value[k] * x[column[k]];
        }
        sum = cg::reduce(warp, sum, cg::plus<float>());
        if (warp.thread_rank() == 0) {
            y[row] = sum;
        }
    }
}

void spmv(const int *d_row_start, const int *d_column, const float *d_value, const float *d_x,
          float *d_y, int rows)
{
    const int warps = 4;
    multiplyRows<<<(rows + warps - 1) / warps, 32 * warps>>>(d_row_start, d_column, d_value, d_x,
                                                             d_y, rows);
}
