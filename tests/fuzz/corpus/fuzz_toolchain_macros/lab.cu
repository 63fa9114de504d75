#include <stdio.h>
#define A_WIDTH (1 << \
                 10) // columns
#ifndef BLOCK_SIZE
%:define BLOCK_SIZE 16u
#endif
__device__ float d_A[A_WIDTH];
enum { min = 1'024, other };
const char *raw = R"x(
#define A_WIDTH 5
)x";
int main() { for (int BLOCK_SIZE = 8; BLOCK_SIZE < 9; BLOCK_SIZE++) {} }
