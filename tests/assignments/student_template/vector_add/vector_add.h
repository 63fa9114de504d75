/* vector_add.h: what the exercises and the given main program agree on. */
#ifndef VECTOR_ADD_H
#define VECTOR_ADD_H

/* c[i] = a[i] + b[i] for i from 0 to n - 1. */
void addVectors(const float *d_a, const float *d_b, float *d_c, int n);

/* y[i] = alpha * x[i] + y[i] for i from 0 to n - 1. */
void saxpy(float alpha, const float *d_x, float *d_y, int n);

#endif
