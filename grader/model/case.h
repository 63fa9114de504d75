/* case.h: cases drawn from a rubric by a seed. */
#ifndef GPUGRADE_MODEL_CASE_H
#define GPUGRADE_MODEL_CASE_H

#include "model/rubric.h"

/* One case that is to be run. */
struct drawn_case {
    size_t case_index;
    uint32_t repetition;
    int64_t units[RUBRIC_PARAMETERS_MAX]; /* drawn values; times the unit = elements */
    const struct expression *own_units[RUBRIC_PARAMETERS_MAX]; /* NULL: the parameter's unit */
};

/* True if the first `parameter_count` ranges of a case can all give different values: what
 * `distinct` needs. */
bool case_ranges_fit(const struct rubric_case *drawn_from, size_t parameter_count);

/* Draws all cases of a rubric in its order: repeat draws of each, reproducible by seed; with
 * `distinct` the drawn values of one case all differ. Everything lives in the arena. */
void cases_draw(struct arena *arena, const struct rubric *rubric, uint64_t seed,
                const struct drawn_case **out_cases, size_t *out_count);

/* The parameters, in elements, of the first case that is drawn of a rubric's; those without a value
 * are 0. */
void case_draw_first(struct arena *arena, const struct rubric *rubric, uint64_t seed,
                     size_t case_index, int64_t out_parameters[RUBRIC_PARAMETERS_MAX]);

/* The block width that a launch's `block` gives for a case; 0 if the launch has none, so that it is
 * learnt from a run, or if the value is not a whole number of at least 1. */
int64_t case_block(const struct rubric *rubric, const struct rubric_launch *launch,
                   const struct drawn_case *drawn);

/* The values of a program's overrides, [override_count], for parameters in elements; false if one
 * is not a whole number that fits in an int. `block` 0: unknown. */
bool case_override_values(const struct rubric *rubric, const struct rubric_program *program,
                          const int64_t *parameters, int64_t block,
                          int64_t out_values[RUBRIC_OVERRIDES_MAX]);

/* The parameters of a drawn case in elements for a block width; false if a unit has no value. */
bool case_parameters(const struct rubric *rubric, const struct drawn_case *drawn, int64_t block,
                     int64_t out_parameters[RUBRIC_PARAMETERS_MAX]);

/* The shape at which a criterion of the kind speedup is timed, in elements, on a GPU with that many
 * multiprocessors; false if an expression is not a whole number of at least 1. */
bool case_timing_parameters(const struct rubric *rubric, const struct rubric_criterion *criterion,
                            uint32_t multiprocessors,
                            int64_t out_parameters[RUBRIC_PARAMETERS_MAX]);

/* Looks up "block", "threads" and the rubric's parameters in expressions. */
struct case_scope {
    const struct rubric *rubric;
    const int64_t *parameters; /* NULL: none */
    int64_t block;             /* 0: unknown */
    int64_t threads;           /* per block; 0: unknown */
};
bool case_lookup(void *scope, const char *name, double *out_value); /* an expression_lookup */

/* The most bytes of an operand of a case: what fits in one message to a device process. */
enum { CASE_OPERAND_BYTES_MAX = 1 << 30 };

/* Elements of an operand, and its extents [rank], slowest first; 0 if an extent is not a whole
 * number of at least 1, or the operand is larger than the device memory that the rubric allows. */
size_t case_elements(const struct case_scope *scope, const struct rubric_operand *operand,
                     uint64_t out_extents[3]);

#endif
