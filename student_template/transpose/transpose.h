/* transpose.h: what the three exercises and the given main program agree on. Given: do not change
 * it.
 *
 * X is a row-major matrix of float in device memory, with height rows and width columns:
 * element (row, column) is X[row * width + column]. A kernel turns it into Y:
 *
 *   copy        Y has height rows and width columns;  Y(row, column) = X(row, column)
 *   transpose   Y has width rows and height columns;  Y(column, row) = X(row, column)
 *
 * Sizes can be any number from 1 up: do not expect a square matrix, or multiples of the tile.
 */
#ifndef TRANSPOSE_H
#define TRANSPOSE_H

/* Columns of a block; rows and columns of a tile. */
#define TILE_DIM 32

struct matrix_shape {
    int height, width; /* of X */
};

/* exercise1_naive.cu: each launches the kernel of its name once. */
void launchCopyNaive(const float *d_X, float *d_Y, struct matrix_shape shape);
void launchTransposeNaive(const float *d_X, float *d_Y, struct matrix_shape shape);

/* exercise2_shared.cu */
void launchCopyShared(const float *d_X, float *d_Y, struct matrix_shape shape);
void launchTransposeShared(const float *d_X, float *d_Y, struct matrix_shape shape);

/* exercise3_rows.cu */
void launchTransposeRows(const float *d_X, float *d_Y, struct matrix_shape shape);
void launchTransposeNoConflicts(const float *d_X, float *d_Y, struct matrix_shape shape);

#endif
