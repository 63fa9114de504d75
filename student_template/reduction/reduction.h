/* reduction.h: what the exercise and the given main program agree on.
 *
 * d_in points to n elements in device memory, d_out to one. n is 1 or more. When a function
 * returns, or after the cudaDeviceSynchronize() that the main program does next, the result is in
 * *d_out. The elements of d_in keep their values.
 */
#ifndef REDUCTION_H
#define REDUCTION_H

/* *d_out = the sum of all n elements, added in any order. */
void reduceSum(const float *d_in, float *d_out, int n);

/* *d_out = the largest of all n elements, from INT_MIN to INT_MAX. */
void reduceMax(const int *d_in, int *d_out, int n);

#endif
