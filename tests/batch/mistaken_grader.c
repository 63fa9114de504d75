/* mistaken_grader.c: a grader with a mistake: where a submission has the word that mistake.sh puts
 * there, diagnosis gives a verdict more points than there are. */
#include "diagnosis/diagnosis.h"

#include <string.h>

void diagnosis_explain(const struct criteria_input *input, struct arena *arena,
                       struct verdict *verdict)
{
    (void)arena;
    for (size_t i = 0; i < input->source_count; i++) {
        if (strstr(input->sources[i].text, "one point too many") != NULL) {
            verdict->points = verdict->criterion->points + 1;
        }
    }
}

bool diagnosis_wants_trace(const struct criteria_input *input, struct arena *arena,
                           const struct verdict *verdict, struct trace_request *out_request)
{
    (void)input;
    (void)arena;
    (void)verdict;
    (void)out_request;
    return false;
}
