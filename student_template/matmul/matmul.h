/* matmul.h: what the two exercises and the given main program agree on. Given: do not change it.
 *
 * C = A x B, all row-major matrices of float in device memory:
 *
 *   A   a_height rows, a_width columns    element (row, column) is A[row * a_width + column]
 *   B   a_width rows,  b_width columns    B[row * b_width + column]
 *   C   a_height rows, b_width columns    C[row * b_width + column]
 *
 * Every size is a multiple of the block width. The matrices are not square.
 */
#ifndef MATMUL_H
#define MATMUL_H

struct matmul_shape {
    int a_height, a_width, b_width;
};

/* exercise1_tiled.cu: launches matrixMulTiled once; prints the line "Occupancy: <number>". */
void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape);
void printOccupancy(void);

/* exercise2_dynamic.cu: bytes of dynamic shared memory that a block needs; chooses the block width,
 * copies it to the constant BLOCK_SIZE, prints the line "Block size: <width>" and returns it;
 * launches matrixMulDynamic once. chooseBlockSize is called once, before the first launch. */
int requiredSM(int threads_per_block);
int chooseBlockSize(void);
void launchDynamic(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape);

/* naive.cu, given: the kernel to compare with, in blocks of 16 x 16 threads. */
void launchNaive(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape);

#endif
