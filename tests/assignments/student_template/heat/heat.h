/* heat.h: what the exercise and the given main program agree on. */
#ifndef HEAT_H
#define HEAT_H

/* So many steps: each inner point becomes a quarter of the sum of its four neighbours; the border
 * stays. The field starts and ends in d_a; d_b is scratch of the same size. steps is 0 or more. */
void heat(float *d_a, float *d_b, int width, int height, int steps);

#endif
