/* rubric_points.c: see rubric_points.h. */
#include "rubric/rubric_points.h"

#include <math.h>
#include <string.h>

enum { NO_PARAMETER = RUBRIC_PARAMETERS_MAX };

/* A visit to all points of a launch. */
struct point_walk {
    struct rubric_reader *reader;
    const struct rubric_launch *launch;
    const cJSON *value; /* where a mistake of the units is told */
    point_visit visit;
    void *context;
    size_t block_width_parameter; /* that the launch's block names; or NO_PARAMETER */
};

struct name_search {
    const struct rubric *rubric;
    size_t count;                        /* of parameters found, each of them once */
    size_t found[RUBRIC_PARAMETERS_MAX]; /* their indices */
};

static void find_name(void *context, const char *name)
{
    struct name_search *search = context;

    for (size_t i = 0; i < search->rubric->parameter_count; i++) {
        bool is_new = strcmp(search->rubric->parameters[i].name, name) == 0;
        for (size_t k = 0; k < search->count; k++) {
            is_new = is_new && search->found[k] != i;
        }
        if (is_new) {
            search->found[search->count++] = i;
        }
    }
}

static struct name_search names_of_block(const struct rubric *rubric,
                                         const struct rubric_launch *launch)
{
    struct name_search search = {.rubric = rubric};

    if (launch->block != NULL) {
        expression_names(launch->block, find_name, &search);
    }
    return search;
}

static size_t value_count(const struct range *range)
{
    return range->choice_count > 0 ? range->choice_count
                                   : (size_t)(range->maximum - range->minimum) + 1;
}

static int64_t value_at(const struct range *range, size_t index)
{
    return range->choice_count > 0 ? range->choices[index] : range->minimum + (int64_t)index;
}

static void visit_block_width(struct point_walk *walk, const struct drawn_case *drawn,
                              int64_t block)
{
    const struct rubric *rubric = walk->reader->rubric;
    int64_t parameters[RUBRIC_PARAMETERS_MAX];
    const struct case_scope scope = {.rubric = rubric, .parameters = parameters, .block = block};

    if (!case_parameters(rubric, drawn, block, parameters)) {
        reader_fail(walk->reader, ERROR_RANGE, walk->value, false,
                    "the units of the parameters are not whole numbers for a block width of %lld",
                    (long long)block);
        return;
    }
    walk->visit(walk->reader, &scope, walk->context);
}

static void visit_units(struct point_walk *walk, const struct drawn_case *drawn)
{
    const struct rubric_launch *launch = walk->launch;

    if (launch->block != NULL) {
        visit_block_width(walk, drawn, case_block(walk->reader->rubric, launch, drawn));
        return;
    }
    for (size_t b = 0; b < launch->block_count && walk->reader->error == ERROR_NONE; b++) {
        visit_block_width(walk, drawn, launch->blocks[b]);
    }
    if (launch->block_count == 0) {
        visit_block_width(walk, drawn, 0); /* a call without a block width */
    }
}

/* Visits what `drawn` holds, and that with each value of each choice. */
static void visit_choices(struct point_walk *walk, const struct rubric_case *from,
                          struct drawn_case *drawn)
{
    visit_units(walk, drawn);
    for (size_t i = 0; i < walk->reader->rubric->parameter_count; i++) {
        int64_t kept = drawn->units[i];
        size_t count = i == walk->block_width_parameter ? 0 : from->values[i].choice_count;
        for (size_t k = 0; k < count && walk->reader->error == ERROR_NONE; k++) {
            drawn->units[i] = from->values[i].choices[k];
            visit_units(walk, drawn);
        }
        drawn->units[i] = kept;
    }
}

static void visit_case(struct point_walk *walk, const struct rubric_case *from, bool largest)
{
    struct drawn_case drawn = {0};
    size_t block_width = walk->block_width_parameter;

    for (size_t i = 0; i < walk->reader->rubric->parameter_count; i++) {
        drawn.units[i] = largest ? from->values[i].maximum : from->values[i].minimum;
        drawn.own_units[i] = from->values[i].unit;
    }
    if (block_width == NO_PARAMETER) {
        visit_choices(walk, from, &drawn);
        return;
    }
    size_t count = value_count(&from->values[block_width]);
    for (size_t k = 0; k < count && walk->reader->error == ERROR_NONE; k++) {
        drawn.units[block_width] = value_at(&from->values[block_width], k);
        visit_choices(walk, from, &drawn);
    }
}

