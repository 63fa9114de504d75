/* test_timing_preparation.c: with which builds of the reference solution, for which kernel and
 * which block width launches are learnt. Builds and sessions are this file's: they note what they
 * are asked. */
#include "submission/timing_preparation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { TILED, DYNAMIC, NAIVE, LINKED, LAUNCHES };
enum { CRITERIA = 3, NOTES_MAX = 16 };

/* One build, or one recipe. */
struct note {
    size_t launch; /* or the program of a build */
    bool has_values;
    int64_t values[2];
    const char *kernel;
    int64_t block;
};

static struct arena *arena;
static struct note builds[NOTES_MAX], recipes[NOTES_MAX];
static size_t build_count, recipe_count, surveys, first_runs;
static bool launches_nothing;
static struct observation first_observation;
static struct rubric_override overrides[2];
static struct rubric_program programs[2];
static struct rubric_parameter parameters[2];
static struct rubric_launch launches[LAUNCHES];
static struct rubric_criterion criteria[CRITERIA];
static struct rubric rubric;
static struct submission_config config;
static struct device_plan plan;
static struct session_gpu gpu;

static void note_values(struct note *note, const int64_t *values)
{
    note->has_values = values != NULL;
    if (values != NULL) {
        memcpy(note->values, values, sizeof note->values);
    }
}

enum error toolchain_reference(const struct toolchain *toolchain,
                               const struct build_request *request, struct arena *into,
                               struct built_program *out_program, struct diagnostic *diagnostic)
{
    (void)toolchain;
    (void)diagnostic;
    assert_true(build_count < NOTES_MAX);
    builds[build_count].launch = request->program;
    note_values(&builds[build_count++], request->macro_values);
    /* the program remembers what it was built for */
    *out_program = (struct built_program){
        .executable = (const char *)arena_alloc(into, 1),
        .build = {.linked = true, .message_count = build_count - 1},
    };
    return ERROR_NONE;
}

enum error session_select_kernel(const struct session_config *session, struct arena *unused,
                                 size_t launch, const int64_t *first, struct launch_run *out_run,
                                 int64_t *out_block, struct diagnostic *diagnostic)
{
    (void)unused;
    (void)diagnostic;
    surveys++;
    assert_int_equal(launch, TILED);
    assert_int_equal(first[0], 96);
    assert_int_equal(builds[session->program->build.message_count].values[0], 96);
    *out_run = (struct launch_run){.kernel = launches_nothing ? NULL : "chosen"};
    *out_block = launches_nothing ? 0 : 16;
    return ERROR_NONE;
}

enum error session_run_launch(const struct session_config *session, struct arena *unused,
                              size_t launch, const struct drawn_case *cases, size_t case_count,
                              struct launch_run *out_run, struct diagnostic *diagnostic)
{
    (void)session;
    (void)unused;
    (void)cases;
    (void)diagnostic;
    first_runs++;
    assert_int_equal(launch, DYNAMIC);
    assert_int_equal(case_count, 0);
    first_observation = (struct observation){.case_index = SIZE_MAX, .block = 32};
    *out_run = (struct launch_run){.observations = &first_observation, .observation_count = 1};
    return ERROR_NONE;
}

enum error session_learn_launch(const struct session_config *session, struct arena *unused,
                                size_t launch, const int64_t *shape,
                                struct launch_recipe *out_recipe, struct diagnostic *diagnostic)
{
    const struct note *built = &builds[session->program->build.message_count];
    struct note *note = &recipes[recipe_count++];
    (void)unused;
    (void)diagnostic;

    assert_true(recipe_count < NOTES_MAX);
    assert_int_equal(shape[0], 2048);
    *note = *built;
    note->launch = launch;
    note->kernel = session->kernel;
    note->block = session->block;
    *out_recipe = (struct launch_recipe){.program = session->program};
    return ERROR_NONE;
}

static const struct expression *parse(const char *text)
{
    const struct expression *expression = NULL;
    size_t offset = 0;

    assert_int_equal(expression_parse(arena, text, &expression, &offset, NULL), ERROR_NONE);
    return expression;
}

