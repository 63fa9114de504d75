/* test_gpu_peak.c: peaks worked out by hand, and every model has them. */
#include "occupancy/gpu_peak.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct gpu_model find(const char *name)
{
    struct gpu_model model;

    assert_int_equal(gpu_model_find(name, &model, NULL), 0);
    return model;
}

/* The vendor publishes 8.1 TFLOP/s and 320 GB/s for the T4, 19.5 and 1555 for the A100 (40 GB),
 * 35.6 and 936 for the RTX 3090, 82.6 and 1008 for the RTX 4090, 67 and 4800 for the H200. */
static void test_published_figures(void **state)
{
    static const struct {
        const char *name;
        double tera_operations, giga_bytes;
    } rows[] = {{"T4", 8.1, 320},
                {"A100", 19.5, 1555},
                {"RTX 3090", 35.6, 936},
                {"RTX 4090", 82.6, 1008},
                {"H200", 67, 4800}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct gpu_model model = find(rows[i].name);
        double operations = gpu_peak_operations(&model) / 1e12;
        double bandwidth = gpu_peak_bandwidth(&model) / 1e9;
        assert_true(operations > 0.99 * rows[i].tera_operations &&
                    operations < 1.01 * rows[i].tera_operations);
        assert_true(bandwidth > 0.99 * rows[i].giga_bytes && bandwidth < 1.01 * rows[i].giga_bytes);
    }
}

static void test_lanes(void **state)
{
    (void)state;
    assert_int_equal(gpu_float_lanes(7, 5), 64);
    assert_int_equal(gpu_float_lanes(8, 0), 64);
    assert_int_equal(gpu_float_lanes(8, 6), 128);
    assert_int_equal(gpu_float_lanes(9, 0), 128);
    assert_int_equal(gpu_float_lanes(12, 0), 128);
    assert_int_equal(gpu_float_lanes(8, 1), 0);
    assert_int_equal(gpu_float_lanes(99, 0), 0);
}

/* The vendor publishes 65 TFLOP/s of f16 on tensor cores for the T4, 312 for the A100, 142 for the
 * RTX 3090, 330 for the RTX 4090; for the H200 989, at a lower clock than its highest. */
static void test_halves(void **state)
{
    static const struct {
        const char *name;
        double tera_operations;
    } rows[] = {{"T4", 65},
                {"A100", 312},
                {"RTX 3090", 142},
                {"RTX 4090", 330},
                {"H200", 989 * 1.98 / 1.83}};
    struct gpu_model model;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        model = find(rows[i].name);
        double operations = gpu_peak_half_operations(&model) / 1e12;
        assert_true(operations > 0.99 * rows[i].tera_operations &&
                    operations < 1.01 * rows[i].tera_operations);
    }
    model.compute_major = 6; /* without tensor cores */
    assert_true(gpu_peak_half_operations(&model) == gpu_peak_operations(&model));
}

static void test_every_model(void **state)
{
    (void)state;
    for (size_t i = 0; i < gpu_model_count(); i++) {
        struct gpu_model model = find(gpu_model_name(i));
        assert_true(gpu_peak_operations(&model) > 1e12);
        assert_true(gpu_peak_bandwidth(&model) > 1e11);
    }
}

static void test_unknown(void **state)
{
    struct gpu_model model = find("H200");

    (void)state;
    model.compute_major = 99;
    assert_true(gpu_peak_operations(&model) == 0);
    model = find("H200");
    model.clock_khz = 0;
    model.memory_clock_khz = 0;
    assert_true(gpu_peak_operations(&model) == 0);
    assert_true(gpu_peak_bandwidth(&model) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_figures),
        cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_halves),
        cmocka_unit_test(test_every_model),
        cmocka_unit_test(test_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
