/* result_pattern.c: see result_pattern.h. */
#include "diagnosis/patterns/result_pattern.h"

#include "criteria/case_text.h"
#include "criteria/launch_parameters.h"
#include "diagnosis/patterns/element_maps.h"
#include "diagnosis/patterns/shape_pattern.h"
#include "diagnosis/patterns/size_pattern.h"
#include "diagnosis/patterns/value_pattern.h"
#include "diagnosis/patterns/wrong_pattern.h"

#include <math.h>
#include <string.h>

/* What the clauses are made of. */
struct finder {
    const struct criteria_input *input;
    struct arena *arena;
    const struct rubric_launch *launch;
    size_t output;                   /* an operand */
    const struct mapped_case *cases; /* [case_count] */
    size_t case_count;
    struct launch_parameters parameters; /* that matter, without the block width */
    const char **parameter_names;        /* [parameters.count] */
    bool is_vector;
};

static void note_block_width(void *context, const char *name)
{
    *(const char **)context = name;
}

/* True if a parameter could be a size in all cases. */
static bool is_always_a_size(const struct finder *finder, size_t parameter)
{
    for (size_t i = 0; i < finder->case_count; i++) {
        if (finder->cases[i].observation->parameters[parameter] < 1) {
            return false;
        }
    }
    return true;
}

/* Those that matter to the launch; the one that is the block width itself is told as the block. */
static void name_parameters(struct finder *finder)
{
    const struct rubric *rubric = finder->input->rubric;
    const struct launch_parameters all = launch_parameters_of(rubric, finder->launch);
    const char *block_width = NULL;

    if (finder->launch->block != NULL) {
        expression_names(finder->launch->block, note_block_width, &block_width);
    }
    finder->parameter_names =
        arena_array(finder->arena, rubric->parameter_count + 1, sizeof *finder->parameter_names);
    for (size_t i = 0; i < all.count; i++) {
        const char *name = rubric->parameters[all.indices[i]].name;
        bool is_size = is_always_a_size(finder, all.indices[i]);
        if (is_size && (block_width == NULL || strcmp(block_width, name) != 0)) {
            finder->parameter_names[finder->parameters.count] = name;
            finder->parameters.indices[finder->parameters.count++] = all.indices[i];
        }
    }
}

/* Their values in one case. */
static const int64_t *values_of(const struct finder *finder, const struct observation *observation)
{
    int64_t *values = arena_array(finder->arena, RUBRIC_PARAMETERS_MAX, sizeof *values);

    for (size_t i = 0; i < finder->parameters.count; i++) {
        values[i] = observation->parameters[finder->parameters.indices[i]];
    }
    return values;
}

static void find_shapes(const struct finder *finder, struct result_pattern *out)
{
    struct judged_shape *shapes = arena_array(finder->arena, finder->case_count, sizeof *shapes);
    const struct judged_shapes all = {
        .shapes = shapes,
        .count = finder->case_count,
        .parameter_names = finder->parameter_names,
        .parameter_count = finder->parameters.count,
        .is_vector = finder->is_vector,
    };
    struct shape_pattern pattern;

    for (size_t i = 0; i < finder->case_count; i++) {
        const struct mapped_case *mapped = &finder->cases[i];
        shapes[i] = (struct judged_shape){values_of(finder, mapped->observation),
                                          mapped->observation->block, mapped->is_wrong};
    }
    if (!shape_pattern_find(finder->arena, &all, &pattern)) {
        return;
    }
    out->sizes = size_pattern_find(finder->arena, &all);
    if (out->sizes == NULL) {
        out->sizes = arena_printf(finder->arena, "right for %s, wrong for %s",
                                  finder->cases[pattern.right].map.shape,
                                  finder->cases[pattern.wrong].map.shape);
    }
    if (pattern.where != NULL) {
        out->shapes = arena_printf(finder->arena, "%s where %s",
                                   pattern.is_wrong_side ? "only" : "except", pattern.where);
    }
}

static bool has_state(const struct element_map *map, unsigned states)
{
    for (size_t i = 0; i < map->rows * map->columns; i++) {
        if ((states >> map->states[i] & 1u) != 0) {
            return true;
        }
    }
    return false;
}

static struct pattern_case pattern_case_of(const struct finder *finder,
                                           const struct mapped_case *mapped)
{
    const struct launch_geometry *geometry = &mapped->observation->geometry;
    struct pattern_case one = {.map = &mapped->map,
                               .parameters = values_of(finder, mapped->observation)};

    memcpy(one.grid, geometry->grid, sizeof one.grid);
    memcpy(one.threads, geometry->block, sizeof one.threads);
    return one;
}

