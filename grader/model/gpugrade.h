/* gpugrade.h: marks the call of a student's function that is judged, for harnesses.
 *
 *     gpugrade_begin("saxpy");            the call, as the rubric names it
 *     gpugrade_operand("x", d_x);         each array that it is handed, as the rubric names it
 *     gpugrade_operand("y", d_y);
 *     saxpy(alpha, d_x, d_y, n);          the student's function
 *     gpugrade_end();
 *
 * A program with a main() of the student's own, which reads files of the grader's, has one mark,
 * where the result is in host memory:
 *
 *     gpugrade_result(y, n * sizeof *y);
 *
 * An operand is a whole allocation of cudaMalloc, of exactly the size that the rubric says.
 * gpugrade fills the operands itself, so what a harness has copied there does not matter to it, and
 * it reads them itself. Without gpugrade the marks do nothing, so a harness works by plain nvcc
 * too.
 */
#ifndef GPUGRADE_H
#define GPUGRADE_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* gpugrade's runtime has these; others have not. */
__attribute__((weak)) void gpugrade_mark_call(const char *name);
__attribute__((weak)) void gpugrade_mark_operand(const char *name, const void *address);
__attribute__((weak)) void gpugrade_mark_end(void);
__attribute__((weak)) void gpugrade_mark_result(const void *numbers, size_t bytes);

static inline void gpugrade_begin(const char *call)
{
    if (gpugrade_mark_call) {
        gpugrade_mark_call(call);
    }
}

static inline void gpugrade_operand(const char *name, const void *address)
{
    if (gpugrade_mark_operand) {
        gpugrade_mark_operand(name, address);
    }
}

static inline void gpugrade_end(void)
{
    if (gpugrade_mark_end) {
        gpugrade_mark_end();
    }
}

static inline void gpugrade_result(const void *numbers, size_t bytes)
{
    if (gpugrade_mark_result) {
        gpugrade_mark_result(numbers, bytes);
    }
}

#ifdef __cplusplus
}
#endif

#endif
