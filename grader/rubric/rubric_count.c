/* rubric_count.c: the keys of a criterion of the kind count. */
#include "rubric/rubric_baseline.h"
#include "rubric/rubric_points.h"

#include "model/measure.h"

#include <string.h>

enum { BOUND_NAMES = NAMES_PARAMETERS | NAMES_BLOCK | NAMES_THREADS | NAMES_MEASURES };

static const double largest_bound = 1e18;

/* What a bound that does not hold may mean. */
static const struct {
    const char *word;
    enum code code;
} faults[] = {
    {"access_pattern", CODE_COUNTED_ACCESSES},
    {"not_tiled", CODE_COUNTED_LOADS},
    {"too_slow", CODE_COUNTED_WORK},
    {"forbidden", CODE_COUNTED_USE},
};

enum { FAULT_COUNT = sizeof faults / sizeof faults[0] };

static void read_fault(struct rubric_reader *reader, const cJSON *value, struct rubric_fault *out)
{
    static const struct rubric_key keys[] = {{"cause", true}, {"title", true}, {"hint", true}};
    const char *words[FAULT_COUNT];
    const cJSON *members[3];

    for (size_t i = 0; i < FAULT_COUNT; i++) {
        words[i] = faults[i].word;
    }
    read_members(reader, value, "fails_with", keys, 3, members);
    out->code = faults[read_word(reader, members[0], words, FAULT_COUNT)].code;
    out->title = read_name(reader, members[1], NAME_TEXT);
    out->hint = read_name(reader, members[2], NAME_TEXT);
}

/* What the names of an expression are. */
struct names_seen {
    struct rubric_reader *reader;
    const cJSON *value;
    bool has_own;       /* of the submission */
    bool has_reference; /* of the reference solution */
    bool has_base;      /* of another case */
    bool has_threads;   /* known only of a launch */
};

/* True if blocks that a student chooses give the cases other sizes. */
static bool sizes_depend_on_blocks(const struct rubric *rubric, const struct rubric_launch *launch)
{
    bool has_unit = false;

    for (size_t i = 0; i < rubric->parameter_count; i++) {
        has_unit = has_unit || rubric->parameters[i].unit != NULL;
        for (size_t k = 0; k < rubric->case_count; k++) {
            has_unit = has_unit || rubric->cases[k].values[i].unit != NULL;
        }
    }
    return has_unit && launch->block == NULL && launch->block_count != 1;
}

static void see_name(void *context, const char *name)
{
    struct names_seen *seen = context;
    const struct rubric *rubric = seen->reader->rubric;
    struct measure measure;

    seen->has_threads = seen->has_threads || strcmp(name, "threads") == 0;
    if (!measure_find(seen->reader->measured, name, &measure)) {
        return;
    }
    for (size_t i = 0; i < rubric->parameter_count; i++) {
        if (strcmp(rubric->parameters[i].name, name) == 0) {
            reader_fail(seen->reader, ERROR_RANGE, seen->value, false,
                        "'%s' is a parameter and a measure; give the parameter another name", name);
        }
    }
    if (measure_is_of_call(&measure) && seen->reader->measured->call == NULL) {
        reader_fail(seen->reader, ERROR_RANGE, seen->value, false,
                    "'%s' is known only of a judged call, and '%s' is a launch", name,
                    seen->reader->measured->id);
    }
    if (measure.run == OF_REFERENCE &&
        program_is_whole(&rubric->programs[seen->reader->measured->program])) {
        reader_fail(seen->reader, ERROR_RANGE, seen->value, false,
                    "'%s' is a launch of a whole program, whose reference solution is not counted",
                    seen->reader->measured->id);
    }
    if (measure.run == OF_REFERENCE && sizes_depend_on_blocks(rubric, seen->reader->measured)) {
        reader_fail(seen->reader, ERROR_RANGE, seen->value, false,
                    "the sizes of a case depend on the blocks of '%s', so the reference solution "
                    "may have others; give the launch a 'block'",
                    seen->reader->measured->id);
    }
    seen->has_reference = seen->has_reference || measure.run == OF_REFERENCE;
    seen->has_base = seen->has_base || measure.run == OF_BASE_CASE;
    seen->has_own = seen->has_own || measure.run == OF_SUBMISSION;
}

static const struct expression *read_counted(struct rubric_reader *reader, const cJSON *value,
                                             struct names_seen *out_seen)
{
    const struct expression *expression = read_expression(reader, value, BOUND_NAMES);

    *out_seen = (struct names_seen){.reader = reader, .value = value};
    if (expression != NULL && reader->error == ERROR_NONE) {
        expression_names(expression, see_name, out_seen);
    }
    return expression;
}

/* A bound over the case alone is tried in all cases. */
static const struct expression *read_bound(struct rubric_reader *reader, const cJSON *value,
                                           struct rubric_criterion *out)
{
    const struct expectation number = {"the bound", 0, largest_bound, true};
    struct names_seen seen;
    const struct expression *bound = read_counted(reader, value, &seen);

    out->needs_reference = out->needs_reference || seen.has_reference;
    out->needs_base = out->needs_base || seen.has_base;
    if (bound != NULL && reader->error == ERROR_NONE && !seen.has_own && !seen.has_reference &&
        !seen.has_base && !seen.has_threads) {
        check_values(reader, reader->measured, value, bound, &number);
    }
    return bound;
}