static void find_elements(const struct finder *finder, unsigned states, struct result_pattern *out)
{
    struct pattern_case *cases = arena_array(finder->arena, finder->case_count, sizeof *cases);
    struct pattern_cases all = {
        .cases = cases,
        .parameter_names = finder->parameter_names,
        .parameter_count = finder->parameters.count,
        .is_vector = finder->is_vector,
        .states = states,
    };
    struct wrong_pattern pattern;

    for (size_t i = 0; i < finder->case_count; i++) {
        if (has_state(&finder->cases[i].map, states)) {
            cases[all.count++] = pattern_case_of(finder, &finder->cases[i]);
        }
    }
    if (!wrong_pattern_find(finder->arena, &all, &pattern)) {
        return;
    }
    const char *how = pattern.is_all         ? "in"
                      : pattern.is_exception ? "everywhere but in"
                                             : "only in";
    out->elements = arena_printf(finder->arena, "%s %s", how, pattern.where);
    out->is_everywhere = pattern.is_all;
    out->hint = pattern.hint[0] != '\0' ? pattern.hint : NULL;
}

static bool is_of_kind(const struct sample *sample, enum probe_kind kind)
{
    return kind == PROBE_COUNT ? sample->kind == PROBE_EXACT || sample->kind == PROBE_EXACT_SWAPPED
                               : sample->kind == kind;
}

/* Adds one output to the list if it is wrong. */
static void add_output(const struct finder *finder, const struct mapped_case *mapped,
                       const struct sample *sample, struct wrong_output *list, size_t *count)
{
    struct problem problem;
    bool is_wrong = false;

    problem_init(finder->input->rubric, finder->launch, mapped->observation, sample, finder->output,
                 &problem);
    size_t elements = problem.elements;
    double *expected = arena_array(finder->arena, elements + 1, sizeof *expected);
    double *got = arena_array(finder->arena, elements + 1, sizeof *got);
    uint8_t *states = arena_array(finder->arena, elements + 1, sizeof *states);
    compare_elements(&problem, finder->input->oracle, expected, NULL, states);
    for (size_t i = 0; i < elements; i++) {
        got[i] = states[i] == ELEMENT_UNWRITTEN
                     ? NAN
                     : element_value(finder->launch->operands[problem.output].type,
                                     sample->after[problem.output], i);
        is_wrong = is_wrong || states[i] != ELEMENT_RIGHT;
    }
    if (is_wrong) {
        list[(*count)++] = (struct wrong_output){
            .expected = expected,
            .got = got,
            .rows = mapped->map.rows,
            .columns = mapped->map.columns,
            .number = (size_t)(mapped - finder->cases),
            .parameters = values_of(finder, mapped->observation),
            .block = mapped->observation->block,
        };
    }
}

static void find_values(const struct finder *finder, enum probe_kind kind,
                        struct result_pattern *out)
{
    struct wrong_output *list =
        arena_array(finder->arena, finder->case_count * PROBE_COUNT + 1, sizeof *list);
    size_t count = 0;
    struct value_pattern pattern;

    for (size_t i = 0; i < finder->case_count; i++) {
        const struct observation *observation = finder->cases[i].observation;
        for (size_t j = 0; j < observation->sample_count && j < PROBE_COUNT; j++) {
            if (is_of_kind(&observation->samples[j], kind)) {
                add_output(finder, &finder->cases[i], &observation->samples[j], list, &count);
            }
        }
    }
    const struct wrong_outputs all = {
        .outputs = list,
        .count = count,
        .parameter_names = finder->parameter_names,
        .parameter_count = finder->parameters.count,
        .is_product = launch_is_product(finder->launch),
        .is_vector = finder->is_vector,
    };
    if (value_pattern_find(finder->arena, &all, &pattern)) {
        out->values = pattern.clause;
        out->is_of_wrong = pattern.is_of_wrong;
        out->hint = pattern.hint[0] != '\0' ? pattern.hint : NULL;
    }
}

static size_t largest_elements(const struct finder *finder)
{
    size_t most = 0;

    for (size_t i = 0; i < finder->case_count; i++) {
        const struct element_map *map = &finder->cases[i].map;
        most = map->rows * map->columns > most ? map->rows * map->columns : most;
    }
    return most;
}

void result_pattern_find(const struct criteria_input *input, struct arena *arena, size_t launch,
                         size_t output, unsigned states, enum probe_kind kind,
                         struct result_pattern *out_pattern)
{
    struct finder finder = {.input = input,
                            .arena = arena,
                            .launch = &input->rubric->launches[launch],
                            .output = output,
                            .is_vector = launch_is_of_vectors(&input->rubric->launches[launch])};

    memset(out_pattern, 0, sizeof *out_pattern);
    if (operand_lanes(&finder.launch->operands[output]) > 1) {
        return; /* patterns know rows and columns of numbers only */
    }
    finder.cases = element_maps_of_launch(input, arena, launch, output, &finder.case_count);
    if (finder.case_count == 0) {
        return;
    }
    name_parameters(&finder);
    find_shapes(&finder, out_pattern);
    if (largest_elements(&finder) <= 1) {
        return; /* one number has no place among others */
    }
    find_elements(&finder, states, out_pattern);
    find_values(&finder, kind, out_pattern);
}
