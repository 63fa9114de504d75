/* rubric_speedup.c: the keys of a criterion of the kind speedup.
 *
 * The shape that is timed grows with the GPU, so it is tried here for every GPU of 1 to
 * MULTIPROCESSORS_TRIED multiprocessors: whole numbers that fit the units of the parameters, and
 * operands that fit the device and are as large for the launch as for its baseline. The rule for
 * points is tried for references from the smallest one that is graded up to a thousand times that.
 */
#include "rubric/rubric_baseline.h"

#include "model/case.h"

#include <math.h>
#include <string.h>

enum { MULTIPROCESSORS_TRIED = 512, SPEEDUP_MAX = 1000, REFERENCES_TRIED = 1024 };

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

/* Whatever block width the student has chosen, the shape must be whole blocks. */
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
                        "'%s' is %lld at multiprocessors = %u, which is not a multiple of its unit "
                        "for a block width of %lld of the launch '%s'",
                        rubric->parameters[i].name, (long long)tried->parameters[i],
                        (unsigned)tried->multiprocessors, (long long)block, launch->id);
        }
    }
}

/* The block width that a launch's `block` gives for the shape; 0 if `blocks` does not allow it. */
static int64_t timed_block_width(const struct rubric *rubric, const struct tried_shape *tried,
                                 const struct rubric_launch *launch)
{
    struct drawn_case drawn = {0};

    memcpy(drawn.units, tried->parameters, sizeof tried->parameters);
    int64_t block_width = case_block(rubric, launch, &drawn);
    for (size_t b = 0; b < launch->block_count; b++) {
        if (launch->blocks[b] == block_width) {
            return block_width;
        }
    }
    return 0;
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
    int64_t expected_block =
        judged->block != NULL ? timed_block_width(rubric, tried, judged) : judged->blocks[0];
    double bytes = 0;

    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct rubric_operand *operand = &launch->operands[i];
        double elements = operand_elements(rubric, tried, operand, block);
        double expected = operand_elements(rubric, tried, &judged->operands[i], expected_block);
        if (elements == 0 || elements != expected) {
            reader_fail(reader, ERROR_RANGE, value, false,
                        "at multiprocessors = %u the operand '%s' of the launch '%s' has %.12g "
                        "elements for a block width of %lld, expected %.12g",
                        (unsigned)tried->multiprocessors, operand->name, launch->id, elements,
                        (long long)block, expected);
        }
        bytes += elements * (double)(element_bytes(operand->type) * operand_lanes(operand));
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
                    "this is not a number above 0 at multiprocessors = %u",
                    (unsigned)tried->multiprocessors);
    }
}

static void check_block_width(struct rubric_reader *reader, const cJSON *value,
                              const struct tried_shape *tried, const struct rubric_launch *launch,
                              int64_t block)
{
    const struct rubric_program *program = &reader->rubric->programs[launch->program];
    int64_t values[RUBRIC_OVERRIDES_MAX];

    check_units(reader, value, tried, launch, block);
    check_operands(reader, value, tried, launch, block);
    if (!case_override_values(reader->rubric, program, tried->parameters, block, values)) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "an override of the program '%s' is not a whole number at multiprocessors = %u",
                    program->id, (unsigned)tried->multiprocessors);
    }
}

static void check_launch(struct rubric_reader *reader, const cJSON *value,
                         const struct tried_shape *tried, const struct rubric_launch *launch)
{
    if (launch->block == NULL) {
        for (size_t b = 0; b < launch->block_count; b++) {
            check_block_width(reader, value, tried, launch, launch->blocks[b]);
        }
        return;
    }
    int64_t block = timed_block_width(reader->rubric, tried, launch);
    if (block == 0) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "at multiprocessors = %u the shape gives the launch '%s' a block width that it "
                    "has in no case",
                    (unsigned)tried->multiprocessors, launch->id);
        return;
    }
    check_block_width(reader, value, tried, launch, block);
}

