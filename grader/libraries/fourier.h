/* fourier.h: discrete Fourier transforms of any length, in doubles. */
#ifndef GPUGRADE_LIBRARIES_FOURIER_H
#define GPUGRADE_LIBRARIES_FOURIER_H

#include <stdbool.h>
#include <stddef.h>

struct fourier_number {
    double re, im;
};

/* Transforms an array of three dimensions in place, the last one without gaps; `sign` is that of the
 * exponent, and nothing is divided. False: there is no memory. */
bool fourier_transform(struct fourier_number *values, const size_t dimensions[3], int sign);

#endif
