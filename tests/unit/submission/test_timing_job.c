/* test_timing_work.c: what is timed, under whose lock, and what is believed of it. The session and
 * the criteria are this file's: they say what the test wants. */
#include "criteria/criteria.h"
#include "submission/timing_job.h"

#include "base/clock.h"
#include "base/file.h"
#include "submission/program_build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define UUID "GPU-a0a0"

enum { CRITERIA = 3, SPEED = 1, OTHER_SPEED = 2 };

/* What session_time_launch does at each call. */
struct scripted {
    enum error error;
    const char *trouble;
    enum code failure;
    bool is_spoilt;
};

static struct arena *arena;
static char *folder;
static struct scripted script[4];
static size_t calls;
static bool is_sound;
static bool shape_links;
static size_t shape_builds;
static struct timing_task seen;
static struct session_config seen_session;
static unsigned stages;

static struct rubric_criterion criteria[CRITERIA];
static struct rubric_launch launch;
static struct rubric_program rubric_program;
static struct rubric rubric;
static struct submission_config config;
static struct session_gpu gpu;
static struct device_plan plan;
static struct program_job program;
static struct session_config baseline_config, reference_config;
static struct prepared_timing prepared[CRITERIA];
static struct timing_job work;

bool criterion_wants_timing(const struct criteria_input *input, struct arena *unused,
                            const struct rubric_criterion *criterion)
{
    (void)input;
    (void)unused;
    return criterion->kind == CRITERION_SPEEDUP && is_sound;
}

enum error session_time_launch(const struct session_config *session, struct arena *unused,
                               const struct timing_task *task, struct timing_run *out_run,
                               struct diagnostic *diagnostic)
{
    const struct scripted *now = &script[calls++];
    struct gpu_lock lock = {.fd = -1};
    bool held = true;
    (void)unused;

    assert_int_equal(gpu_lock_try(UUID, GPU_LOCK_SHARED, &lock, &held, NULL), ERROR_NONE);
    assert_false(held);
    seen = *task;
    seen_session = *session;
    if (now->error != ERROR_NONE) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the device is gone");
        return now->error;
    }
    *out_run = (struct timing_run){.ran = true,
                                   .trouble = now->trouble,
                                   .is_spoilt = now->is_spoilt,
                                   .failure = now->failure,
                                   .student_ns = (double)calls};
    return ERROR_NONE;
}

enum error program_build_case(const struct program_build_request *request,
                              const int64_t *parameters, int64_t block, struct arena *unused,
                              struct built_program *out_built, const char **out_folder,
                              struct diagnostic *diagnostic)
{
    static const struct tool_message message = {
        .is_error = true, .file = "mine.cu", .line = 3, .column = 1, .message = "too large"};
    (void)unused;
    (void)diagnostic;

    assert_string_equal(request->work_folder, "/work");
    assert_int_equal(parameters[0], 64);
    assert_int_equal(block, 8);
    shape_builds++;
    *out_built = (struct built_program){.executable = "of the shape",
                                        .build = {.linked = shape_links,
                                                  .messages = &message,
                                                  .message_count = shape_links ? 0 : 1}};
    *out_folder = "/nosuch/build";
    return ERROR_NONE;
}

static void count_stage(void *context, const char *stage)
{
    (void)context;
    assert_string_equal(stage, "measuring speed");
    stages++;
}

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    assert_int_equal(folder_make_temporary(arena, &folder, NULL), ERROR_NONE);
    assert_int_equal(setenv("GPUGRADE_LOCKS", folder, 1), 0);
    for (size_t i = 0; i < sizeof script / sizeof script[0]; i++) {
        script[i] = (struct scripted){.trouble = ""};
    }
    calls = 0;
    stages = 0;
    is_sound = shape_links = true;
    shape_builds = 0;
    criteria[0] = (struct rubric_criterion){.id = "compile", .kind = CRITERION_COMPILE};
    criteria[SPEED] = (struct rubric_criterion){.id = "speed", .kind = CRITERION_SPEEDUP};
    criteria[OTHER_SPEED] = (struct rubric_criterion){.id = "other", .kind = CRITERION_SPEEDUP};
    launch = (struct rubric_launch){.id = "tiled", .kernel = "multiply"};
    rubric = (struct rubric){.criteria = criteria,
                             .criterion_count = CRITERIA,
                             .launches = &launch,
                             .launch_count = 1,
                             .programs = &rubric_program,
                             .program_count = 1};
    config =
        (struct submission_config){.rubric = &rubric, .only = "speed", .progress = count_stage};
    gpu = (struct session_gpu){.uuid = UUID};
    plan = (struct device_plan){.gpus = {.gpus = &gpu, .count = 1}};
    plan.gpus.model.compute_major = 9;
    program = (struct program_job){.config = &config, .work_folder = "/work"};
    program.built.build.linked = true;
    for (size_t i = 0; i < CRITERIA; i++) {
        prepared[i] = (struct prepared_timing){.trouble = "",
                                               .parameters = {64, 32},
                                               .baseline_config = &baseline_config,
                                               .reference_config = &reference_config};
    }
    work = (struct timing_job){
        .config = &config, .plan = &plan, .works = &program, .prepared = prepared};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    folder_remove(folder);
    arena_free(arena);
    return 0;
}

