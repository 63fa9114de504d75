/* correct_criterion.c: the criterion `correct`: one launch, right in every element of every case.
 *
 * All or nothing, and results only: what keeps the launch from being judged comes first, then the
 * values. A race or a bad access costs nothing here as long as the results are right; where they
 * are wrong and no known mistake explains them, the finding is told as the probable cause.
 */
#include "criteria/outcome.h"

#include "criteria/compare.h"
#include "criteria/launch_findings.h"
#include "criteria/launch_preconditions.h"
#include "criteria/preconditions.h"
#include "criteria/program_run.h"
#include "criteria/whole_program.h"
#include "criteria/wrong_result.h"

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

/* What the coursework lacks for this criterion; NULL if nothing. */
static const char *lacking(const struct criteria_input *input, size_t launch)
{
    const struct rubric_launch *of = &input->rubric->launches[launch];

    if (output_operand(of) == of->operand_count) {
        return "the rubric's launch has no output operand";
    }
    if (input->oracle == NULL) {
        return "the coursework has no oracle";
    }
    if (input->rubric->arithmetic == ARITHMETIC_NO_FMAD && input->oracle->expect_in_order == NULL) {
        return "the rubric asks for \"fmad=false\", but the oracle has no expect_in_order";
    }
    return NULL;
}

/* True if what the device found may have brought a wrong result about. One that says why it is
 * wrong needs no other reason; elements are not written for want of accesses, not of order. */
static bool may_explain(const struct finding *finding, enum code result)
{
    enum cause_kind kind = code_cause(finding->code);

    if (result == CODE_NOT_WRITTEN) {
        return kind == CAUSE_OUT_OF_BOUNDS || kind == CAUSE_MISALIGNED;
    }
    return finding_is_about_accesses(finding) &&
           (result == CODE_MISMATCH || result == CODE_NOT_A_NUMBER || result == CODE_STATE_KEPT);
}

/* Lets what the device found explain a wrong result: message, place and hint. */
static void explain(const struct criteria_input *input, struct arena *arena, size_t launch,
                    struct cause *cause)
{
    const struct finding *finding = worst_launch_finding(input, launch, false);

    if (finding == NULL || !may_explain(finding, cause->code)) {
        return;
    }
    struct cause reason = cause_of_finding(arena, finding);
    cause->message = arena_printf(arena, "%s; probably because %s (%s)",
                                  cause->plain != NULL ? cause->plain : cause->message,
                                  reason.message, code_id(finding->code));
    cause->because = finding->code;
    cause->file = reason.file;
    cause->line = reason.line;
    cause->column = reason.column;
    cause->hint = reason.hint;
}

void correct_criterion_judge(const struct criteria_input *input, struct arena *arena,
                             struct verdict *verdict)
{
    size_t launch = verdict->criterion->launch;
    const char *lack = lacking(input, launch);
    const char *summary = NULL;
    struct cause cause;

    if (lack != NULL) {
        outcome_error(verdict, lack, "tell your instructor: the coursework itself is at fault");
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
        explain(input, arena, launch, &cause);
        cause.subject.kind = SUBJECT_RESULT;
        outcome_fail(verdict, &cause, summary);
        return;
    }
    if (broken_elsewhere(input, arena, launch, &cause)) {
        outcome_fail(verdict, &cause, NULL);
        return;
    }
    outcome_pass(verdict, shapes_text(arena, probed_shapes(input, launch)));
}
