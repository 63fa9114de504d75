/* nvcc_run.h: CUDA sources that tests build by nvcc. A test without nvcc skips visibly. */
#ifndef GPUGRADE_TESTS_NVCC_RUN_H
#define GPUGRADE_TESTS_NVCC_RUN_H

#include "base/arena.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* The path of nvcc, which lives as long as the arena; NULL: there is none. */
static inline const char *nvcc_find(struct arena *arena)
{
    const char *home = getenv("CUDA_HOME");
    const char *nvcc = arena_printf(arena, "%s/bin/nvcc", home != NULL ? home : "/usr/local/cuda");

    return file_exists(nvcc) ? nvcc : NULL;
}

/* Runs nvcc, which must succeed; the first argument is its path, a NULL ends them. */
static inline void nvcc_run(const char *const *arguments)
{
    const char *const environment[] = {"PATH=/usr/local/bin:/usr/bin:/bin", NULL};
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    struct process_spec spec = {.path = arguments[0],
                                .arguments = arguments,
                                .environment = environment,
                                .descriptors = {nothing, 2, 2},
                                .descriptor_count = 3};
    struct process process;
    struct diagnostic diagnostic = {0};
    int status = -1;

    if (process_start(&spec, &process, &diagnostic) != ERROR_NONE) {
        fail_msg("%s", diagnostic.message);
    }
    assert_true(process_wait(&process, clock_now_ns() + 120 * CLOCK_NS_PER_S, &status));
    close(nothing);
    assert_int_equal(status, 0);
}

/* The text that a run of nvcc wrote to `path`. */
static inline char *nvcc_output(struct arena *arena, const char *path, size_t bytes_max,
                                size_t *out_length)
{
    struct diagnostic diagnostic = {0};
    char *text;

    if (file_read(arena, path, bytes_max, BLAME_GRADER, &text, out_length, &diagnostic) !=
        ERROR_NONE) {
        fail_msg("%s", diagnostic.message);
    }
    return text;
}

#endif