static void run(void)
{
    const struct criteria_input input = {.rubric = &rubric};

    assert_int_equal(timing_job_run(&work, &input, arena, NULL), ERROR_NONE);
}

static void the_task_is_complete(void **state)
{
    (void)state;
    run();
    assert_int_equal(calls, 1);
    assert_ptr_equal(seen.criterion, &criteria[SPEED]);
    assert_ptr_equal(seen.baseline, &prepared[SPEED].baseline);
    assert_ptr_equal(seen.reference, &prepared[SPEED].reference);
    assert_ptr_equal(seen.baseline_config, &baseline_config);
    assert_ptr_equal(seen.reference_config, &reference_config);
    assert_int_equal(seen.parameters[0], 64);
    assert_int_equal(seen.budget_ns, 2 * CLOCK_NS_PER_S);
    assert_true(seen_session.device.is_gpu);
    assert_string_equal(seen_session.device.gpu, UUID);
    assert_int_equal(seen_session.compute_major, 9);
    assert_ptr_equal(seen_session.resources, &program.resources);
    assert_true(work.timings[SPEED].ran);
    assert_true(work.used_gpus[0]);
    assert_int_equal(stages, 1);
}

/* A whole program is built for the shape; kernel and block width are those that its cases showed.
 * */
static void a_whole_program_is_built_for_the_shape(void **state)
{
    static const struct rubric_override override = {"N", NULL};
    const struct observation first = {.case_index = SIZE_MAX, .block = 8};
    const struct launch_run seen_before = {
        .kernel = "chosen", .observations = &first, .observation_count = 1};
    const struct submission_evidence evidence = {.launch_runs = &seen_before};
    const struct criteria_input input = {.rubric = &rubric, .evidence = &evidence};
    (void)state;

    rubric_program.overrides = &override;
    rubric_program.override_count = 1;
    assert_int_equal(timing_job_run(&work, &input, arena, NULL), ERROR_NONE);
    assert_int_equal(shape_builds, 1);
    assert_string_equal(seen_session.program->executable, "of the shape");
    assert_string_equal(seen_session.kernel, "chosen");
    assert_int_equal(seen_session.block, 8);
    assert_ptr_not_equal(seen_session.resources, &program.resources);

    calls = 0;
    shape_links = false;
    assert_int_equal(timing_job_run(&work, &input, arena, NULL), ERROR_NONE);
    assert_int_equal(calls, 0);
    assert_true(work.timings[SPEED].ran);
    assert_int_equal(work.timings[SPEED].failure, CODE_CASE_COMPILE_ERROR);
    assert_string_equal(work.timings[SPEED].failure_message, "too large");
    rubric_program = (struct rubric_program){.id = "p"};
}

static void precise_means_longer(void **state)
{
    (void)state;
    config.is_precise = true;
    run();
    assert_int_equal(seen.budget_ns, 15 * CLOCK_NS_PER_S);
}

/* Machine code for another model than the real GPU's is not taken. */
static void another_models_code_is_not_used(void **state)
{
    (void)state;
    plan.has_own_model = true;
    run();
    assert_ptr_not_equal(seen_session.resources, &program.resources);
}

static void only_what_is_judged_and_sound_is_timed(void **state)
{
    (void)state;
    config.only = NULL;
    run();
    assert_int_equal(calls, 2);
    assert_false(work.timings[0].ran);
    assert_true(work.timings[OTHER_SPEED].ran);

    is_sound = false;
    run();
    assert_int_equal(calls, 2);
    assert_false(work.timings[SPEED].ran);
    assert_false(work.used_gpus[0]);
}

