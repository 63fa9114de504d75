/* heat.h: what the exercise and the given main program agree on. Given: do not change it. */
#ifndef HEAT_H
#define HEAT_H

/* Makes `steps` Jacobi steps on a field of height rows and width columns, row by row: the point in
 * column x and row y is element y * width + x. In each step an inner point becomes
 *
 *   0.25f * (up + down + left + right)
 *
 * of the field before the step. The points of the border keep their values.
 *
 * Both arrays are in device memory and hold width * height elements. The field starts in d_a and
 * ends in d_a. d_b is scratch memory, which starts undefined. width and height are at least 1, and
 * steps is at least 0. */
void heat(float *d_a, float *d_b, int width, int height, int steps);

#endif
