/* test_case_runs.c: which builds the cases of whole programs get, and what comes of their runs,
 * whatever their order. Builds and runs are this file's: they say what the test wants. */
#include "submission/case_runs.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { CASES = 6, LAUNCHES = 2, RUNS_MAX = 1024 };

/* What the run of a case does. */
struct scripted {
    enum error error;
    enum blame blame;
    bool builds;
    enum ending ending;
    enum sample_status status;
    uint32_t finding_severity; /* 0: no finding; else 1 + enum severity */
    int exit_status, signal;
    size_t call_errors;
    useconds_t delay_us;
};

static struct arena *arena;
static struct scripted script[CASES];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int64_t built_values[RUNS_MAX][2];
static size_t builds, runs, most_at_once, at_once;
static struct rubric_override overrides[2];
static struct rubric_program program;
static struct rubric_launch launches[LAUNCHES];
static struct rubric_parameter parameters[2];
static struct rubric_case rubric_case;
static struct rubric rubric;
static struct submission_config config;
static struct session_config session;
static struct session_account account;
static struct built_program first_built;
static struct session_resource_cache first_resources;
static struct core_pool pool;
static struct drawn_case drawn[CASES];
static struct observation first_observation;
static struct launch_run first_run;
static struct cased_launch cased[LAUNCHES];
static struct launch_run joined[LAUNCHES];

static const struct scripted *script_of(int64_t number)
{
    return &script[number % CASES];
}

static void enter(size_t *count)
{
    pthread_mutex_lock(&mutex);
    (*count)++;
    at_once++;
    most_at_once = at_once > most_at_once ? at_once : most_at_once;
    pthread_mutex_unlock(&mutex);
}

static void leave(void)
{
    pthread_mutex_lock(&mutex);
    at_once--;
    pthread_mutex_unlock(&mutex);
}

enum error program_build_make(const struct program_build_request *request, struct arena *scratch,
                              struct built_program *out_built, const char **out_folder,
                              struct diagnostic *diagnostic)
{
    static const struct tool_message error = {.is_error = true,
                                              .file = "mine.cu",
                                              .line = 7,
                                              .column = 3,
                                              .message = "too much shared data"};
    const struct scripted *now = script_of(request->values[0]);
    (void)diagnostic;

    pthread_mutex_lock(&mutex);
    assert_true(builds < RUNS_MAX);
    memcpy(built_values[builds], request->values, sizeof built_values[0]);
    pthread_mutex_unlock(&mutex);
    enter(&builds);
    usleep(now->delay_us);
    leave();
    struct tool_message *message = arena_alloc(scratch, sizeof *message);
    *message = error;
    message->message = arena_strdup(scratch, error.message);
    *out_built = (struct built_program){.build = {.linked = now->builds,
                                                  .failure = CODE_COMPILE_ERROR,
                                                  .messages = message,
                                                  .message_count = 1}};
    *out_folder = NULL;
    return ERROR_NONE;
}

/* The number of a case is its first parameter. */
enum error session_run_launch(const struct session_config *with, struct arena *results,
                              size_t launch, const struct drawn_case *cases, size_t case_count,
                              struct launch_run *out_run, struct diagnostic *diagnostic)
{
    const struct scripted *now = script_of(cases->units[0]);
    struct observation *observation = arena_alloc(results, sizeof *observation);
    struct sample *sample = arena_alloc(results, sizeof *sample);
    struct finding *finding = arena_alloc(results, sizeof *finding);

