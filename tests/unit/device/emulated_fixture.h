/* emulated_fixture.h: a device of its own for a test, and short ways to load and launch. */
#ifndef GPUGRADE_TESTS_EMULATED_FIXTURE_H
#define GPUGRADE_TESTS_EMULATED_FIXTURE_H

#include "device/device.h"
#include "device/emulated/emulated_device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PTX_HEAD ".version 9.0\n.target sm_75\n.address_size 64\n"

/* Opens a device with the best variant of the hot loop. */
static inline struct device *fixture_open(uint32_t threads, uint64_t deadline_ns)
{
    struct device_config config = {
        .model = {.multiprocessors = 4, .max_blocks_per_multiprocessor = 16},
        .memory_limit_bytes = UINT64_C(1) << 28,
        .launch_deadline_ns = deadline_ns,
        .threads = threads,
    };
    struct device *device = NULL;
    struct diagnostic diagnostic = {0};
    assert_int_equal(device_open(&device_emulated, &config, &device, &diagnostic), ERROR_NONE);
    return device;
}

/* Loads PTX text; a failure shows its message. */
static inline uint32_t fixture_load(struct device *device, const char *ptx)
{
    struct diagnostic diagnostic = {0};
    uint32_t module = 0;
    enum error error = device_load_module(device, ptx, strlen(ptx), &module, &diagnostic);
    if (error != ERROR_NONE) {
        fail_msg("PTX line %d: %s", diagnostic.line, diagnostic.message);
    }
    return module;
}

static inline uint64_t fixture_allocate(struct device *device, uint64_t bytes)
{
    struct diagnostic diagnostic = {0};
    uint64_t address = 0;
    assert_int_equal(device_allocate(device, bytes, &address, &diagnostic), ERROR_NONE);
    return address;
}

/* Launches the first kernel of a module over `blocks` x `threads`. */
static inline struct device_launch_result fixture_launch(struct device *device, uint32_t module,
                                                         uint32_t blocks, uint32_t threads,
                                                         const void *parameters)
{
    struct device_launch launch = {
        .module = module,
        .grid = {blocks, 1, 1},
        .block = {threads, 1, 1},
        .parameters = parameters,
    };
    struct device_launch_result result;
    device_launch(device, &launch, &result);
    return result;
}

/* The finding of a kind; fails if there is none. */
static inline const struct finding_record *
fixture_finding(const struct device_launch_result *result, enum finding_record_kind kind)
{
    for (size_t i = 0; i < result->finding_count; i++) {
        if (result->findings[i].kind == (uint32_t)kind) {
            return &result->findings[i];
        }
    }
    fail_msg("no finding of kind %d among %zu", (int)kind, result->finding_count);
    return NULL;
}

#endif
