/* undiagnosed.c: what diagnosis/ exports, doing nothing: linked before it, a grader that judges and
 * explains nothing (undiagnosed.sh). */
#include "diagnosis/diagnosis.h"

void diagnosis_explain(const struct criteria_input *input, struct arena *arena,
                       struct verdict *verdict)
{
    (void)input;
    (void)arena;
    (void)verdict;
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
