/* matmul_square.h: what the exercise and the given main program agree on. Given: do not change it.
 *
 * P = M x N, square row-major matrices of float in device memory, all of the same width: element
 * (row, column) of M is d_M[row * Width + column]. Width is a multiple of the width of a tile.
 * M and N are only read.
 */
#ifndef MATMUL_SQUARE_H
#define MATMUL_SQUARE_H

/* tiled.cu: returns the width of a tile; launches MatrixMulKernel once; prints the line
 * "Occupancy: <number>". */
int tileWidth(void);
void launchTiled(float *d_M, float *d_N, float *d_P, int Width);
void printOccupancy(void);

/* simple.cu, given: the kernel without tiles to compare with, in blocks of edge x edge threads. */
void launchSimple(const float *d_M, const float *d_N, float *d_P, int Width, int edge);

#endif
