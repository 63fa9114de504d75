/* element_maps.c: see element_maps.h. */
#include "diagnosis/patterns/element_maps.h"

#include "criteria/case_text.h"
#include "criteria/preconditions/preconditions.h"
#include "model/case.h"

#include <string.h>

/* The rows and columns in which an output is shown; one row where its shape has no value. */
static void set_extents(const struct criteria_input *input, const struct rubric_operand *operand,
                        const struct observation *observation, size_t elements,
                        struct element_map *map)
{
    size_t columns = operand->rank > 0
                         ? operand_extent(input, operand->shape[operand->rank - 1], observation) *
                               operand_lanes(operand)
                         : 0;

    if (columns == 0 || elements % columns != 0) {
        columns = elements;
    }
    map->columns = columns;
    map->rows = columns > 0 ? elements / columns : 0;
}

static struct element_map empty_map(const struct criteria_input *input, struct arena *arena,
                                    size_t launch, size_t output,
                                    const struct observation *observation)
{
    const struct rubric_launch *of = &input->rubric->launches[launch];
    struct element_map map = {
        .operand = of->operands[output].name,
        .shape = shape_text(input, arena, of, observation),
        .probe = "",
        .block = observation->block,
    };

    set_extents(input, &of->operands[output], observation, observation->element_counts[output],
                &map);
    return map;
}

/* The states of all elements of a sample, in the arena. */
static uint8_t *states_of(const struct criteria_input *input, struct arena *arena, size_t launch,
                          size_t output, const struct observation *observation,
                          const struct sample *sample)
{
    struct problem problem;

    problem_init(input->rubric, &input->rubric->launches[launch], observation, sample, output,
                 &problem);
    uint8_t *states = arena_array(arena, problem.elements + 1, sizeof *states);
    double *expected = arena_array(arena, problem.elements + 1, sizeof *expected);
    compare_elements(&problem, input->oracle, expected, NULL, states);
    return states;
}

const struct element_map *element_map_of_sample(const struct criteria_input *input,
                                                struct arena *arena, size_t launch, size_t output,
                                                const struct observation *observation,
                                                const struct sample *sample)
{
    struct element_map *map = arena_alloc(arena, sizeof *map);

    *map = empty_map(input, arena, launch, output, observation);
    map->probe = probe_name(sample->kind);
    map->states = states_of(input, arena, launch, output, observation, sample);
    return map;
}

/* Lays the states of one more probe over the others. */
static void lay_over(uint8_t *states, const uint8_t *more, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (states[i] == ELEMENT_RIGHT) {
            states[i] = more[i];
        } else if (more[i] != ELEMENT_RIGHT && more[i] != states[i]) {
            states[i] = ELEMENT_WRONG;
        }
    }
}

static void map_case(const struct criteria_input *input, struct arena *arena, size_t launch,
                     size_t output, const struct observation *observation, struct mapped_case *out)
{
    struct element_map map = empty_map(input, arena, launch, output, observation);
    size_t count = map.rows * map.columns;
    uint8_t *states = arena_array(arena, count + 1, sizeof *states);

    for (size_t i = 0; i < observation->sample_count; i++) {
        const struct sample *sample = &observation->samples[i];
        if (sample->kind != PROBE_AGAIN && sample->kind != PROBE_REORDERED) {
            lay_over(states, states_of(input, arena, launch, output, observation, sample), count);
        }
    }
    map.states = states;
    *out = (struct mapped_case){.observation = observation, .map = map};
    for (size_t i = 0; i < count && !out->is_wrong; i++) {
        out->is_wrong = states[i] != ELEMENT_RIGHT;
    }
}

const struct mapped_case *element_maps_of_launch(const struct criteria_input *input,
                                                 struct arena *arena, size_t launch, size_t output,
                                                 size_t *out_count)
{
    const struct launch_run *run = &input->evidence->launch_runs[launch];
    struct mapped_case *cases = arena_array(arena, run->observation_count + 1, sizeof *cases);
    size_t count = 0;

    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        if (observation->sample_count > 0 && !observation_is_hidden(input, observation)) {
            map_case(input, arena, launch, output, observation, &cases[count++]);
        }
    }
    *out_count = count;
    return cases;
}
