/* mandelbrot.h: what the exercise and the given main program agree on. */
#ifndef MANDELBROT_H
#define MANDELBROT_H

/* d_count[j * width + i] = the number of steps z = z^2 + c from z = 0 until |z|^2 > 4, at most limit,
 * for c = (x0 + i (x1 - x0) / width, y0 + j (y1 - y0) / height). */
void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit);

#endif
