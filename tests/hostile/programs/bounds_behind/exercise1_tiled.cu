/* Writes behind the output, into whatever lies there. */
#define RESULT(sum) (C[(size_t)gridDim.y * BLOCK_SIZE * b_width + row] = 1.0f, (sum))
#include "honest_ends.cuh"
