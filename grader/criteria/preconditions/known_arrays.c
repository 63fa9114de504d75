/* known_arrays.c: see known_arrays.h. */
#include "criteria/preconditions/known_arrays.h"

#include "criteria/outcome.h"

/* The first probe in which the operand is unknown; NULL: there is none. */
static const struct sample *unknown_in(const struct launch_run *run, size_t operand)
{
    for (size_t i = 0; i < run->observation_count; i++) {
        const struct observation *observation = &run->observations[i];
        for (size_t j = 0; j < observation->sample_count; j++) {
            if (observation->element_counts[operand] > 0 &&
                observation->samples[j].call.is_unknown[operand]) {
                return &observation->samples[j];
            }
        }
    }
    return NULL;
}

bool precondition_unknown_array(const struct criteria_input *input, struct arena *arena,
                                size_t launch, const bool *wanted, struct cause *out_cause)
{
    const struct rubric_launch *of = &input->rubric->launches[launch];

    for (size_t i = 0; i < of->operand_count; i++) {
        const struct rubric_operand *operand = &of->operands[i];
        const struct sample *sample =
            wanted[i] ? unknown_in(&input->evidence->launch_runs[launch], i) : NULL;
        if (sample == NULL) {
            continue;
        }
        *out_cause = cause_advised(
            CODE_BAD_OPERAND,
            arena_printf(arena,
                         operand_is_result(operand)
                             ? "`%s` does not copy all of %s from one array of exactly its size, "
                               "so what kernels do with it cannot be counted"
                             : "`%s` does not copy %s to one array of exactly its size and nowhere "
                               "else, so what kernels do with it cannot be counted",
                         of->call, operand->name),
            advise(ADVICE_ARRAY_FOR_EACH_OPERAND));
        if (sample->call.copy_places[i] != NULL) {
            out_cause->file = sample->call.copy_places[i]->inner.file;
            out_cause->line = sample->call.copy_places[i]->inner.line;
            out_cause->label = "the last copy";
        }
        return true;
    }
    return false;
}