static void check_shapes(struct rubric_reader *reader, const cJSON *const *members,
                         const struct rubric_criterion *criterion)
{
    const struct rubric *rubric = reader->rubric;
    const size_t launches[] = {criterion->launch, criterion->baseline};
    struct tried_shape tried = {.criterion = criterion};
    const cJSON *shape = members[CRITERION_KEY_SHAPE];

    for (uint32_t i = 1; i <= MULTIPROCESSORS_TRIED && reader->error == ERROR_NONE; i++) {
        tried.multiprocessors = i;
        if (!case_timing_parameters(rubric, criterion, i, tried.parameters)) {
            reader_fail(reader, ERROR_RANGE, shape, false,
                        "the shape must be whole numbers from 1 to %d for every GPU, but it is not "
                        "at multiprocessors = %u",
                        INT32_MAX, (unsigned)i);
            return;
        }
        for (size_t j = 0; j < 2; j++) {
            check_launch(reader, shape, &tried, &rubric->launches[launches[j]]);
        }
        check_work(reader, members[CRITERION_KEY_OPERATIONS], &tried, criterion->operations);
        check_work(reader, members[CRITERION_KEY_BYTES], &tried, criterion->least_bytes);
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
            reader_fail(reader, ERROR_RANGE, members[CRITERION_KEY_FULL_MARKS], false,
                        "'full_marks' has no value for a reference of %.12g", reference);
        } else if (full <= criterion->no_marks) {
            reader_fail(reader, ERROR_RANGE, members[CRITERION_KEY_FULL_MARKS], false,
                        "'full_marks' is %.12g for a reference of %.12g, expected more than "
                        "'no_marks', %.12g",
                        full, reference, criterion->no_marks);
        }
    }
    if (criterion->step <= 0 || criterion->step > criterion->points) {
        reader_fail(reader, ERROR_RANGE, members[CRITERION_KEY_STEP], false,
                    "expected a step above 0 and at most the points, %.12g, found %.12g",
                    criterion->points, criterion->step);
    }
}

/* The device process makes the values of a timed launch and compares them: not of all types, and
 * within a bound only those of f32, as it has no magnitudes of others. */
static void check_operands_timed(struct rubric_reader *reader, const cJSON *value,
                                 const struct rubric_launch *launch)
{
    for (size_t i = 0; i < launch->operand_count; i++) {
        const struct rubric_operand *operand = &launch->operands[i];
        bool is_other = operand->type == ELEMENT_I64 || operand->type == ELEMENT_U64;
        bool is_as_usual = operand->compare.kind == COMPARE_AS_USUAL &&
                           reader->rubric->arithmetic == ARITHMETIC_EPSILON;
        bool has_bound = operand_is_result(operand) && operand->type != ELEMENT_F32 &&
                         element_is_float(operand->type) &&
                         (operand->compare.kind == COMPARE_BOUND || is_as_usual);
        if (is_other || has_bound || operand->is_in_host_memory) {
            reader_fail(reader, ERROR_RANGE, value, false,
                        "the launch '%s' cannot be timed: '%s' is %s", launch->id, operand->name,
                        operand->is_in_host_memory ? "in host memory"
                        : is_other                 ? "of a type that a timing does not know"
                                                   : "not of f32 and compared within a bound");
            return;
        }
    }
}

void read_speedup(struct rubric_reader *reader, const cJSON *const members[CRITERION_KEY_COUNT],
                  struct rubric_criterion *out)
{
    read_baseline(reader, members[CRITERION_KEY_BASELINE], out);
    if (reader->error == ERROR_NONE) {
        check_operands_timed(reader, members[CRITERION_KEY_LAUNCH],
                             &reader->rubric->launches[out->launch]);
    }
    read_shape(reader, members[CRITERION_KEY_SHAPE], out);
    out->operations = read_expression(reader, members[CRITERION_KEY_OPERATIONS], NAMES_PARAMETERS);
    out->least_bytes = read_expression(reader, members[CRITERION_KEY_BYTES], NAMES_PARAMETERS);
    out->full_marks = read_expression(reader, members[CRITERION_KEY_FULL_MARKS], NAMES_REFERENCE);
    out->no_marks = read_number(reader, members[CRITERION_KEY_NO_MARKS], 0, SPEEDUP_MAX);
    out->smallest_reference =
        read_number(reader, members[CRITERION_KEY_SMALLEST_REFERENCE], 0.01, SPEEDUP_MAX);
    out->step = read_number(reader, members[CRITERION_KEY_STEP], 0, 100);
    if (reader->error == ERROR_NONE) {
        check_marks(reader, members, out);
        check_shapes(reader, members, out);
    }
}
