/* program_outputs.c: see program_outputs.h. */
#include "submission/program_outputs.h"

#include <string.h>

/* The run of a program that is told of; NULL if it did not run. */
static const struct program_activity *
find_run(const struct rubric *rubric, const struct submission_evidence *evidence, size_t program)
{
    for (size_t i = 0; i < rubric->printout_count; i++) {
        const struct program_activity *activity = &evidence->print_runs[i].activity;
        if (rubric->printouts[i].program == program && activity->ran) {
            return activity;
        }
    }
    for (size_t i = 0; i < rubric->launch_count; i++) {
        const struct program_activity *activity = &evidence->launch_runs[i].activity;
        if (rubric->launches[i].program == program && activity->ran) {
            return activity;
        }
    }
    return NULL;
}

/* Fills `out_output` with the beginning of a stream; false if nothing was written to it. */
static bool keep_stream(struct arena *arena, const char *bytes, size_t length,
                        struct program_output *out_output)
{
    size_t kept = length < PROGRAM_OUTPUT_BYTES_MAX ? length : PROGRAM_OUTPUT_BYTES_MAX;

    if (length == 0) {
        return false;
    }
    char *copy = arena_alloc(arena, kept);
    memcpy(copy, bytes, kept);
    out_output->bytes = copy;
    out_output->length = kept;
    out_output->left_out = length - kept;
    return true;
}

void program_outputs_collect(struct arena *arena, const struct rubric *rubric,
                             const struct submission_evidence *evidence,
                             const struct program_output **out_outputs, size_t *out_count)
{
    struct program_output *outputs = arena_array(arena, 2 * rubric->program_count, sizeof *outputs);
    size_t count = 0;

    for (size_t i = 0; i < rubric->program_count; i++) {
        const struct program_activity *run = find_run(rubric, evidence, i);
        if (run == NULL) {
            continue;
        }
        outputs[count] = (struct program_output){.program = rubric->programs[i].id};
        count += keep_stream(arena, run->output, run->output_length, &outputs[count]) ? 1 : 0;
        outputs[count] =
            (struct program_output){.program = rubric->programs[i].id, .is_errors = true};
        count += keep_stream(arena, run->errors, run->errors_length, &outputs[count]) ? 1 : 0;
    }
    *out_outputs = outputs;
    *out_count = count;
}
