#include "mandelbrot.h"

void mandelbrot(int *d_count, int width, int height, float x0, float y0, float x1, float y1,
                int limit)
{
    /* TODO: let each thread compute a pixel. */
}