/* With the smallest values of a case. */
static bool holds_at_least_values(const struct rubric_reader *reader,
                                  const struct rubric_case *from,
                                  const struct expression *condition, int64_t block)
{
    const struct rubric *rubric = reader->rubric;
    struct drawn_case drawn = {0};
    int64_t parameters[RUBRIC_PARAMETERS_MAX];
    double holds = 0.0;

    for (size_t i = 0; i < rubric->parameter_count; i++) {
        drawn.units[i] = from->values[i].minimum;
        drawn.own_units[i] = from->values[i].unit;
    }
    struct case_scope scope = {.rubric = rubric, .parameters = parameters};
    return case_parameters(rubric, &drawn, block, parameters) &&
           expression_evaluate(condition, case_lookup, &scope, &holds, NULL) && holds != 0.0;
}

/* A condition that only some draws of a case fulfil would leave nothing to judge for some seeds. */
static void check_is_judged(struct rubric_reader *reader, const cJSON *value,
                            const struct expression *condition)
{
    const struct rubric *rubric = reader->rubric;
    const struct rubric_launch *launch = reader->measured;

    for (size_t i = 0; i < rubric->case_count; i++) {
        bool holds = !rubric->cases[i].hidden;
        for (size_t b = 0; b < launch->block_count && holds; b++) {
            holds = holds_at_least_values(reader, &rubric->cases[i], condition, launch->blocks[b]);
        }
        if (holds) {
            return;
        }
    }
    reader_fail(reader, ERROR_RANGE, value, false,
                "there is no visible case whose smallest values fulfil this: for some seeds "
                "nothing would be judged");
}

size_t read_visible_case(struct rubric_reader *reader, const cJSON *value)
{
    const struct rubric *rubric = reader->rubric;
    const char *id = read_name(reader, value, NAME_ID);

    for (size_t i = 0; i < rubric->case_count && reader->error == ERROR_NONE; i++) {
        if (strcmp(rubric->cases[i].id, id) == 0 && !rubric->cases[i].hidden) {
            return i;
        }
    }
    if (reader->error == ERROR_NONE) {
        reader_fail(reader, ERROR_NOT_FOUND, value, false, "there is no visible case '%s'", id);
    }
    return 0;
}

/* The case that names after `base.` mean. It is visible: what is judged does not depend on what
 * students cannot see. */
static void read_base_case(struct rubric_reader *reader,
                           const cJSON *const members[CRITERION_KEY_COUNT],
                           struct rubric_criterion *out)
{
    const cJSON *value = members[CRITERION_KEY_BASE_CASE];

    if (reader->error != ERROR_NONE) {
        return;
    }
    if ((value != NULL) != out->needs_base) {
        reader_fail(reader, ERROR_SYNTAX, value != NULL ? value : members[CRITERION_KEY_MEASURE],
                    value != NULL,
                    value != NULL ? "no name begins with 'base.', so 'base_case' has no meaning"
                                  : "a name begins with 'base.': say which case, by 'base_case'");
        return;
    }
    if (value != NULL) {
        out->base_case = read_visible_case(reader, value);
    }
}

void read_count(struct rubric_reader *reader, const cJSON *const members[CRITERION_KEY_COUNT],
                struct rubric_criterion *out)
{
    const cJSON *measure = members[CRITERION_KEY_MEASURE];
    const cJSON *from = members[CRITERION_KEY_FROM];
    struct names_seen seen;

    reader->measured = &reader->rubric->launches[out->launch];
    out->measure = read_counted(reader, measure, &seen);
    out->needs_reference = seen.has_reference;
    out->needs_base = seen.has_base;
    if (out->measure != NULL && reader->error == ERROR_NONE && !seen.has_own) {
        reader_fail(reader, ERROR_RANGE, measure, false,
                    "there is no measure of the submission in '%s'", expression_text(out->measure));
    }
    if (members[CRITERION_KEY_AT_MOST] == NULL && members[CRITERION_KEY_AT_LEAST] == NULL) {
        reader_fail(reader, ERROR_SYNTAX, measure, true,
                    "there is no bound: add 'at_most' or 'at_least'");
    }
    out->at_most = read_bound(reader, members[CRITERION_KEY_AT_MOST], out);
    out->at_least = read_bound(reader, members[CRITERION_KEY_AT_LEAST], out);
    out->from = read_condition(reader, from, NAMES_PARAMETERS);
    if (out->from != NULL && reader->error == ERROR_NONE) {
        check_is_judged(reader, from, out->from);
    }
    read_base_case(reader, members, out);
    const cJSON *kernel = members[CRITERION_KEY_KERNEL];
    if (kernel != NULL && reader->measured->call == NULL) {
        reader_fail(reader, ERROR_RANGE, kernel, true,
                    "'%s' is one launch of one kernel; 'kernel' chooses among those of a call",
                    reader->measured->id);
    }
    out->counted_kernel = kernel == NULL ? NULL : read_name(reader, kernel, NAME_PATTERN);
    read_fault(reader, members[CRITERION_KEY_FAILS_WITH], &out->fails_with);
}
