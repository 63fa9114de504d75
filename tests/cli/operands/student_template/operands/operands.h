/* operands.h: small kernels whose operands are of every kind that a rubric may name. */
#ifndef OPERANDS_H
#define OPERANDS_H

#include <cuda_fp16.h>

/* y = alpha x + y, in place. */
void launchSaxpy(float alpha, const float *x, float *y, int n);

/* The positive elements, in order, and how many there are. */
void launchCompact(const int *in, int *out, int *count, int n);

/* The keys in any order that is ascending by the last decimal digit. */
void launchSort(unsigned *keys, int n);

/* 0.299 R + 0.587 G + 0.114 B. */
void launchGray(const uchar3 *rgb, unsigned char *gray, int n);

/* How often each value occurs; the bins are zeros before. */
void launchBins(const unsigned char *in, unsigned *bins, int n);

/* A sparse matrix times a vector. */
void launchSparse(const int *start, const int *column, const float *value, const float *x, float *y,
                  int rows);

/* 2 x + 1 in half precision; 64-bit products. */
void launchHalf(const __half *x, __half *y, int n);
void launchProducts(const long long *x, const unsigned *y, long long *product, int n);

/* Sums of a vector's neighbours; the rest of scratch is free. */
void launchVectors(const float4 *in, float3 *out, float4 *scratch, int n);

/* The sum of all elements. */
void launchSum(const float *in, float *out, int n);

/* 1 where x is at least 0.1 x_0 * 10, which floats do not agree on. */
void launchSteps(const float *x, int *steps, int n);

#endif
