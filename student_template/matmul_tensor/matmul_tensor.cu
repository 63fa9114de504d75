/* The product of two matrices of halves, on tensor cores. See README.md. */
#include "matmul_tensor.h"

#include <mma.h>

using namespace nvcuda;

__global__ void multiplyTiles(const half *a, const half *b, float *c, int m, int n, int k)
{
    /* TODO 1: work out which 16 x 16 tile of C belongs to this warp, and declare its fragments. Start
     *         the accumulator with zeros.
     * TODO 2: go along k in steps of 16. The threads of the block load the parts of A and B that
     *         its warps need into shared memory; then each warp loads its fragments from there and
     *         multiplies. Which barriers does this need?
     * TODO 3: store the accumulator, if the tile lies in C. */
}

void multiply(const half *d_a, const half *d_b, float *d_c, int m, int n, int k)
{
    /* TODO 4: launch the kernel in blocks of several warps that cover all tiles of C. */
}
