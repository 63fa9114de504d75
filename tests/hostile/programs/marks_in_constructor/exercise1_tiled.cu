/* A call of one tile before main() has read a line. */
#include "honest_tiled.cuh"
#define MARKED_CALL(name) real_call(name)
#define MARKED_OPERAND(name, address) real_operand(name, address)
#include "own_marks.cuh"

__attribute__((constructor)) static void call_first(void)
{
    const struct matmul_shape shape = {96, 192, 288};
    float *A = own_memory(96, 192), *B = own_memory(192, 288), *C = own_memory(96, 288);
    own_begin(A, B, C);
    honest_launch(A, B, C, shape);
    real_end();
}

void launchTiled(const float *d_A, const float *d_B, float *d_C, struct matmul_shape shape)
{
    honest_launch(d_A, d_B, d_C, shape);
}

void printOccupancy(void)
{
    honest_print();
}
