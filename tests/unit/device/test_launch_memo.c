/* test_launch_memo.c: a launch that changes nothing need not run again, and all others must. */
#include "device/emulated/launch_memo.h"
#include "emulated_fixture.h"

#include <stdlib.h>

enum { ELEMENTS = 64, BYTES = 4 * ELEMENTS };
#define DEADLINE_NS UINT64_C(100000000000)

/* out[tid] = in[tid] + 1 */
static const char next_ptx[] =
    PTX_HEAD ".visible .entry next(.param .u64 in, .param .u64 out)\n{\n"
             ".reg .b64 %i, %o, %at;\n.reg .b32 %t, %v;\n"
             "ld.param.u64 %i, [in];\nld.param.u64 %o, [out];\nmov.u32 %t, %tid.x;\n"
             "mul.wide.u32 %at, %t, 4;\nadd.s64 %i, %i, %at;\nadd.s64 %o, %o, %at;\n"
             "ld.global.u32 %v, [%i];\nadd.u32 %v, %v, 1;\nst.global.u32 [%o], %v;\nret;\n}\n";

struct scene {
    struct device *device;
    uint32_t module;
    uint64_t in, out;
};

static struct scene scene_new(void)
{
    struct device_config config = {
        .model = {.multiprocessors = 4, .max_blocks_per_multiprocessor = 16},
        .memory_limit_bytes = UINT64_C(1) << 28,
        .launch_deadline_ns = DEADLINE_NS,
        .threads = 1,
        .checks_global_races = true,
        .checks_unwritten = true,
    };
    struct scene scene;
    struct diagnostic diagnostic = {0};

    assert_int_equal(device_open(&device_emulated, &config, &scene.device, &diagnostic),
                     ERROR_NONE);
    scene.module = fixture_load(scene.device, next_ptx);
    scene.in = fixture_allocate(scene.device, BYTES);
    scene.out = fixture_allocate(scene.device, BYTES);
    return scene;
}

static void fill(const struct scene *scene, uint64_t address, uint32_t value)
{
    assert_true(device_fill(scene->device, address, BYTES, value, sizeof value));
}

static struct device_launch_result launch(const struct scene *scene, uint64_t in, uint64_t out)
{
    const uint64_t parameters[2] = {in, out};

    return fixture_launch(scene->device, scene->module, 1, ELEMENTS, parameters);
}

static uint32_t element(const struct scene *scene, uint64_t address, size_t index)
{
    uint32_t value = 0;

    assert_true(device_read(scene->device, address + 4 * index, &value, sizeof value));
    return value;
}

/* What a launch that is known gives is kept apart from what the last one gave. */
static void the_third_equal_launch_is_known(void **state)
{
    struct scene scene = scene_new();

    (void)state;
    fill(&scene, scene.in, 5);
    assert_int_equal(launch(&scene, scene.in, scene.out).status, LAUNCH_DONE);
    struct device_launch_result second = launch(&scene, scene.in, scene.out);
    struct count_record count = second.counts[0];
    struct device_launch_result third = launch(&scene, scene.in, scene.out);
    assert_ptr_not_equal(third.counts, second.counts);
    assert_int_equal(third.count_count, second.count_count);
    assert_memory_equal(&third.counts[0], &count, sizeof count);
    assert_memory_equal(&third.counters, &second.counters, sizeof third.counters);
    assert_true(third.is_counted);
    assert_string_equal(third.printed, "");
    struct device_launch_result fourth = launch(&scene, scene.in, scene.out);
    assert_ptr_equal(fourth.counts, third.counts);
    assert_int_equal(element(&scene, scene.out, ELEMENTS - 1), 6);
    device_close(scene.device);
}

/* After each change of the memory that can be made, the launch runs. */
static void what_changes_memory_is_seen(void **state)
{
    struct scene scene = scene_new();
    struct diagnostic diagnostic = {0};
    uint32_t nine = 9;
    uint64_t spare = fixture_allocate(scene.device, BYTES);

    (void)state;
    for (int change = 0; change < 6; change++) {
        fill(&scene, scene.in, 5);
        for (int i = 0; i < 3; i++) {
            launch(&scene, scene.in, scene.out);
        }
        const struct count_record *known = launch(&scene, scene.in, scene.out).counts;
        uint32_t expected = 6;
        switch (change) {
        case 0:
            assert_true(device_write(scene.device, scene.in, &nine, sizeof nine));
            expected = 10;
            break;
        case 1:
            fill(&scene, scene.out, 0);
            break;
        case 2:
            fill(&scene, spare, 11);
            assert_true(device_copy(scene.device, scene.in, spare, BYTES));
            expected = 12;
            break;
        case 3:
            assert_int_equal(device_snapshot(scene.device, &diagnostic), ERROR_NONE);
            fill(&scene, scene.in, 1);
            for (int i = 0; i < 3; i++) {
                launch(&scene, scene.in, scene.out);
            }
            device_restore(scene.device);
            device_discard(scene.device);
            break;
        case 4:
            launch(&scene, scene.out, scene.in); /* in is 7 now */
            expected = 8;
            break;
        default:
            assert_true(device_release(scene.device, spare));
            break;
        }
        struct device_launch_result result = launch(&scene, scene.in, scene.out);
        assert_ptr_not_equal(result.counts, known);
        assert_int_equal(element(&scene, scene.out, 0), expected);
    }
    device_close(scene.device);
}

