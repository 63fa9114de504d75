/* vector_add.h: what the exercises and the given main program agree on.
 *
 * All arrays are in device memory and have n elements. n is 1 or more. When a function returns, or
 * after the cudaDeviceSynchronize() that the main program does next, the result is complete.
 */
#ifndef VECTOR_ADD_H
#define VECTOR_ADD_H

/* c[i] = a[i] + b[i] for i from 0 to n - 1. What is in d_c before does not count. */
void addVectors(const float *d_a, const float *d_b, float *d_c, int n);

/* y[i] = alpha * x[i] + y[i] for i from 0 to n - 1: the result replaces what is in d_y. */
void saxpy(float alpha, const float *d_x, float *d_y, int n);

#endif
