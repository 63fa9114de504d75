/* image.h: what the exercises and the given main program agree on. Given: do not change it.
 *
 * Images are in device memory: height rows of width pixels, row by row. A gray pixel (y, x) is byte
 * y * width + x. A colour pixel (y, x) is three bytes that follow each other: red, green and blue,
 * from byte 3 * (y * width + x) on.
 */
#ifndef IMAGE_H
#define IMAGE_H

/* exercise1_gray.cu: 0.299 red + 0.587 green + 0.114 blue of each pixel, rounded to nearest. */
void grayscale(const unsigned char *d_rgb, unsigned char *d_gray, int width, int height);

/* exercise2_blur.cu: for each pixel, the mean over the square window of 2 radius + 1 rows and
 * columns around it, rounded down. Only pixels inside of the image count. radius is 1 to 8. */
void boxBlur(const unsigned char *d_in, unsigned char *d_out, int width, int height, int radius);

#endif
