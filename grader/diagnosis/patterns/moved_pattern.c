/* moved_pattern.c: see moved_pattern.h.
 *
 * The longest end of what is expected that what is stored begins with, or the reverse, is found by
 * the method of Knuth, Morris and Pratt.
 */
#include "diagnosis/patterns/moved_pattern.h"

#include "criteria/case_text.h"

/* Fewer different values, or in fewer outputs, may stand elsewhere by chance. */
enum { CHANGES_MIN = 8, OUTPUTS_MIN = 2, EXAMPLES = 2 };

/* For each length of a beginning of the values, the longest shorter one that it ends with. */
static void fill_borders(const double *values, size_t count, size_t *borders)
{
    size_t length = 0;

    borders[0] = 0;
    for (size_t i = 1; i < count; i++) {
        while (length > 0 && !(values[i] == values[length])) {
            length = borders[length - 1];
        }
        length += values[i] == values[length] ? 1 : 0;
        borders[i] = length;
    }
}

struct move_distance moved_distance(struct arena *arena, const struct wrong_output *output,
                                    bool is_early)
{
    const size_t count = output->rows * output->columns;
    const double *beginning = is_early ? output->got : output->expected;
    const double *end = is_early ? output->expected : output->got;
    size_t *borders = arena_array(arena, count + 1, sizeof *borders);
    struct move_distance move = {0};
    size_t length = 0;

    if (count > 0) {
        fill_borders(beginning, count, borders);
    }
    for (size_t i = 1; i < count; i++) { /* not from 0: a distance of 0 is none */
        while (length > 0 && !(end[i] == beginning[length])) {
            length = borders[length - 1];
        }
        length += end[i] == beginning[length] ? 1 : 0;
    }
    for (size_t i = 1; i < length; i++) {
        move.changes += beginning[i] != beginning[i - 1] ? 1 : 0;
    }
    move.distance = count - length;
    return move;
}

size_t moved_by_copy(const struct wrong_result *result)
{
    const struct counterexample *shown = &result->any;
    const struct rubric_operand *operand = &result->launch->operands[result->output];
    struct problem problem;

    if (result->kind != WRONG_VALUES || shown->sample == NULL ||
        observation_is_hidden(result->input, shown->observation) || operand_lanes(operand) > 1 ||
        shown->sample->call.is_last_set[result->output] ||
        !output_is_copied(shown->sample, result->output)) {
        return 0;
    }
    problem_init(result->input->rubric, result->launch, shown->observation, shown->sample,
                 result->output, &problem);
    const size_t elements = problem.elements;
    double *expected = arena_array(result->arena, elements + 1, sizeof *expected);
    double *got = arena_array(result->arena, elements + 1, sizeof *got);
    uint8_t *states = arena_array(result->arena, elements + 1, sizeof *states);
    compare_elements(&problem, result->input->oracle, expected, NULL, states);
    for (size_t i = 0; i < elements; i++) {
        got[i] = element_value(operand->type, shown->sample->after[result->output], i);
    }
    const struct wrong_output output = {
        .expected = expected, .got = got, .rows = 1, .columns = elements};
    const struct move_distance move = moved_distance(result->arena, &output, true);
    const uint64_t bytes = (uint64_t)move.distance * element_bytes(operand->type);
    return move.changes >= CHANGES_MIN && shown->sample->call.copy_offsets[result->output] == bytes
               ? move.distance
               : 0;
}

/* "5 for 27 elements and 212 for 300", of the first outputs that differ. */
static const char *examples_text(struct arena *arena, const struct wrong_outputs *outputs,
                                 const size_t *distances)
{
    const char *text = "";
    size_t last = 0;
    size_t count = 0;

    for (size_t i = 0; i < outputs->count && count < EXAMPLES; i++) {
        const size_t elements = outputs->outputs[i].columns;
        if (distances[i] == elements || (count > 0 && distances[i] == last)) {
            continue;
        }
        text = count == 0 ? arena_printf(arena, "%zu for %zu element%s", distances[i], elements,
                                         elements == 1 ? "" : "s")
                          : arena_printf(arena, "%s and %zu for %zu", text, distances[i], elements);
        last = distances[i];
        count++;
    }
    return text;
}

static bool find_in_direction(struct arena *arena, const struct wrong_outputs *outputs,
                              bool is_early, struct value_pattern *out)
{
    size_t *distances = arena_array(arena, outputs->count + 1, sizeof *distances);
    size_t certain = 0;

    for (size_t i = 0; i < outputs->count; i++) {
        const struct wrong_output *output = &outputs->outputs[i];
        const struct move_distance move = moved_distance(arena, output, is_early);
        distances[i] = move.distance;
        certain += move.changes >= CHANGES_MIN ? 1 : 0;
        if (move.distance == output->columns && output->columns > 1) {
            return false;
        }
    }
    if (certain < OUTPUTS_MIN || 2 * certain < outputs->count) {
        return false;
    }
    *out = (struct value_pattern){
        .clause = arena_printf(arena,
                               "all values are moved: element i holds what belongs to element i "
                               "%c s, where s is %s",
                               is_early ? '+' : '-', examples_text(arena, outputs, distances)),
        .hint = "find where so many elements are added to an index, or to the pointer of a copy",
    };
    return true;
}

bool moved_pattern_find(struct arena *arena, const struct wrong_outputs *outputs,
                        struct value_pattern *out_pattern)
{
    return outputs->is_vector && (find_in_direction(arena, outputs, true, out_pattern) ||
                                  find_in_direction(arena, outputs, false, out_pattern));
}
