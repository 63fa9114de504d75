/* test_consistency.c: what a part hands over wrongly ends the process, and what is right does not. */
#include "model/consistency.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct rubric_program program;
static struct rubric_launch launch;
static struct rubric_criterion criterion;
static struct rubric rubric;
static struct program_build build;
static struct launch_run run;
static struct observation observation;
static struct sample sample;
static struct submission_evidence evidence;
static struct verdict verdict;
static struct report_diagnostic diagnostic;
static size_t named[1];
static struct report report;

static int set_up(void **state)
{
    (void)state;
    launch = (struct rubric_launch){.id = "tiled", .operand_count = 1};
    criterion = (struct rubric_criterion){.id = "correct",
                                          .title = "correct",
                                          .kind = CRITERION_CORRECT,
                                          .points = 20,
                                          .has_launch = true};
    rubric = (struct rubric){.programs = &program,
                             .program_count = 1,
                             .launches = &launch,
                             .launch_count = 1,
                             .criteria = &criterion,
                             .criterion_count = 1,
                             .case_count = 1};
    build = (struct program_build){.linked = true};
    sample = (struct sample){.kind = PROBE_EXACT, .before = {"in"}, .after = {"out"}};
    observation = (struct observation){
        .launched = true, .element_counts = {1}, .samples = &sample, .sample_count = 1};
    run = (struct launch_run){.observations = &observation, .observation_count = 1};
    evidence = (struct submission_evidence){.builds = &build, .launch_runs = &run};
    verdict =
        (struct verdict){.criterion = &criterion,
                         .status = STATUS_FAILED,
                         .summary = "wrong",
                         .cause = {.code = CODE_MISMATCH, .message = "m", .file = "", .hint = ""}};
    named[0] = 0;
    diagnostic = (struct report_diagnostic){
        .message = "m", .file = "", .verdicts = named, .verdict_count = 1};
    report = (struct report){.rubric = &rubric,
                             .verdicts = &verdict,
                             .verdict_count = 1,
                             .diagnostics = &diagnostic,
                             .diagnostic_count = 1};
    return 0;
}

/* True if one of the checks aborts. */
static bool ends(void)
{
    int status = 0;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        (void)!freopen("/dev/null", "w", stderr);
        rubric_ensure(&rubric);
        evidence_ensure(&rubric, &evidence);
        verdict_ensure(&verdict);
        report_ensure(&report);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void what_is_right_goes_on(void **state)
{
    (void)state;
    assert_false(ends());
    sample.status = SAMPLE_FAULT; /* nothing was read back */
    sample.after[0] = NULL;
    assert_false(ends());
    verdict.status = STATUS_PASSED;
    verdict.points = 20;
    verdict.cause.code = CODE_NONE;
    assert_false(ends());
}

static void rubrics(void **state)
{
    (void)state;
    criterion.launch = 1;
    assert_true(ends());
    criterion.launch = 0;
    launch.program = 1;
    assert_true(ends());
    launch.program = 0;
    criterion.points = NAN;
    assert_true(ends());
    criterion.points = 20;
    criterion.has_printout = true;
    assert_true(ends());
    criterion.has_printout = false;
    criterion.kind = CRITERION_SPEEDUP;
    criterion.baseline = 7;
    assert_true(ends());
}

static void evidences(void **state)
{
    (void)state;
    build.failure = CODE_LINK_ERROR;
    assert_true(ends());
    build.failure = CODE_NONE;
    sample.after[0] = NULL;
    assert_true(ends());
    sample.after[0] = "out";
    observation.case_index = 3;
    assert_true(ends());
    observation.case_index = SIZE_MAX;
    assert_false(ends());
    observation.launched = false;
    assert_true(ends());
}

static void verdicts(void **state)
{
    (void)state;
    verdict.points = 1;
    assert_true(ends());
    verdict.points = 0;
    verdict.cause.code = CODE_NONE;
    assert_true(ends());
    verdict.cause.code = CODE_MISMATCH;
    verdict.cause.hint = NULL;
    assert_true(ends());
    verdict.cause.hint = "";
    verdict.status = STATUS_PASSED;
    assert_true(ends());
    verdict.points = 21;
    assert_true(ends());
}

static void reports(void **state)
{
    (void)state;
    named[0] = 1;
    assert_true(ends());
    named[0] = 0;
    diagnostic.message = NULL;
    assert_true(ends());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(what_is_right_goes_on, set_up),
        cmocka_unit_test_setup(rubrics, set_up),
        cmocka_unit_test_setup(evidences, set_up),
        cmocka_unit_test_setup(verdicts, set_up),
        cmocka_unit_test_setup(reports, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