/* The same bytes again are no change: a loop of copies and launches. */
static void equal_bytes_are_no_change(void **state)
{
    struct scene scene = scene_new();
    uint32_t values[ELEMENTS];
    const struct count_record *known = NULL;

    (void)state;
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        values[i] = 3 * i;
    }
    for (int round = 0; round < 5; round++) {
        assert_true(device_write(scene.device, scene.in, values, sizeof values));
        struct device_launch_result result = launch(&scene, scene.in, scene.out);
        assert_true(round < 3 || result.counts == known);
        known = result.counts;
        assert_int_equal(element(&scene, scene.out, 2), 7);
    }
    device_close(scene.device);
}

static void what_counts_up_runs_each_time(void **state)
{
    struct scene scene = scene_new();

    (void)state;
    fill(&scene, scene.in, 0);
    for (uint32_t round = 1; round <= 5; round++) {
        launch(&scene, scene.in, scene.in);
        assert_int_equal(element(&scene, scene.in, ELEMENTS / 2), round);
    }
    device_close(scene.device);
}

static void what_has_findings_runs_each_time(void **state)
{
    struct scene scene = scene_new();

    (void)state;
    for (int round = 0; round < 4; round++) { /* nothing has written to `in` */
        struct device_launch_result result = launch(&scene, scene.in, scene.out);
        assert_true(result.finding_count > 0);
        fixture_finding(&result, FINDING_RECORD_GLOBAL_UNINITIALISED);
    }
    device_close(scene.device);
}

static struct device_launch_result made_result(const struct count_record *counts)
{
    return (struct device_launch_result){
        .status = LAUNCH_DONE,
        .counters = {.work = 100},
        .counts = counts,
        .count_count = 1,
        .printed = "",
        .complaints = "",
    };
}

static void requests_must_be_equal(void **state)
{
    static const struct count_record counts[1];
    struct launch_memo *memo = calloc(1, sizeof *memo);
    const uint64_t parameters[2] = {1, 2}, others[2] = {1, 3};
    const struct device_launch request = {
        .grid = {2, 1, 1}, .block = {32, 1, 1}, .parameters = parameters};
    struct device_launch_result result = made_result(counts);

    (void)state;
    assert_non_null(memo);
    launch_memo_keep(memo, &request, sizeof parameters, &result);
    struct device_launch asked = request;
    asked.work_limit = 100;
    assert_non_null(launch_memo_find(memo, &asked, sizeof parameters));
    asked.work_limit = 99; /* it would be stopped */
    assert_null(launch_memo_find(memo, &asked, sizeof parameters));
    struct device_launch unlike[] = {request, request, request, request,
                                     request, request, request, request};
    unlike[0].function = 1;
    unlike[1].module = 1;
    unlike[2].grid[2] = 2;
    unlike[3].block[1] = 2;
    unlike[4].dynamic_shared_bytes = 4;
    unlike[5].parameters = others;
    unlike[6].order_seed = 1;
    unlike[7].asks_touched = true;
    for (size_t i = 0; i < sizeof unlike / sizeof unlike[0]; i++) {
        assert_null(launch_memo_find(memo, &unlike[i], sizeof parameters));
    }
    launch_memo_change(memo);
    assert_null(launch_memo_find(memo, &request, sizeof parameters));
    launch_memo_release(memo);
    free(memo);
}

/* The oldest one goes. */
static void only_so_many_are_kept(void **state)
{
    static const struct count_record counts[1];
    struct launch_memo *memo = calloc(1, sizeof *memo);
    struct device_launch request = {.block = {32, 1, 1}};
    struct device_launch_result result = made_result(counts);

    (void)state;
    assert_non_null(memo);
    for (uint32_t i = 0; i <= MEMO_LAUNCHES; i++) {
        request.grid[0] = i;
        launch_memo_keep(memo, &request, 0, &result);
    }
    assert_non_null(launch_memo_find(memo, &request, 0));
    request.grid[0] = 1;
    assert_non_null(launch_memo_find(memo, &request, 0));
    request.grid[0] = 0;
    assert_null(launch_memo_find(memo, &request, 0));
    result.printed_bytes = 1; /* is printed again each time */
    launch_memo_keep(memo, &request, 0, &result);
    assert_null(launch_memo_find(memo, &request, 0));
    launch_memo_release(memo);
    free(memo);
}

/* A program decides how many places a launch touches, and how many launches there are. */
static void what_takes_much_memory_is_not_kept(void **state)
{
    static struct order_range ranges[MEMO_BYTES_EACH / sizeof(struct order_range) + 1];
    struct launch_memo *memo = calloc(1, sizeof *memo);
    const struct device_launch request = {.block = {32, 1, 1}};
    struct device_launch_result result = made_result(NULL);

    (void)state;
    assert_non_null(memo);
    result.count_count = 0;
    result.touched.ranges[ORDER_WRITE] = ranges;
    result.touched.counts[ORDER_WRITE] = sizeof ranges / sizeof ranges[0];
    launch_memo_keep(memo, &request, 0, &result);
    assert_null(launch_memo_find(memo, &request, 0));
    result.touched.counts[ORDER_WRITE]--;
    launch_memo_keep(memo, &request, 0, &result);
    assert_non_null(launch_memo_find(memo, &request, 0));
    launch_memo_release(memo);
    free(memo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_third_equal_launch_is_known),
        cmocka_unit_test(what_changes_memory_is_seen),
        cmocka_unit_test(equal_bytes_are_no_change),
        cmocka_unit_test(what_counts_up_runs_each_time),
        cmocka_unit_test(what_has_findings_runs_each_time),
        cmocka_unit_test(requests_must_be_equal),
        cmocka_unit_test(only_so_many_are_kept),
        cmocka_unit_test(what_takes_much_memory_is_not_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
