/* Includes the reference solution. */
#include "@ROOT@/reference/matmul/solution/exercise1_tiled.cu"
