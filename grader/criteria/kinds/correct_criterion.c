/* correct_criterion.c: the criterion `correct`: one launch, right in every element of every case.
 *
 * All or nothing, and results only: what keeps the launch from being judged comes first, then the
 * values. A race or a bad access costs nothing here as long as the results are right.
 */
#include "criteria/outcome.h"

#include "criteria/preconditions/launch_preconditions.h"
#include "criteria/preconditions/preconditions.h"
#include "criteria/preconditions/program_run.h"
#include "criteria/preconditions/whole_program.h"
#include "criteria/results/compare.h"
#include "criteria/results/other_buffer.h"
#include "criteria/results/wrong_result.h"

/* A run whose launches were all right, and which went wrong elsewhere. How a whole program ends
 * itself is its own opinion: its main may compare as it likes. Nor does it cost anything that its
 * main crashes afterwards. */
static bool broken_elsewhere(const struct criteria_input *input, struct arena *arena, size_t launch,
                             struct cause *out_cause)
{
    const struct program_run run = run_of_launch(input, launch);
    bool is_its_own = is_whole_program(input, launch) &&
                      (exit_is_own_choice(run.activity) || activity_crashed(run.activity));
    struct cause ending;

    return !is_its_own && precondition_end(arena, run.activity, &ending) &&
           precondition_run(arena, &run, out_cause);
}

void correct_criterion_judge(const struct criteria_input *input, struct arena *arena,
                             struct verdict *verdict)
{
    size_t launch = verdict->criterion->launch;
    const char *lack =
        compare_lacks(arena, input->rubric, &input->rubric->launches[launch], input->oracle);
    const char *summary = NULL;
    struct cause cause;

    if (lack != NULL) {
        outcome_error(verdict, lack, ADVICE_COURSEWORK_AT_FAULT);
        return;
    }
    if (precondition_launch(input, arena, launch, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    if (!all_cases_probed(input, launch)) {
        outcome_unprobed(verdict);
        return;
    }
    if (find_wrong_result(input, arena, launch, verdict, &cause, &summary)) {
        struct cause ending;
        if (input->rubric->launches[launch].call != NULL &&
            broken_elsewhere(input, arena, launch, &ending) &&
            ending.code == CODE_IMPOSSIBLE_LAUNCH) {
            cause = ending; /* a kernel that is refused computes nothing */
            summary = NULL;
        } else {
            find_other_buffer(input, arena, launch, &cause);
        }
        outcome_fail(verdict, &cause, summary);
        return;
    }
    if (broken_elsewhere(input, arena, launch, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    if (input->is_known_correct != NULL) {
        input->is_known_correct[launch] = true;
    }
    outcome_pass(verdict, shapes_text(arena, probed_shapes(input, launch)));
}
