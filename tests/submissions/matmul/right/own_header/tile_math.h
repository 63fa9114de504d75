/* tile_math.h: a header of the student's own. */
#ifndef TILE_MATH_H
#define TILE_MATH_H

static inline int tiles_in(int elements, int edge)
{
    return elements / edge;
}

static inline __device__ float step(float sum, float left, float right)
{
    return sum + left * right;
}

#endif
