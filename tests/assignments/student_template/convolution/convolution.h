/* convolution.h: what the exercise and the given main program agree on. */
#ifndef CONVOLUTION_H
#define CONVOLUTION_H

/* Copies the mask of (2 radius + 1)^2 elements, row by row, to constant memory; radius is 1 to 4. */
void setMask(const float *h_mask, int radius);

/* Convolves an image with the mask; outside of the image all is zero. */
void convolve(const float *d_in, float *d_out, int width, int height);

#endif