static void describe_launches(void)
{
    static const struct expression *input[1];

    input[0] = parse("n");
    for (size_t i = 0; i < LAUNCHES; i++) {
        launches[i] = (struct rubric_launch){
            .id = "x", .kernel = "named", .has_first = true, .first_values = {96, 16}};
    }
    launches[TILED].kernel = "*";
    launches[TILED].is_pattern = true;
    launches[TILED].block = launches[NAIVE].block = parse("edge");
    launches[LINKED].program = 1;
    launches[LINKED].input = input;
    launches[LINKED].input_count = 1;
    for (size_t i = 0; i < CRITERIA; i++) {
        static const size_t timed[CRITERIA] = {TILED, DYNAMIC, LINKED};
        criteria[i] = (struct rubric_criterion){
            .id = "speed",
            .kind = CRITERION_SPEEDUP,
            .launch = timed[i],
            .baseline = timed[i] == LINKED ? LINKED : NAIVE,
            .timing_shape = {parse("2048"), parse("8")},
        };
    }
}

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    build_count = recipe_count = surveys = first_runs = 0;
    launches_nothing = false;
    overrides[0] = (struct rubric_override){"N", parse("n")};
    overrides[1] = (struct rubric_override){"EDGE", parse("edge")};
    programs[0] =
        (struct rubric_program){.id = "whole", .overrides = overrides, .override_count = 2};
    programs[1] = (struct rubric_program){.id = "linked"};
    parameters[0] = (struct rubric_parameter){.name = "n"};
    parameters[1] = (struct rubric_parameter){.name = "edge"};
    describe_launches();
    rubric = (struct rubric){.programs = programs,
                             .program_count = 2,
                             .parameters = parameters,
                             .parameter_count = 2,
                             .launches = launches,
                             .launch_count = LAUNCHES,
                             .criteria = criteria,
                             .criterion_count = CRITERIA};
    gpu = (struct session_gpu){.uuid = "GPU-0"};
    plan = (struct device_plan){.gpus = {.gpus = &gpu, .count = 1, .reason = ""}};
    plan.gpus.model.multiprocessors = 132;
    config = (struct submission_config){.rubric = &rubric, .plan = &plan};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static const struct prepared_timing *prepare(void)
{
    struct device_planning *planning = device_planning_start(&config);
    struct timing_preparation *preparation = timing_preparation_start(&config, planning, "/work");
    const struct prepared_timing *prepared = timing_preparation_finish(preparation, arena);

    device_planning_end(planning, arena);
    return prepared;
}

static void expect_recipe(size_t index, const struct note *expected)
{
    const struct note *note = &recipes[index];

    assert_int_equal(note->launch, expected->launch);
    assert_int_equal(note->has_values, expected->has_values);
    assert_int_equal(note->values[0], expected->values[0]);
    assert_int_equal(note->values[1], expected->values[1]);
    assert_int_equal(note->block, expected->block);
    if (expected->kernel == NULL) {
        assert_null(note->kernel);
    } else {
        assert_string_equal(note->kernel, expected->kernel);
    }
}

/* The baseline of each criterion comes before its reference. */
static void whole_programs_are_built_for_the_shape(void **state)
{
    const struct prepared_timing *prepared = prepare();
    (void)state;

    assert_non_null(prepared);
    for (size_t i = 0; i < CRITERIA; i++) {
        assert_string_equal(prepared[i].trouble, "");
        assert_int_equal(prepared[i].parameters[0], 2048);
    }
    assert_int_equal(recipe_count, 2 * CRITERIA);
    expect_recipe(0, &(struct note){NAIVE, true, {2048, 8}, NULL, 8});
    expect_recipe(1, &(struct note){TILED, true, {2048, 8}, "chosen", 8});
    expect_recipe(2, &(struct note){NAIVE, true, {2048, 8}, NULL, 8});
    expect_recipe(3, &(struct note){DYNAMIC, true, {2048, 8}, NULL, 32});
    expect_recipe(4, &(struct note){LINKED, false, {0, 0}, NULL, 0});
    assert_int_equal(surveys, 1);
    assert_int_equal(first_runs, 1);
    assert_string_equal(prepared[0].reference_config->kernel, "chosen");
    assert_null(prepared[0].baseline_config->kernel);
}

/* One for the shape, one for the first shape, one of the linked program. */
static void each_build_is_made_once(void **state)
{
    (void)state;
    prepare();
    assert_int_equal(build_count, 3);
}

static void a_reference_that_launches_nothing_is_trouble(void **state)
{
    (void)state;
    launches_nothing = true;
    const struct prepared_timing *prepared = prepare();
    assert_non_null(strstr(prepared[0].trouble, "does not launch `*` for the first shape"));
    assert_string_equal(prepared[1].trouble, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(whole_programs_are_built_for_the_shape, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_build_is_made_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_reference_that_launches_nothing_is_trouble, set_up,
                                        tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
