/* matmul_square.h: what the exercise and the given main program agree on. Given: do not change it.
 *
 * P = M x N, square matrices of float in the memory of the device, all of the same width and
 * row-major: element (row, column) of M is d_M[row * Width + column]. Width is a multiple of the
 * width of a tile.
 */
#ifndef MATMUL_SQUARE_H
#define MATMUL_SQUARE_H

/* tiled.cu: the width of a tile; launches MatrixMulKernel once; prints the line
 * "Occupancy: <number>". */
int tileWidth(void);
void launchTiled(float *d_M, float *d_N, float *d_P, int Width);
void printOccupancy(void);

/* simple.cu, given: the kernel without tiles to compare with, in square blocks of that edge. */
void launchSimple(const float *d_M, const float *d_N, float *d_P, int Width, int edge);

#endif