    assert_int_equal(case_count, 1);
    assert_true(with->program->build.linked);
    assert_int_equal(with->block, launches[launch].block != NULL ? cases->units[1] : 32);
    assert_true(with->kernel == NULL || strcmp(with->kernel, "chosen") == 0);
    assert_int_equal(with->account->work, 1000); /* whatever the other cases use meanwhile */
    assert_ptr_not_equal(with->account, &account);
    assert_ptr_equal(with->first_build, program.override_count > 0 ? &first_built.build : NULL);
    enter(&runs);
    usleep(now->delay_us);
    leave();
    if (now->error != ERROR_NONE) {
        diagnostic_set(diagnostic, now->blame, "case %d is refused", (int)cases->units[0]);
        return now->error;
    }
    sample->status = now->status;
    finding->severity = (enum severity)(now->finding_severity - 1);
    *observation = (struct observation){.case_index = cases->case_index,
                                        .parameters = {cases->units[0]},
                                        .launched = true,
                                        .samples = sample,
                                        .sample_count = 1};
    *out_run = (struct launch_run){
        .activity = {.ran = true,
                     .end = {.ending = now->ending,
                             .exit_status = now->exit_status,
                             .signal = now->signal},
                     .call_error_count = now->call_errors,
                     .launch_total = (uint64_t)cases->units[0],
                     .work = UINT64_C(1) << (10 * launch + cases->units[0]),
                     .findings = finding,
                     .finding_count = now->finding_severity > 0 ? 1 : 0},
        .observations = observation,
        .observation_count = 1,
    };
    return ERROR_NONE;
}

static const struct expression *parse(const char *text)
{
    const struct expression *expression = NULL;
    size_t offset = 0;

    assert_int_equal(expression_parse(arena, text, &expression, &offset, NULL), ERROR_NONE);
    return expression;
}

/* Case i has the parameters i and 16; both launches have the same overrides. */
static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    builds = runs = most_at_once = at_once = 0;
    overrides[0] = (struct rubric_override){"N", parse("n")};
    overrides[1] = (struct rubric_override){"EDGE", parse("edge")};
    program = (struct rubric_program){.id = "p", .overrides = overrides, .override_count = 2};
    parameters[0] = (struct rubric_parameter){.name = "n"};
    parameters[1] = (struct rubric_parameter){.name = "edge"};
    launches[0] = (struct rubric_launch){.id = "a", .block = parse("edge")};
    launches[1] = (struct rubric_launch){.id = "b"};
    rubric_case = (struct rubric_case){.id = "c"};
    rubric = (struct rubric){.programs = &program,
                             .program_count = 1,
                             .parameters = parameters,
                             .parameter_count = 2,
                             .cases = &rubric_case,
                             .case_count = 1,
                             .launches = launches,
                             .launch_count = LAUNCHES};
    config = (struct submission_config){.rubric = &rubric};
    session = (struct session_config){.rubric = &rubric, .account = &account};
    first_built = (struct built_program){.build = {.linked = true}};
    first_observation = (struct observation){.case_index = SIZE_MAX, .launched = true};
    first_run = (struct launch_run){.kernel = "chosen",
                                    .activity = {.ran = true, .launch_total = 99},
                                    .observations = &first_observation,
                                    .observation_count = 1};
    cased[0] = (struct cased_launch){.launch = 0};
    cased[1] = (struct cased_launch){.launch = 1, .block = 32, .first = &first_run};
    for (size_t i = 0; i < CASES; i++) {
        drawn[i] = (struct drawn_case){.repetition = (uint32_t)i, .units = {(int64_t)i, 16}};
        script[i] = (struct scripted){.builds = true, .ending = ENDING_EXITED};
    }
    core_pool_init(&pool, 3);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    core_pool_release(&pool);
    arena_free(arena);
    return 0;
}

static enum error run(struct diagnostic *diagnostic)
{
    const struct case_runs all = {
        .build = {.config = &config, .work_folder = "/work"},
        .session = &session,
        .first = &first_built,
        .first_resources = &first_resources,
        .pool = &pool,
        .cases = drawn,
        .case_count = CASES,
        .launches = cased,
        .launch_count = LAUNCHES,
    };

    account = (struct session_account){.work = 1000};
    return case_runs_make(&all, arena, joined, diagnostic);
}

static void run_well(void)
{
    assert_int_equal(run(NULL), ERROR_NONE);
}