/* The first shape as a case in whose block's parameters units are elements. */
static struct drawn_case first_case(const struct rubric_launch *launch)
{
    struct drawn_case drawn = {0};

    memcpy(drawn.units, launch->first_values, sizeof launch->first_values);
    return drawn;
}

static void visit_first(struct point_walk *walk)
{
    const struct rubric_launch *launch = walk->launch;
    const struct drawn_case drawn = first_case(launch);
    struct case_scope scope = {.rubric = walk->reader->rubric, .parameters = launch->first_values};

    if (launch->block != NULL) {
        scope.block = case_block(walk->reader->rubric, launch, &drawn);
        walk->visit(walk->reader, &scope, walk->context);
        return;
    }
    for (size_t b = 0; b < launch->block_count && walk->reader->error == ERROR_NONE; b++) {
        scope.block = launch->blocks[b];
        walk->visit(walk->reader, &scope, walk->context);
    }
    if (launch->block_count == 0) {
        walk->visit(walk->reader, &scope, walk->context);
    }
}

void visit_points(struct rubric_reader *reader, const struct rubric_launch *launch,
                  const cJSON *value, point_visit visit, void *context)
{
    const struct rubric *rubric = reader->rubric;
    const struct name_search names = names_of_block(rubric, launch);
    struct point_walk walk = {
        .reader = reader,
        .launch = launch,
        .value = value,
        .visit = visit,
        .context = context,
        .block_width_parameter = names.count > 0 ? names.found[0] : NO_PARAMETER,
    };

    if (launch->has_first && reader->error == ERROR_NONE) {
        visit_first(&walk);
    }
    for (size_t i = 0; i < rubric->case_count && reader->error == ERROR_NONE; i++) {
        visit_case(&walk, &rubric->cases[i], false);
        visit_case(&walk, &rubric->cases[i], true);
    }
}

struct value_check {
    const cJSON *value;
    const struct expression *expression;
    const struct expectation *expectation;
};

static void check_value_at(struct rubric_reader *reader, const struct case_scope *scope,
                           void *context)
{
    const struct value_check *check = context;
    const struct expectation *expectation = check->expectation;
    struct case_scope copy = *scope;
    double result = 0;
    const char *where =
        scope->block == 0 /* of a call, which may have blocks of any width */
            ? "in a case"
            : arena_printf(reader->arena, "for a block width of %lld", (long long)scope->block);

    if (!expression_evaluate(check->expression, case_lookup, &copy, &result, NULL)) {
        reader_fail(reader, ERROR_RANGE, check->value, false, "%s has no value %s",
                    expectation->what, where);
    } else if ((!expectation->is_real && result != trunc(result)) ||
               result < expectation->minimum || result > expectation->maximum) {
        reader_fail(reader, ERROR_RANGE, check->value, false,
                    "%s is %.12g %s, expected a %s from %.12g to %.12g", expectation->what, result,
                    where, expectation->is_real ? "number" : "whole number", expectation->minimum,
                    expectation->maximum);
    }
}

void check_values(struct rubric_reader *reader, const struct rubric_launch *launch,
                  const cJSON *value, const struct expression *expression,
                  const struct expectation *expectation)
{
    struct value_check check = {value, expression, expectation};

    visit_points(reader, launch, value, check_value_at, &check);
}

/* A launch's block that is tried, and the block widths that it gives. */
struct block_check {
    struct rubric_reader *reader;
    const cJSON *value;
    const struct rubric_launch *launch;
    bool given[RUBRIC_EDGE_MAX + 1];
};

static bool is_allowed(const struct rubric_launch *launch, int64_t block_width)
{
    for (size_t b = 0; b < launch->block_count; b++) {
        if (launch->blocks[b] == block_width) {
            return true;
        }
    }
    return launch->block_count == 0;
}

