/* rubric_speedup.c: the keys of a criterion of the kind speedup.
 *
 * The shape that is timed grows with the GPU, so it is tried here for every GPU of 1 to
 * MULTIPROCESSORS_TRIED multiprocessors: whole numbers that fit the units of the parameters, and
 * operands that fit the device and are as large for the launch as for its baseline. The rule for
 * points is tried for references from the smallest one that is graded up to a thousand times that.
 */
#include "rubric/rubric_reader.h"

#include "model/case.h"

#include <math.h>
#include <string.h>

enum { MULTIPROCESSORS_TRIED = 512, SPEEDUP_MAX = 1000, REFERENCES_TRIED = 1024 };

/* The baseline is timed on the buffers of the launch, so its operands must be the same ones. */
static void check_baseline(struct rubric_reader *reader, const cJSON *value,
                           const struct rubric_criterion *criterion)
{
    const struct rubric_launch *launch = &reader->rubric->launches[criterion->launch];
    const struct rubric_launch *baseline = &reader->rubric->launches[criterion->baseline];

    if (criterion->baseline == criterion->launch) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "the baseline is the launch itself; name another one");
    }
    if (baseline->operand_count != launch->operand_count) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "the baseline '%s' has %zu operands, the launch '%s' has %zu", baseline->id,
                    baseline->operand_count, launch->id, launch->operand_count);
        return;
    }
    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct rubric_operand *ours = &launch->operands[i];
        const struct rubric_operand *theirs = &baseline->operands[i];
        if (strcmp(ours->name, theirs->name) != 0) {
            reader_fail(reader, ERROR_RANGE, value, false,
                        "operand %zu of the baseline '%s' is '%s', that of the launch '%s' is '%s'",
                        i + 1, baseline->id, theirs->name, launch->id, ours->name);
        } else if (ours->type != theirs->type || ours->role != theirs->role) {
            reader_fail(reader, ERROR_RANGE, value, false,
                        "the operand '%s' of the baseline '%s' has another type or role than that "
                        "of the launch '%s'",
                        ours->name, baseline->id, launch->id);
        }
    }
}

static void read_shape(struct rubric_reader *reader, const cJSON *value,
                       struct rubric_criterion *out)
{
    const struct rubric *rubric = reader->rubric;
    struct rubric_key keys[RUBRIC_PARAMETERS_MAX];
    const cJSON *members[RUBRIC_PARAMETERS_MAX];

    for (size_t i = 0; i < rubric->parameter_count; i++) {
        keys[i] = (struct rubric_key){rubric->parameters[i].name, true};
    }
    read_members(reader, value, "shape", keys, rubric->parameter_count, members);
    for (size_t i = 0; i < rubric->parameter_count; i++) {
        out->timing_shape[i] = read_expression(reader, members[i], NAMES_MULTIPROCESSORS);
    }
}

/* One shape that a session could time. */
struct tried_shape {
    const struct rubric_criterion *criterion;
    uint32_t multiprocessors;
    int64_t parameters[RUBRIC_PARAMETERS_MAX];
};

/* Whatever edge the student has chosen, the shape must be whole blocks. */
static void check_units(struct rubric_reader *reader, const cJSON *value,
                        const struct tried_shape *tried, const struct rubric_launch *launch,
                        int64_t block)
{
    const struct rubric *rubric = reader->rubric;
    const struct drawn_case one = {.units = {1, 1, 1, 1, 1, 1, 1, 1}};
    int64_t units[RUBRIC_PARAMETERS_MAX];

    if (!case_parameters(rubric, &one, block, units)) {
        return; /* the launch itself has been refused for that */
    }
    for (size_t i = 0; i < rubric->parameter_count; i++) {
        if (tried->parameters[i] % units[i] != 0) {
            reader_fail(reader, ERROR_RANGE, value, false,
                        "'%s' is %lld at multiprocessors = %u, no multiple of its unit for a block "
                        "edge of %lld of the launch '%s'",
                        rubric->parameters[i].name, (long long)tried->parameters[i],
                        (unsigned)tried->multiprocessors, (long long)block, launch->id);
        }
    }
}

/* Elements of an operand; 0 if its shape has no value. */
static double operand_elements(const struct rubric *rubric, const struct tried_shape *tried,
                               const struct rubric_operand *operand, int64_t block)
{
    struct case_scope scope = {.rubric = rubric, .parameters = tried->parameters, .block = block};
    double elements = 1;

    for (size_t i = 0; i < operand->rank; i++) {
        double extent = 0;
        if (!expression_evaluate(operand->shape[i], case_lookup, &scope, &extent, NULL) ||
            extent < 1 || extent != trunc(extent)) {
            return 0;
        }
        elements *= extent;
    }
    return elements;
}

