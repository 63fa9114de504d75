/* measure.h: what may be counted of a launch, or of a judged call, by name (measures.def).
 *
 *   d_in.loaded_bytes   a place, which is an operand or one of the kinds of memory, and what is
 *                       counted there
 *   d_in.elements       how many elements an operand has
 *   warp_instructions   of all kernels together
 *   reference.streams   the same of the reference solution, for the same case and inputs
 *   base.streams        the same of the submission, in the first probe of another case
 *
 * All values are sums over the launches, but active_share. An atomic operation loads and stores.
 */
#ifndef GPUGRADE_MODEL_MEASURE_H
#define GPUGRADE_MODEL_MEASURE_H

#include "base/arena.h"
#include "model/observation.h"
#include "model/verdict.h"

enum measure_kind {
#define PLACE_MEASURE(name, ...) MEASURE_##name,
#define WORK_MEASURE(name, ...) MEASURE_##name,
#define CALL_MEASURE(name, ...) MEASURE_##name,
#include "model/measures.def"
    MEASURE_ELEMENTS,
    MEASURE_KINDS
};

enum measured_place {
#define MEASURED_PLACE(name, ...) PLACE_##name,
#include "model/measures.def"
    PLACE_OPERAND, /* and those after it: the operands of the launch */
};

/* Whose numbers a name means. */
enum measured_run { OF_SUBMISSION, OF_REFERENCE, OF_BASE_CASE, MEASURED_RUNS };

/* A name of an expression, understood. */
struct measure {
    enum measure_kind kind;
    size_t place; /* of measures of places: enum measured_place, or PLACE_OPERAND + operand */
    enum measured_run run;
};

/* What is measured. */
struct measured {
    const struct rubric_launch *launch;
    const struct observation *observation;
    const struct sample *sample;
    const char *kernel; /* only kernels of a call whose plain names match (kernel_pattern.h);
                           NULL: all */
};

/* Finds what a name means for a launch; false if it is no measure of it. */
bool measure_find(const struct rubric_launch *launch, const char *name,
                  struct measure *out_measure);

/* True if only a judged call has this. */
bool measure_is_of_call(const struct measure *measure);

/* True if it counts what warps execute. */
bool measure_is_of_instructions(const struct measure *measure);

/* False if no kernel of a call has the name that is asked for. */
bool measure_has_kernel(const struct measured *measured);

/* The number. A share of nothing is 0. */
double measure_value(const struct measure *measure, const struct measured *measured);

/* "bytes loaded from d_in" */
const char *measure_words(struct arena *arena, const struct rubric_launch *launch,
                          const struct measure *measure);

/* The line that makes most of what is counted; of instructions the one that runs most often, and of
 * the share of active lanes the one that runs with most idle ones, among those that access memory
 * or branch. False if there is none, or if it is not certain: accesses of a line may be to several
 * operands, and the work may be elsewhere. */
bool measure_heaviest_line(const struct measure *measure, const struct measured *measured,
                           struct cause_mark *out_line);

/* The line of host code that makes most of what is counted of a call, or keeps it as it is, with a
 * label or NULL; false if it is not known. */
bool measure_host_line(const struct measure *measure, const struct measured *measured,
                       struct cause_mark *out_line);

/* The line that makes all of what is counted but for `others` at most; false if there is none. */
bool measure_only_line(const struct measure *measure, const struct measured *measured,
                       double others, struct cause_mark *out_line);

#endif