/* Tries the block width of one case; `where` names it. */
static void check_block_width(struct block_check *check, const struct drawn_case *drawn,
                              const char *where)
{
    int64_t block_width = case_block(check->reader->rubric, check->launch, drawn);

    if (block_width < 1 || block_width > RUBRIC_EDGE_MAX) {
        reader_fail(check->reader, ERROR_RANGE, check->value, false,
                    "the block width is not a whole number from 1 to %d in %s", RUBRIC_EDGE_MAX,
                    where);
        return;
    }
    if (!is_allowed(check->launch, block_width)) {
        reader_fail(check->reader, ERROR_RANGE, check->value, false,
                    "the block width is %lld in %s, which 'blocks' does not allow",
                    (long long)block_width, where);
    }
    check->given[block_width] = true;
}

/* Tries the block with every value that a case gives the parameter that it names. */
static void check_block_in_case(struct block_check *check, size_t parameter,
                                const struct rubric_case *from)
{
    const struct rubric *rubric = check->reader->rubric;
    const char *where = arena_printf(check->reader->arena, "the case '%s'", from->id);
    const struct range *range = &from->values[parameter];
    struct drawn_case drawn = {0};

    if (range->unit != NULL) {
        reader_fail(check->reader, ERROR_RANGE, check->value, false,
                    "'%s' has a unit in %s, so it cannot give the block width there",
                    rubric->parameters[parameter].name, where);
        return;
    }
    if (value_count(range) > RUBRIC_CHOICES_MAX) {
        reader_fail(check->reader, ERROR_RANGE, check->value, false,
                    "'%s' has %zu values in %s, but at most %d are allowed because it gives the "
                    "block width; write {\"one_of\": [...]} there",
                    rubric->parameters[parameter].name, value_count(range), where,
                    RUBRIC_CHOICES_MAX);
        return;
    }
    for (size_t i = 0; i < value_count(range); i++) {
        drawn.units[parameter] = value_at(range, i);
        check_block_width(check, &drawn, where);
    }
}

static void check_names(struct rubric_reader *reader, const cJSON *value,
                        const struct name_search *names)
{
    const struct rubric_parameter *parameters = reader->rubric->parameters;

    for (size_t i = 0; i < names->count; i++) {
        if (parameters[names->found[i]].unit != NULL) {
            reader_fail(reader, ERROR_RANGE, value, false,
                        "'%s' has a unit, so it cannot give the block width; use a parameter "
                        "without a unit",
                        parameters[names->found[i]].name);
        }
    }
    if (names->count > 1) {
        reader_fail(reader, ERROR_RANGE, value, false,
                    "the block width may depend on only one parameter, found '%s' and '%s'",
                    parameters[names->found[0]].name, parameters[names->found[1]].name);
    }
}

/* Takes the block widths that the block gives for those that are allowed. */
static void take_block_widths(const struct block_check *check, struct rubric_launch *launch)
{
    int64_t *block_widths =
        arena_array(check->reader->arena, RUBRIC_EDGE_MAX, sizeof *block_widths);
    size_t count = 0;

    for (int64_t block_width = 1; block_width <= RUBRIC_EDGE_MAX; block_width++) {
        if (check->given[block_width]) {
            block_widths[count++] = block_width;
        }
    }
    launch->blocks = block_widths;
    launch->block_count = count;
}

void check_block(struct rubric_reader *reader, const cJSON *value, struct rubric_launch *launch)
{
    const struct rubric *rubric = reader->rubric;
    const struct name_search names = names_of_block(rubric, launch);
    struct block_check check = {.reader = reader, .value = value, .launch = launch};

    if (reader->error != ERROR_NONE || launch->block == NULL) {
        return;
    }
    check_names(reader, value, &names);
    if (launch->has_first && reader->error == ERROR_NONE) {
        const struct drawn_case first = first_case(launch);
        check_block_width(&check, &first, "the first shape");
    }
    if (names.count == 0) {
        const struct drawn_case any = {0};
        check_block_width(&check, &any, "every case");
    }
    for (size_t i = 0; i < rubric->case_count && names.count > 0; i++) {
        if (reader->error == ERROR_NONE) {
            check_block_in_case(&check, names.found[0], &rubric->cases[i]);
        }
    }
    if (launch->block_count == 0 && reader->error == ERROR_NONE) {
        take_block_widths(&check, launch);
    }
}
