/* gpu_printouts.c: see gpu_printouts.h. */
#include "criteria/printouts/gpu_printouts.h"

#include "criteria/outcome.h"

#include <string.h>

static bool is_same_gpu(const struct gpu_model *left, const struct gpu_model *right)
{
    return strcmp(left->device_name, right->device_name) == 0 &&
           left->compute_major == right->compute_major &&
           left->compute_minor == right->compute_minor &&
           left->multiprocessors == right->multiprocessors;
}

bool gpu_input_init(const struct criteria_input *input, const struct rubric_criterion *criterion,
                    struct gpu_input *out)
{
    const struct print_run *runs = input->evidence->gpu_print_runs;

    if (runs == NULL || input->timing_model == NULL ||
        !is_same_gpu(input->model, input->timing_model) ||
        !runs[criterion->printout].activity.ran ||
        (criterion->has_bytes_printout && !runs[criterion->bytes_printout].activity.ran)) {
        return false;
    }
    out->evidence = *input->evidence;
    out->evidence.print_runs = runs;
    out->input = *input;
    out->input.evidence = &out->evidence;
    out->input.model = input->timing_model;
    return true;
}

static const char *text_of(const struct verdict *verdict, const char *key)
{
    for (size_t i = 0; i < verdict->evidence_count; i++) {
        if (strcmp(verdict->evidence[i].key, key) == 0) {
            return verdict->evidence[i].text;
        }
    }
    return "";
}

void gpu_verdict_take(const struct gpu_input *gpu, struct arena *arena, const struct verdict *real,
                      struct verdict *verdict)
{
    const struct verdict emulated = *verdict;

    *verdict = *real;
    verdict_add_text(verdict, "printed_emulated", text_of(&emulated, "printed"));
    bool is_same = real->cause.code == emulated.cause.code &&
                   strcmp(text_of(real, "printed"), text_of(&emulated, "printed")) == 0;
    if (real->status == STATUS_FAILED && !is_same) {
        verdict->cause.message = arena_printf(arena, "on the real %s: %s",
                                              gpu->input.model->device_name, real->cause.message);
    }
}
