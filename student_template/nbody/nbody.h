/* nbody.h: what the exercise and the given main program agree on. Given: do not change it.
 *
 * A body is a float4: its position p = (x, y, z), and its mass m in w. Each body pulls at every
 * other one. With r = p_j - p_i, the acceleration of body i is the sum over all j of
 *
 *   m_j r / (|r|^2 + softening^2)^(3/2)
 *
 * softening is above 0, so nothing is divided by 0: for j = i, r is 0, and nothing is added.
 */
#ifndef NBODY_H
#define NBODY_H

/* Writes d_acc[0] to d_acc[n - 1]. Both arrays are in device memory and have n elements. n is at
 * least 1. d_acc starts undefined, and d_body keeps its values. */
void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening);

#endif
