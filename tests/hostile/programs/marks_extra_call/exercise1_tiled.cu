/* Another call with the same operands, so that the next case meets a call that is done. */
#include "honest_tiled.cuh"
#define MARKED_CALL(name) real_call(name)
#define MARKED_OPERAND(name, address) real_operand(name, address)
static void end_twice(void);
#define MARKED_END() end_twice()
#include "own_marks.cuh"

static const float *last_A, *last_B;
static float *last_C;
static struct matmul_shape last_shape;

static void end_twice(void)
{
    real_end();
    own_begin(last_A, last_B, last_C);
    honest_launch(last_A, last_B, last_C, last_shape);
    real_end();
}

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    last_A = d_A;
    last_B = d_B;
    last_C = d_C;
    last_shape = shape;
    honest_launch(d_A, d_B, d_C, shape);
}

void printOccupancy(void)
{
    honest_print();
}
