/* test_gpu_state.c: what nvidia-smi prints, and what it might. */
#include "doctor/gpu_state.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void two_gpus_are_read(void **state)
{
    const char *list = "GPU-6f0c, Enabled, Disabled, Enabled, 345 MHz, 1980 MHz, 30\n"
                       "GPU-7a11, Disabled, [N/A], [N/A], 1200 MHz, 1410 MHz, 55\n";
    struct gpu_state gpu;

    (void)state;
    assert_true(gpu_state_read(&list, &gpu));
    assert_string_equal(gpu.uuid, "GPU-6f0c");
    assert_string_equal(gpu.persistence, "Enabled");
    assert_string_equal(gpu.mig, "Disabled");
    assert_string_equal(gpu.ecc, "Enabled");
    assert_string_equal(gpu.clock, "345 MHz");
    assert_string_equal(gpu.clock_max, "1980 MHz");
    assert_string_equal(gpu.temperature, "30");
    assert_true(gpu_state_read(&list, &gpu));
    assert_string_equal(gpu.uuid, "GPU-7a11");
    assert_string_equal(gpu.mig, "[N/A]");
    assert_false(gpu_state_read(&list, &gpu));
}

static void other_lines_are_skipped(void **state)
{
    const char *list = "Unable to determine the device handle, unknown error\n\n"
                       "GPU-1, a, b, c, d, e, f, too much\n"
                       "GPU-2, a, b, c, d, e, f";
    const char *nothing = "No devices were found\n";
    char longest[300];
    const char *rest = longest;
    struct gpu_state gpu;

    (void)state;
    assert_true(gpu_state_read(&list, &gpu));
    assert_string_equal(gpu.uuid, "GPU-2");
    assert_false(gpu_state_read(&list, &gpu));
    assert_false(gpu_state_read(&nothing, &gpu));
    memset(longest, 'x', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_false(gpu_state_read(&rest, &gpu));
}

static void programs_are_counted_by_gpu(void **state)
{
    static const char list[] = "GPU-6f0c, 100\nGPU-7a11, 101\nGPU-6f0c, 102";

    (void)state;
    assert_int_equal(gpu_state_programs(list, "GPU-6f0c"), 2);
    assert_int_equal(gpu_state_programs(list, "GPU-7a11"), 1);
    assert_int_equal(gpu_state_programs(list, "GPU-6f"), 0);
    assert_int_equal(gpu_state_programs("", "GPU-6f0c"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_gpus_are_read),
        cmocka_unit_test(other_lines_are_skipped),
        cmocka_unit_test(programs_are_counted_by_gpu),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
