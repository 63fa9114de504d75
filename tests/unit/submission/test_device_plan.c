/* test_device_plan.c: which devices each mode takes, with GPUs that this file lists. */
#include "submission/device_plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct arena *arena;
static uint8_t record[GPU_MODEL_RECORD_BYTES];
static struct session_gpu gpu;
static size_t gpu_count;
static enum error list_error;
static unsigned asked;
static struct rubric rubric;
static struct submission_config config;

enum error session_list_gpus(const char *device_path, struct arena *unused,
                             const struct session_gpu **out_gpus, size_t *out_count,
                             const char **out_reason, struct diagnostic *diagnostic)
{
    (void)unused;
    asked++;
    assert_string_equal(device_path, "/bin/device");
    if (list_error != ERROR_NONE) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "the driver does not answer");
        return list_error;
    }
    *out_gpus = &gpu;
    *out_count = gpu_count;
    *out_reason = gpu_count == 0 ? "there is no driver" : "";
    return ERROR_NONE;
}

/* One GPU that is an A100; the rubric's is an H200. */
static int set_up(void **state)
{
    struct gpu_model model;
    (void)state;

    arena = arena_new();
    assert_int_equal(gpu_model_find("A100", &model, NULL), ERROR_NONE);
    gpu_model_pack(&model, record);
    gpu = (struct session_gpu){
        .uuid = "GPU-a0a0", .model = record, .model_bytes = sizeof record, .driver_version = 13000};
    gpu_count = 1;
    list_error = ERROR_NONE;
    asked = 0;
    rubric = (struct rubric){.gpu_model = "H200"};
    config = (struct submission_config){.rubric = &rubric, .device_path = "/bin/device"};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

/* Makes a plan; the copy's pointers live until the arena is freed. */
static enum error make_plan(struct device_plan *out_plan, struct diagnostic *diagnostic)
{
    struct device_planning *planning = device_planning_start(&config);
    const struct device_plan *plan = NULL;
    const struct device_plan *again = NULL;
    enum error error = device_planning_wait(planning, &plan, diagnostic);

    assert_int_equal(device_planning_wait(planning, &again, NULL), error);
    assert_ptr_equal(plan, again);
    if (error == ERROR_NONE) {
        *out_plan = *plan;
    }
    device_planning_end(planning, arena);
    return error;
}

static void auto_takes_the_real_gpus_properties(void **state)
{
    struct device_plan plan;
    struct gpu_model packed;
    (void)state;

    assert_int_equal(make_plan(&plan, NULL), ERROR_NONE);
    assert_false(plan.runs_on_gpu);
    assert_false(plan.has_own_model);
    assert_string_equal(plan.model.name, "A100");
    assert_true(gpu_model_unpack(plan.model_record, sizeof plan.model_record, &packed));
    assert_string_equal(packed.name, "A100");
    assert_int_equal(plan.gpus.count, 1);

    struct device_choice real = device_plan_gpu(&plan, 0);
    assert_true(real.is_gpu);
    assert_string_equal(real.gpu, "GPU-a0a0");
    struct device_choice emulated = device_plan_emulated_gpu(&plan);
    assert_false(emulated.is_gpu);
    assert_memory_equal(emulated.model, record, emulated.model_bytes);
}

static void auto_may_stand_for_another_gpu(void **state)
{
    struct device_plan plan;
    (void)state;

    config.gpu_model = "H200";
    assert_int_equal(make_plan(&plan, NULL), ERROR_NONE);
    assert_string_equal(plan.model.name, "H200");
    assert_string_equal(plan.gpus.model.name, "A100");
    assert_true(plan.has_own_model);
    assert_memory_equal(device_plan_emulated_gpu(&plan).model, record, sizeof record);
}

static void auto_needs_no_gpu(void **state)
{
    struct device_plan plan;
    (void)state;

    gpu_count = 0;
    assert_int_equal(make_plan(&plan, NULL), ERROR_NONE);
    assert_string_equal(plan.model.name, "H200");
    assert_int_equal(plan.gpus.count, 0);
    assert_string_equal(plan.gpus.reason, "there is no driver");
    assert_false(plan.has_own_model);
}

static void emulated_asks_no_driver(void **state)
{
    struct device_plan plan;
    (void)state;

    config.device = DEVICE_EMULATED;
    assert_int_equal(make_plan(&plan, NULL), ERROR_NONE);
    assert_int_equal(asked, 0);
    assert_string_equal(plan.model.name, "H200");
    assert_int_equal(plan.gpus.count, 0);
}

static void cuda_runs_on_the_gpu(void **state)
{
    struct device_plan plan;
    (void)state;

    config.device = DEVICE_CUDA;
    assert_int_equal(make_plan(&plan, NULL), ERROR_NONE);
    assert_true(plan.runs_on_gpu);
    assert_string_equal(plan.model.name, "A100");
}

static void fails(enum error expected, enum blame blame, const char *words)
{
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    struct device_plan plan;

    assert_int_equal(make_plan(&plan, &diagnostic), expected);
    assert_int_equal(diagnostic.blame, blame);
    assert_non_null(strstr(diagnostic.message, words));
}

static void cuda_needs_a_gpu(void **state)
{
    (void)state;
    config.device = DEVICE_CUDA;
    gpu_count = 0;
    fails(ERROR_ENVIRONMENT, BLAME_ENVIRONMENT, "needs a GPU: there is no driver");
}

static void named_gpus_must_be_there(void **state)
{
    static const char *const words[] = {"1"};
    (void)state;

    config.gpus = words;
    config.gpu_count = 1;
    fails(ERROR_NOT_FOUND, BLAME_USAGE, "no GPU 1");
    gpu_count = 0;
    fails(ERROR_ENVIRONMENT, BLAME_ENVIRONMENT, "there is no driver");
}

static void a_driver_that_fails_is_told(void **state)
{
    (void)state;
    list_error = ERROR_ENVIRONMENT;
    fails(ERROR_ENVIRONMENT, BLAME_ENVIRONMENT, "does not answer");
}

static void unknown_models_are_told(void **state)
{
    (void)state;
    config.gpu_model = "RTX9999";
    fails(ERROR_NOT_FOUND, BLAME_USAGE, "RTX9999");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(auto_takes_the_real_gpus_properties, set_up, tear_down),
        cmocka_unit_test_setup_teardown(auto_may_stand_for_another_gpu, set_up, tear_down),
        cmocka_unit_test_setup_teardown(auto_needs_no_gpu, set_up, tear_down),
        cmocka_unit_test_setup_teardown(emulated_asks_no_driver, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cuda_runs_on_the_gpu, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cuda_needs_a_gpu, set_up, tear_down),
        cmocka_unit_test_setup_teardown(named_gpus_must_be_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_driver_that_fails_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_models_are_told, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
