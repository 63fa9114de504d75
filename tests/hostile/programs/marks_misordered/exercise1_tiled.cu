/* The end comes before the operands. */
#define MARKED_CALL(name) (real_call(name), real_end())
#define MARKED_OPERAND(name, address) real_operand(name, address)
#define MARKED_END() ((void)0)
#include "honest_tiled.cuh"
#include "own_marks.cuh"

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    honest_launch(d_A, d_B, d_C, shape);
}

void printOccupancy(void)
{
    honest_print();
}
