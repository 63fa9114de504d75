/* kernel_name.c: see kernel_name.h. */
#include "criteria/kernel_name.h"

const char *kernel_name(const struct criteria_input *input, const struct rubric_launch *launch)
{
    const char *chosen = NULL;

    if (launch->is_pattern || launch->kernel[0] == '\0') {
        chosen = input->evidence->launch_runs[launch - input->rubric->launches].kernel;
    }
    if (chosen != NULL) {
        return chosen;
    }
    return launch->kernel[0] != '\0' ? launch->kernel : launch->call;
}
