/* reduction.h: what the exercise and the given main program agree on. */
#ifndef REDUCTION_H
#define REDUCTION_H

/* *d_out = the sum of all n elements; n is 1 or more. */
void reduceSum(const float *d_in, float *d_out, int n);

/* *d_out = the largest of all n elements. */
void reduceMax(const int *d_in, int *d_out, int n);

#endif
