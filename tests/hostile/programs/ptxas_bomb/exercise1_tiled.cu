/* A kernel that takes the assembler and the device's loader very long. */
#include "honest_ends.cuh"

#define S1                                                                                         \
    x = x * y + z;                                                                                 \
    y = y * z + x;                                                                                 \
    z = z * x + y;                                                                                 \
    if (x > y) {                                                                                   \
        x += A[(int)z & 15];                                                                       \
    }
#define S2 S1 S1 S1 S1 S1 S1 S1 S1 S1 S1
#define S3 S2 S2 S2 S2 S2 S2 S2 S2 S2 S2
#define S4 S3 S3 S3 S3 S3 S3 S3 S3 S3 S3
#define S5 S4 S4 S4 S4 S4 S4 S4 S4 S4 S4

__global__ void planted(const float *A, float *C)
{
    float x = A[0], y = A[1], z = A[2];
    S5 S5 S5 C[0] = x + y + z;
}
