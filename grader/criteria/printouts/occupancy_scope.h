/* occupancy_scope.h: what the formulas of an occupancy may name, and when a printed number is one
 * of their values. */
#ifndef GPUGRADE_CRITERIA_PRINTOUTS_OCCUPANCY_SCOPE_H
#define GPUGRADE_CRITERIA_PRINTOUTS_OCCUPANCY_SCOPE_H

#include "criteria/printouts/printouts.h"

/* A kernel and its block on a GPU model. */
struct occupancy_scope {
    const struct gpu_model *model;
    uint64_t threads;
    bool knows_active; /* the kernel's registers are known and the block can run */
    struct occupancy_result active;
};

/* The scopes that may hold: of the observed launch's block, or of each block width that is allowed.
 * Where the kernel's registers are an interval, a block has one for each number of blocks that may
 * fit; the first is that of the registers that the device has. */
struct occupancy_scopes {
    struct occupancy_scope *items; /* [count] */
    size_t count;
};

/* The scopes of a launch on the input's model. */
struct occupancy_scopes occupancy_scopes_of(const struct criteria_input *input, struct arena *arena,
                                            size_t launch);

/* The value of a formula; false if it names what is not known. */
bool occupancy_formula_value(const struct rubric_formula *formula,
                             const struct occupancy_scope *scope, double *out_value);

/* True if a value, rounded to the digits that are printed, gives the number. Half a unit of the
 * last digit is widened by a few roundings in float, in which students compute. */
bool printed_within_digits(const struct printed_number *number, double value);

/* True if the values are the same but for roundings in float. */
bool occupancy_same_value(double left, double right);

#endif