/* The cases that a launch shows are `count` from the first one on, behind the first shape. */
static void expect_cases(size_t launch, size_t count)
{
    size_t before = launch == 1 ? 1 : 0;

    assert_int_equal(joined[launch].observation_count, before + count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(joined[launch].observations[before + i].parameters[0], i);
    }
    if (before > 0) {
        assert_int_equal(joined[launch].observations[0].case_index, SIZE_MAX);
    }
}

static void launches_share_the_builds_of_equal_values(void **state)
{
    (void)state;
    drawn[4].units[0] = 1; /* as case 1 */
    run_well();
    assert_int_equal(builds, CASES - 1);
    assert_int_equal(runs, LAUNCHES * CASES);
    assert_int_equal(joined[0].observation_count, CASES);
    assert_int_equal(joined[1].observation_count, CASES + 1);
    assert_null(joined[0].kernel);
    assert_string_equal(joined[1].kernel, "chosen");
    for (size_t i = 0; i < builds; i++) {
        assert_int_equal(built_values[i][1], 16);
    }
}

static void without_overrides_the_first_build_serves_all(void **state)
{
    (void)state;
    program.override_count = 0;
    run_well();
    assert_int_equal(builds, 0);
    assert_int_equal(runs, LAUNCHES * CASES);
    expect_cases(0, CASES);
}

static void no_more_go_on_at_once_than_there_are_cores(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASES; i++) {
        script[i].delay_us = 3000;
    }
    run_well();
    assert_true(most_at_once <= 3);
}

/* Delays make later cases end first; what is told is the same. */
static void behind_a_bad_end_nothing_is_told(void **state)
{
    static const struct scripted bad[] = {
        {.builds = true, .ending = ENDING_SIGNALLED},
        {.builds = true, .ending = ENDING_WALL_LIMIT},
        {.builds = true, .ending = ENDING_EXITED, .status = SAMPLE_DEADLINE},
        {.builds = false},
    };
    (void)state;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        for (size_t delayed = 0; delayed < CASES; delayed++) {
            memset(joined, 0, sizeof joined);
            for (size_t j = 0; j < CASES; j++) {
                script[j].delay_us = j == delayed ? 4000 : 0;
            }
            script[2] = script[4] = bad[i];
            script[2].delay_us = delayed == 2 ? 4000 : 0;
            run_well();
            expect_cases(0, 3);
            expect_cases(1, 3);
        }
        script[2] = script[4] = script[0];
    }
}

/* What the cases have used that count is taken off, in whatever order they end. */
static void an_account_holds_what_counts(void **state)
{
    (void)state;
    for (size_t delayed = 0; delayed < CASES; delayed++) {
        for (size_t j = 0; j < CASES; j++) {
            script[j].delay_us = j == delayed ? 4000 : 0;
        }
        script[2].ending = ENDING_EXITED;
        run_well();
        assert_int_equal(account.work, 1000 + ((1 << CASES) - 1) * (1 + 1024));
        assert_false(account.was_timed_out);
        script[2].ending = ENDING_CPU_LIMIT;
        run_well();
        assert_int_equal(account.work, 1000 + 7 * (1 + 1024));
        assert_true(account.was_timed_out);
    }
}

static void a_case_that_does_not_compile_says_why(void **state)
{
    (void)state;
    script[1].builds = false;
    run_well();
    expect_cases(0, 2);
    const struct observation *refused = &joined[0].observations[1];
    assert_int_equal(refused->failure, CODE_CASE_COMPILE_ERROR);
    assert_string_equal(refused->failure_message, "too much shared data");
    assert_string_equal(refused->failure_place->file, "mine.cu");
    assert_int_equal(refused->failure_place->line, 7);
    assert_int_equal(refused->block, 16);
    assert_int_equal(joined[1].observations[2].block, 32);
    assert_int_equal(joined[0].activity.launch_total, 0); /* that of case 0, which ran */
    assert_true(joined[0].activity.ran);

    script[0].builds = false;
    run_well();
    assert_false(joined[0].activity.ran);
    assert_int_equal(joined[1].activity.launch_total, 99); /* that of the first shape */
}

