/* diagnosis.c: see diagnosis.h. */
#include "diagnosis/diagnosis.h"

#include "diagnosis/cause_location.h"
#include "diagnosis/kernel_choice.h"
#include "diagnosis/related_locations.h"
#include "diagnosis/suspect_line.h"

void diagnosis_explain(const struct criteria_input *input, struct arena *arena,
                       struct verdict *verdict)
{
    if (verdict->cause.subject.kind == SUBJECT_RESULT) {
        locate_wrong_result(input, arena, verdict->criterion->launch, &verdict->cause);
    }
    cause_location(input, arena, verdict);
    related_locations(input, arena, verdict);
    kernel_choice_report(input, arena, verdict);
}
