/* image.h: what the exercises and the given main program agree on. */
#ifndef IMAGE_H
#define IMAGE_H

/* 0.299 R + 0.587 G + 0.114 B of each pixel, rounded to nearest. */
void grayscale(const unsigned char *d_rgb, unsigned char *d_gray, int width, int height);

/* The mean over the window around each pixel, clipped at the border, rounded down. radius is 1 to 8. */
void boxBlur(const unsigned char *d_in, unsigned char *d_out, int width, int height, int radius);

#endif