static void code_that_is_refused_at_its_start_is_no_error(void **state)
{
    (void)state;
    script[3].error = ERROR_SYNTAX;
    script[3].blame = BLAME_STUDENT;
    run_well();
    expect_cases(0, 4);
    assert_int_equal(joined[0].observations[3].failure, CODE_CASE_COMPILE_ERROR);
    assert_string_equal(joined[0].observations[3].failure_message, "case 3 is refused");
}

static void the_activity_is_that_of_the_first_trouble(void **state)
{
    (void)state;
    run_well();
    assert_int_equal(joined[0].activity.launch_total, CASES - 1); /* none: the last one */

    script[3].finding_severity = 1 + SEVERITY_ERROR;
    script[4].exit_status = 1;
    run_well();
    assert_int_equal(joined[0].activity.launch_total, 3);
    expect_cases(0, CASES);

    script[1].finding_severity = 1 + SEVERITY_WARNING;
    script[2].exit_status = 1; /* what the program thinks of its results tells less */
    run_well();
    assert_int_equal(joined[0].activity.launch_total, 3);
    script[3].finding_severity = 0;
    run_well();
    assert_int_equal(joined[0].activity.launch_total, 2);
    program.override_count = 0; /* with a given main it counts */
    script[3].finding_severity = 1 + SEVERITY_ERROR;
    run_well();
    assert_int_equal(joined[0].activity.launch_total, 2);
}

/* A failed assertion of a whole program's own ends its case, not those behind it. */
static void an_abort_of_its_own_cuts_nothing(void **state)
{
    (void)state;
    script[1].ending = script[4].ending = ENDING_SIGNALLED;
    script[1].signal = script[4].signal = SIGABRT;
    run_well();
    expect_cases(0, CASES);
    assert_int_equal(joined[0].activity.launch_total, 1);

    script[1].call_errors = 1; /* it complains of a call that failed */
    run_well();
    expect_cases(0, 2);

    script[1].call_errors = 0;
    script[3].ending = ENDING_SIGNALLED;
    script[3].signal = SIGBUS;
    run_well(); /* a crash, after the launch was looked at */
    expect_cases(0, CASES);

    script[3].signal = SIGKILL;
    run_well();
    expect_cases(0, 4);
    assert_int_equal(joined[0].activity.end.signal, SIGKILL);

    program.override_count = 0;
    run_well();
    expect_cases(0, 2);
}

static void errors_of_the_machine_are_errors(void **state)
{
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    (void)state;

    script[1].error = script[5].error = ERROR_PEER;
    script[1].blame = script[5].blame = BLAME_GRADER;
    script[1].delay_us = 4000;
    assert_int_equal(run(&diagnostic), ERROR_PEER);
    assert_int_equal(diagnostic.blame, BLAME_GRADER);
    assert_string_equal(diagnostic.message, "case 1 is refused");
}

static void a_case_without_values_is_the_rubrics_mistake(void **state)
{
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    (void)state;

    overrides[0].value = parse("n / 2");
    assert_int_equal(run(&diagnostic), ERROR_RANGE);
    assert_int_equal(diagnostic.blame, BLAME_RUBRIC);
    assert_int_equal(builds, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(launches_share_the_builds_of_equal_values, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(without_overrides_the_first_build_serves_all, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(no_more_go_on_at_once_than_there_are_cores, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(behind_a_bad_end_nothing_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_account_holds_what_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_case_that_does_not_compile_says_why, set_up, tear_down),
        cmocka_unit_test_setup_teardown(code_that_is_refused_at_its_start_is_no_error, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(the_activity_is_that_of_the_first_trouble, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_abort_of_its_own_cuts_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(errors_of_the_machine_are_errors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_case_without_values_is_the_rubrics_mistake, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
