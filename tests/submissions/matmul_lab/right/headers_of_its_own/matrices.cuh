#ifndef MATRICES_CUH
#define MATRICES_CUH

#include "sizes.h"

__device__ float d_A[A_HEIGHT][A_WIDTH];
__device__ float d_B[B_HEIGHT][B_WIDTH];
__device__ float d_C[A_HEIGHT][B_WIDTH];

__device__ __forceinline__ float dot(const float (&row)[BLOCK_SIZE],
                                     const float (&columns)[BLOCK_SIZE][BLOCK_SIZE], int column)
{
    float sum = 0;
    for (int k = 0; k < BLOCK_SIZE; k++) {
        sum += row[k] * columns[k][column];
    }
    return sum;
}

#endif