static void trouble_is_tried_once_more(void **state)
{
    (void)state;
    script[0].trouble = "the clocks change";
    run();
    assert_int_equal(calls, 2);
    assert_string_equal(work.timings[SPEED].trouble, "");
    assert_true(work.timings[SPEED].student_ns == 2);
}

static void trouble_that_stays_is_told(void **state)
{
    (void)state;
    script[0].trouble = script[1].trouble = "the clocks change";
    run();
    assert_int_equal(calls, 2);
    assert_string_equal(work.timings[SPEED].trouble, "the clocks change");
}

/* The grader's own launches fail whenever the submission's kernel has run, and only then. */
static void launches_that_are_spoilt_twice_are_a_failure(void **state)
{
    (void)state;
    script[0].trouble = script[1].trouble = "the baseline's launch failed";
    script[0].is_spoilt = script[1].is_spoilt = true;
    run();
    assert_int_equal(calls, 2);
    assert_string_equal(work.timings[SPEED].trouble, "");
    assert_int_equal(work.timings[SPEED].failure, CODE_WRONG_WHEN_TIMED);
    assert_non_null(strstr(work.timings[SPEED].failure_message, "the baseline's launch failed"));
    assert_non_null(strstr(work.timings[SPEED].failure_message, "`multiply`"));
}

static void launches_that_are_spoilt_once_are_none(void **state)
{
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        calls = 0;
        script[0].trouble = script[1].trouble = "the baseline's launch failed";
        script[0].is_spoilt = i == 0;
        script[1].is_spoilt = i == 1;
        run();
        assert_int_equal(work.timings[SPEED].failure, CODE_NONE);
        assert_string_equal(work.timings[SPEED].trouble, "the baseline's launch failed");
    }
}

static void an_error_is_trouble_of_this_timing(void **state)
{
    (void)state;
    script[0].error = script[1].error = ERROR_PEER;
    run();
    assert_int_equal(calls, 2);
    assert_true(work.timings[SPEED].ran);
    assert_non_null(strstr(work.timings[SPEED].trouble, "the device is gone"));
    assert_int_equal(work.timings[SPEED].parameters[1], 32);
}

static void a_failure_is_final(void **state)
{
    (void)state;
    script[0].failure = CODE_NEVER_LAUNCHED;
    run();
    assert_int_equal(calls, 1);
    assert_int_equal(work.timings[SPEED].failure, CODE_NEVER_LAUNCHED);
}

static void what_was_not_prepared_is_trouble(void **state)
{
    (void)state;
    prepared[SPEED].trouble = "the reference does not build";
    run();
    assert_int_equal(calls, 0);
    assert_string_equal(work.timings[SPEED].trouble, "the reference does not build");
    assert_int_equal(work.timings[SPEED].parameters[0], 64);
}

static void without_a_gpu_nothing_is_timed(void **state)
{
    (void)state;
    work.prepared = NULL;
    plan.gpus.count = 0;
    run();
    assert_int_equal(calls, 0);
    assert_false(work.timings[SPEED].ran);
}

static void a_hostile_lock_ends_the_check(void **state)
{
    const struct criteria_input input = {.rubric = &rubric};
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    (void)state;

    assert_int_equal(setenv("GPUGRADE_LOCKS", "/nosuch", 1), 0);
    assert_int_equal(timing_job_run(&work, &input, arena, &diagnostic), ERROR_ENVIRONMENT);
    assert_int_equal(diagnostic.blame, BLAME_ENVIRONMENT);
    assert_int_equal(calls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_task_is_complete, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_whole_program_is_built_for_the_shape, set_up, tear_down),
        cmocka_unit_test_setup_teardown(precise_means_longer, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_models_code_is_not_used, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_what_is_judged_and_sound_is_timed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(trouble_is_tried_once_more, set_up, tear_down),
        cmocka_unit_test_setup_teardown(trouble_that_stays_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(launches_that_are_spoilt_twice_are_a_failure, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(launches_that_are_spoilt_once_are_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_error_is_trouble_of_this_timing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_failure_is_final, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_not_prepared_is_trouble, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_gpu_nothing_is_timed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_hostile_lock_ends_the_check, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
