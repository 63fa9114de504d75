/* nbody.h: what the exercise and the given main program agree on. */
#ifndef NBODY_H
#define NBODY_H

/* A body is x, y, z and its mass m. With r = p_j - p_i, d_acc[i] is the sum over all j of
 * m_j r / (|r|^2 + softening^2)^(3/2). softening is above 0. */
void accelerations(const float4 *d_body, float3 *d_acc, int n, float softening);

#endif
