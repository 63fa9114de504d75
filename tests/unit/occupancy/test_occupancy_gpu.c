/* test_occupancy_gpu.c: our blocks a multiprocessor against those that a real GPU's runtime gave
 * for the same registers, shared memory and blocks: tests/gpu/occupancy.txt, read off by
 * tests/gpu/run.sh.
 */
#include "occupancy/occupancy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define GPU_LINE "# GPU: "

/* The model whose device name stands in the table's head. */
static struct gpu_model model_of(const char *device_name)
{
    struct diagnostic diagnostic = {0};
    for (size_t i = 0; i < gpu_model_count(); i++) {
        struct gpu_model model;
        assert_int_equal(gpu_model_find(gpu_model_name(i), &model, &diagnostic), ERROR_NONE);
        if (strcmp(model.device_name, device_name) == 0) {
            return model;
        }
    }
    fail_msg("there is no model of '%s'", device_name);
    return (struct gpu_model){.name = ""};
}

static void check_line(const struct gpu_model *model, const char *line)
{
    unsigned registers, static_bytes, dynamic_bytes, is_raised, threads, blocks;
    struct occupancy_result result;
    struct diagnostic diagnostic = {0};
    assert_int_equal(sscanf(line, "%u %u %u %u %u %u", &registers, &static_bytes, &dynamic_bytes,
                            &is_raised, &threads, &blocks),
                     6);
    const struct kernel_usage usage = {
        .registers = registers,
        .static_shared_bytes = static_bytes,
        .optin_shared = is_raised != 0,
        .max_dynamic_shared_bytes = is_raised != 0 ? dynamic_bytes : 0,
    };
    if (occupancy_active_blocks(model, &usage, threads, dynamic_bytes, &result, &diagnostic) !=
        ERROR_NONE) {
        fail_msg("%s: %s", line, diagnostic.message);
    }
    if (result.active_blocks != blocks) {
        fail_msg("%s: got %u blocks", line, result.active_blocks);
    }
}

static void test_table(void **state)
{
    char line[256];
    struct gpu_model model = {.name = ""};
    size_t count = 0;
    FILE *table = fopen(GPUGRADE_SOURCE_DIR "/tests/gpu/occupancy.txt", "re");

    (void)state;
    assert_non_null(table);
    while (fgets(line, sizeof line, table) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, GPU_LINE, strlen(GPU_LINE)) == 0) {
            model = model_of(line + strlen(GPU_LINE));
        } else if (line[0] != '#') {
            check_line(&model, line);
            count++;
        }
    }
    fclose(table);
    assert_in_range(count, 100, 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