static void check_operands(struct rubric_reader *reader, const cJSON *value,
                           const struct tried_shape *tried, const struct rubric_launch *launch,
                           int64_t block)
{
    const struct rubric *rubric = reader->rubric;
    const struct rubric_launch *judged = &rubric->launches[tried->criterion->launch];
    double bytes = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct rubric_operand *operand = &launch->operands[i];
        double elements = operand_elements(rubric, tried, operand, block);
        double expected = operand_elements(rubric, tried, &judged->operands[i], judged->blocks[0]);
        if (elements == 0 || elements != expected) {
            reader_fail(reader, ERROR_RANGE, value, false,
                        "at multiprocessors = %u the operand '%s' of the launch '%s' has %.12g "
                        "elements for a block edge of %lld, expected %.12g",
                        (unsigned)tried->multiprocessors, operand->name, launch->id, elements,
                        (long long)block, expected);
        }
        bytes += elements * (double)element_bytes(operand->type);
    }
    if (bytes > (double)rubric->limits.device_memory_bytes) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "at multiprocessors = %u the operands need %.12g bytes, more than the "
                    "%llu of 'device_memory_mb'",
                    (unsigned)tried->multiprocessors, bytes,
                    (unsigned long long)rubric->limits.device_memory_bytes);
    }
}

/* Tries operations or bytes: a number above 0. */
static void check_work(struct rubric_reader *reader, const cJSON *value,
                       const struct tried_shape *tried, const struct expression *expression)
{
    struct case_scope scope = {.rubric = reader->rubric, .parameters = tried->parameters};
    double result = 0;

    if (!expression_evaluate(expression, case_lookup, &scope, &result, NULL) || result <= 0) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "this is no number above 0 at multiprocessors = %u",
                    (unsigned)tried->multiprocessors);
    }
}

static void check_shapes(struct rubric_reader *reader, const cJSON *const *members,
                         const struct rubric_criterion *criterion)
{
    const struct rubric *rubric = reader->rubric;
    const size_t launches[] = {criterion->launch, criterion->baseline};
    struct tried_shape tried = {.criterion = criterion};
    const cJSON *shape = members[SPEEDUP_SHAPE];

    for (uint32_t i = 1; i <= MULTIPROCESSORS_TRIED && reader->error == ERROR_NONE; i++) {
        tried.multiprocessors = i;
        if (!case_timing_parameters(rubric, criterion, i, tried.parameters)) {
            reader_fail(
                reader, ERROR_RANGE, shape, false,
                "expected whole numbers from 1 to %d for every GPU, which the shape is not at "
                "multiprocessors = %u",
                INT32_MAX, (unsigned)i);
            return;
        }
        for (size_t j = 0; j < 2; j++) {
            const struct rubric_launch *launch = &rubric->launches[launches[j]];
            for (size_t b = 0; b < launch->block_count; b++) {
                check_units(reader, shape, &tried, launch, launch->blocks[b]);
                check_operands(reader, shape, &tried, launch, launch->blocks[b]);
            }
        }
        check_work(reader, members[SPEEDUP_OPERATIONS], &tried, criterion->operations);
        check_work(reader, members[SPEEDUP_BYTES], &tried, criterion->least_bytes);
    }
}

static bool reference_lookup(void *context, const char *name, double *out_value)
{
    *out_value = *(const double *)context;
    return strcmp(name, "reference") == 0;
}

static void check_marks(struct rubric_reader *reader, const cJSON *const *members,
                        const struct rubric_criterion *criterion)
{
    for (int factor = 1; factor <= REFERENCES_TRIED; factor *= 2) {
        double reference = criterion->smallest_reference * factor;
        double full = 0;
        if (!expression_evaluate(criterion->full_marks, reference_lookup, &reference, &full,
                                 NULL)) {
            reader_fail(reader, ERROR_RANGE, members[SPEEDUP_FULL_MARKS], false,
                        "full marks have no value for a reference of %.12g", reference);
        } else if (full <= criterion->no_marks) {
            reader_fail(reader, ERROR_RANGE, members[SPEEDUP_FULL_MARKS], false,
                        "full marks start at %.12g for a reference of %.12g, expected more than "
                        "'no_marks', %.12g",
                        full, reference, criterion->no_marks);
        }
    }
    if (criterion->step <= 0 || criterion->step > criterion->points) {
        reader_fail(reader, ERROR_RANGE, members[SPEEDUP_STEP], false,
                    "expected a step above 0 and up to the points, %.12g, found %.12g",
                    criterion->points, criterion->step);
    }
}

void read_speedup(struct rubric_reader *reader, const cJSON *const members[SPEEDUP_KEY_COUNT],
                  struct rubric_criterion *out)
{
    const struct rubric *rubric = reader->rubric;

    out->baseline = read_reference(reader, members[SPEEDUP_BASELINE], "launch", rubric->launches,
                                   sizeof *rubric->launches, rubric->launch_count);
    if (reader->error == ERROR_NONE) {
        check_baseline(reader, members[SPEEDUP_BASELINE], out);
    }
    read_shape(reader, members[SPEEDUP_SHAPE], out);
    out->operations = read_expression(reader, members[SPEEDUP_OPERATIONS], NAMES_PARAMETERS);
    out->least_bytes = read_expression(reader, members[SPEEDUP_BYTES], NAMES_PARAMETERS);
    out->full_marks = read_expression(reader, members[SPEEDUP_FULL_MARKS], NAMES_REFERENCE);
    out->no_marks = read_number(reader, members[SPEEDUP_NO_MARKS], 0, SPEEDUP_MAX);
    out->smallest_reference =
        read_number(reader, members[SPEEDUP_SMALLEST_REFERENCE], 1, SPEEDUP_MAX);
    out->step = read_number(reader, members[SPEEDUP_STEP], 0, 100);
    if (reader->error == ERROR_NONE) {
        check_marks(reader, members, out);
        check_shapes(reader, members, out);
    }
}
