/* test_trace_job.c: what is looked at a second time. The session and the diagnosis are this
 * file's: they say what the test wants. */
#include "submission/trace_job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { CRITERIA = 4, LAUNCHES = 2 };

static struct arena *arena;
static bool wants[CRITERIA];
static bool gives[LAUNCHES];
static size_t traced;
static struct trace_request seen;
static struct session_config seen_session;
static unsigned stages;

static struct rubric_criterion criteria[CRITERIA];
static struct rubric_launch launches[LAUNCHES];
static struct rubric_program rubric_programs[LAUNCHES];
static struct launch_run launch_runs[LAUNCHES];
static struct rubric rubric;
static struct submission_config config;
static struct device_plan plan;
static struct program_job programs[2];
static struct launch_trace trace;
static struct submission_evidence evidence;
static struct verdict verdicts[CRITERIA];
static struct trace_job work;

bool diagnosis_wants_trace(const struct criteria_input *input, struct arena *unused,
                           const struct verdict *verdict, struct trace_request *out_request)
{
    (void)input;
    (void)unused;
    *out_request = (struct trace_request){.launch = verdict->criterion->launch, .element = 7};
    return wants[verdict->criterion - criteria];
}

const struct launch_trace *session_trace_launch(const struct session_config *session,
                                                struct arena *unused,
                                                const struct trace_request *request)
{
    (void)unused;
    traced++;
    seen = *request;
    seen_session = *session;
    return gives[request->launch] ? &trace : NULL;
}

static void count_stage(void *context, const char *stage)
{
    (void)context;
    assert_true(strlen(stage) > 0);
    stages++;
}

/* Criteria 0 and 1 look at the first launch, 2 and 3 at the second, of another program. */
static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    traced = 0;
    stages = 0;
    for (size_t i = 0; i < CRITERIA; i++) {
        wants[i] = false;
        criteria[i] = (struct rubric_criterion){.launch = i / 2, .has_launch = true};
        verdicts[i] = (struct verdict){.criterion = &criteria[i], .status = STATUS_FAILED};
    }
    for (size_t i = 0; i < LAUNCHES; i++) {
        gives[i] = true;
        launches[i] = (struct rubric_launch){.program = i};
        programs[i] = (struct program_job){.config = &config, .program = i, .work_folder = "/work"};
        programs[i].built.build.linked = true;
    }
    rubric = (struct rubric){.criteria = criteria,
                             .criterion_count = CRITERIA,
                             .programs = rubric_programs,
                             .program_count = LAUNCHES,
                             .launches = launches,
                             .launch_count = LAUNCHES};
    config = (struct submission_config){.rubric = &rubric, .seed = 5, .progress = count_stage};
    plan = (struct device_plan){.runs_on_gpu = false};
    launch_runs[1].kernel = "chosen";
    evidence = (struct submission_evidence){.launch_runs = launch_runs};
    work = (struct trace_job){.config = &config, .plan = &plan, .works = programs};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static void run(void)
{
    const struct criteria_input input = {.rubric = &rubric, .evidence = &evidence};

    trace_job_run(&work, &input, &evidence, arena, verdicts, CRITERIA);
}

static void what_is_right_runs_no_more(void **state)
{
    (void)state;
    run();
    assert_int_equal(traced, 0);
    assert_int_equal(stages, 0);
    assert_null(evidence.traces);
    assert_true(work.seconds == 0.0);
}

static void what_is_wrong_is_traced(void **state)
{
    (void)state;
    wants[2] = true;
    run();
    assert_int_equal(traced, 1);
    assert_int_equal(seen.launch, 1);
    assert_int_equal(seen.element, 7);
    assert_ptr_equal(seen_session.program, &programs[1].built);
    assert_ptr_equal(seen_session.resources, &programs[1].resources);
    assert_ptr_equal(seen_session.device.model, plan.model_record);
    assert_false(seen_session.device.is_gpu);
    assert_int_equal(seen_session.seed, 5);
    assert_string_equal(seen_session.kernel, "chosen");
    assert_int_equal(stages, 1);
    assert_ptr_equal(evidence.traces[1], &trace);
    assert_null(evidence.traces[0]);
}

static void one_trace_serves_all_criteria_of_a_launch(void **state)
{
    (void)state;
    wants[0] = wants[1] = wants[3] = true;
    run();
    assert_int_equal(traced, 2);
}

static void what_gives_no_trace_is_not_tried_again(void **state)
{
    (void)state;
    wants[0] = wants[1] = true;
    gives[0] = false;
    run();
    assert_int_equal(traced, 1);
    assert_null(evidence.traces[0]);

    programs[0].built.build.linked = false;
    run();
    assert_int_equal(traced, 1);
}

static void a_real_gpu_gives_no_trace(void **state)
{
    (void)state;
    wants[0] = true;
    plan.runs_on_gpu = true;
    run();
    assert_int_equal(traced, 0);
    assert_null(evidence.traces);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_right_runs_no_more, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_traced, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_trace_serves_all_criteria_of_a_launch, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_gives_no_trace_is_not_tried_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_real_gpu_gives_no_trace, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
