/* mandelbrot.h: what the exercise and the given main program agree on. Given: do not change it.
 *
 * An image has width x height pixels. Pixel (i, j) is in column i and row j and stands for a complex
 * number c:
 *
 *   real part       x0 + i (x1 - x0) / width
 *   imaginary part  y0 + j (y1 - y0) / height
 *
 * Its count is how many steps z = z^2 + c, from z = 0 on, it takes until |z|^2 > 4. So a c with
 * |c| > 2 has the count 1. A point that is not there after `limit` steps has the count `limit`.
 */
#ifndef MANDELBROT_H
#define MANDELBROT_H

/* Stores the count of pixel (i, j) at d_count[j * width + i].
 *
 * d_count is in device memory and holds nothing yet. Width, height and limit are at least 1. */
void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit);

#endif
