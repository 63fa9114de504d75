/* test_registers_of_ptxas.c: what is estimated for the kernels of tests/emulated, against what the
 * toolkit's ptxas says of them. Skips without a toolkit.
 *
 * Kernels are counted, not their names: equal PTX in two programs counts twice. An interval may
 * hold a number by being wide, so the median of the widths is bounded too. A third of the programs
 * is taken, some fifty kernels, of which one may be missed. tests/bench/registers.py compares all
 * programs of the repository, by all compilers, and tells those that the margins were fitted to
 * from those that they were not.
 */
#include "../nvcc_run.h"
#include "ptx/ptx_resources.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_BYTES_MAX = 16 << 20, EVERY = 3, WIDTHS = 256, SHARED_PERCENT_MIN = 97 };

/* One row for each GPU: at least so many in 1000 kernels are held, at most that wide. */
static const struct {
    uint32_t major, minor;
    unsigned held_min, width_max;
} gpus[] = {{7, 5, 980, 12}, {8, 0, 980, 10}, {8, 6, 980, 12}, {9, 0, 980, 10}};
enum { GPUS = sizeof gpus / sizeof gpus[0] };

struct tally {
    unsigned kernels, held, shared_held;
    unsigned widths[WIDTHS];
};

static struct tally tallies[GPUS];

/* The number before `unit` in a line; 0 if there is none. */
static uint32_t number_before(const char *line, const char *end, const char *unit)
{
    const char *found = memmem(line, (size_t)(end - line), unit, strlen(unit));

    if (found == NULL) {
        return 0;
    }
    while (found > line && found[-1] >= '0' && found[-1] <= '9') {
        found--;
    }
    return (uint32_t)strtoul(found, NULL, 10);
}

/* Counts one kernel, if ptxas printed of it: "Compiling entry function 'NAME'", then "Used". */
static void count_kernel(const char *printed, const char *name,
                         const struct ptx_resources *estimate, struct arena *arena,
                         struct tally *tally)
{
    const char *at = strstr(printed, arena_printf(arena, "Compiling entry function '%s'", name));
    const char *used = at != NULL ? strstr(at, ": Used ") : NULL;

    if (used == NULL) {
        fail_msg("ptxas says nothing of %s", name);
        return;
    }
    const char *end = used + strcspn(used, "\n");
    const uint32_t registers = number_before(used, end, " registers");
    tally->kernels++;
    tally->shared_held += estimate->static_shared_bytes == number_before(used, end, " bytes smem");
    tally->widths[estimate->registers_most - estimate->registers_least]++;
    if (registers >= estimate->registers_least && registers <= estimate->registers_most) {
        tally->held++;
    } else {
        print_message("%s: %u registers, estimated %u to %u\n", name, registers,
                      estimate->registers_least, estimate->registers_most);
    }
}

/* What ptxas prints of a PTX file. */
static const char *run_ptxas(struct arena *arena, const char *ptxas, const char *ptx,
                             const char *folder, size_t gpu)
{
    const char *const printed = arena_printf(arena, "%s/printed", folder);
    const char *const arguments[] = {
        ptxas, arena_printf(arena, "-arch=sm_%u%u", gpus[gpu].major, gpus[gpu].minor),
        "-v",  ptx,
        "-o",  arena_printf(arena, "%s/cubin", folder),
        NULL,
    };
    const char *const environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", NULL};
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int output = open(printed, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const struct process_spec spec = {.path = ptxas,
                                      .arguments = arguments,
                                      .environment = environment,
                                      .descriptors = {nothing, output, output},
                                      .descriptor_count = 3};
    struct process process;
    struct diagnostic diagnostic = {0};
    int status = -1;
    size_t length;

    assert_int_equal(process_start(&spec, &process, &diagnostic), ERROR_NONE);
    assert_true(process_wait(&process, clock_now_ns() + 120 * CLOCK_NS_PER_S, &status));
    close(nothing);
    close(output);
    assert_int_equal(status, 0);
    return nvcc_output(arena, printed, TEXT_BYTES_MAX, &length);
}

/* True for a program that not all of the GPUs can run. */
static bool is_for_newer(const char *source)
{
    struct arena *arena = arena_new();
    size_t length;
    const char *text = nvcc_output(arena, source, TEXT_BYTES_MAX, &length);
    const bool is_newer = memmem(text, length, "arch: compute_", 14) != NULL;

    arena_free(arena);
    return is_newer;
}

static void compare_source(const char *nvcc, const char *ptxas, const char *source,
                           const char *folder)
{
    struct arena *arena = arena_new();
    const char *const ptx = arena_printf(arena, "%s/module.ptx", folder);
    const char *const arguments[] = {nvcc, "-ptx", "-lineinfo", "-arch=compute_75", "-w", source,
                                     "-o", ptx,    NULL};
    const struct ptx_module *module;
    struct diagnostic diagnostic = {0};
    size_t length;

    nvcc_run(arguments);
    const char *text = nvcc_output(arena, ptx, TEXT_BYTES_MAX, &length);
    assert_int_equal(ptx_parse(arena, text, length, &module, &diagnostic), ERROR_NONE);
    for (size_t gpu = 0; gpu < GPUS; gpu++) {
        const char *printed = run_ptxas(arena, ptxas, ptx, folder, gpu);
        uint64_t work_left = PTX_RESOURCES_WORK;
        for (size_t i = 0; i < module->function_count; i++) {
            const struct ptx_function *function = &module->functions[i];
            struct ptx_resources estimate;
            if (function->is_entry && !function->is_declaration) {
                ptx_resources_estimate(module, function, gpus[gpu].major, gpus[gpu].minor,
                                       &work_left, &estimate);
                count_kernel(printed, function->name, &estimate, arena, &tallies[gpu]);
            }
        }
    }
    arena_free(arena);
}

static unsigned median_width(const struct tally *tally)
{
    unsigned width = 0;

    for (unsigned seen = tally->widths[0]; 2 * seen < tally->kernels;
         seen += tally->widths[width]) {
        width++;
    }
    return width;
}

static void test_intervals_hold_ptxas_numbers(void **state)
{
    struct arena *arena = arena_new();
    const char *nvcc = nvcc_find(arena);
    glob_t sources;

    (void)state;
    if (nvcc == NULL) {
        print_message("no nvcc here: registers are not compared\n");
        arena_free(arena);
        skip();
    }
    const char *ptxas =
        arena_printf(arena, "%.*sptxas", (int)(strlen(nvcc) - strlen("nvcc")), nvcc);
    char folder[] = "/tmp/gpugrade-registers-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(glob(GPUGRADE_SOURCE_DIR "/tests/emulated/pass/*.cu", 0, NULL, &sources), 0);
    assert_int_equal(
        glob(GPUGRADE_SOURCE_DIR "/tests/emulated/fail/*.cu", GLOB_APPEND, NULL, &sources), 0);
    for (size_t i = 0, number = 0; i < sources.gl_pathc; i++) {
        if (!is_for_newer(sources.gl_pathv[i]) && number++ % EVERY == 0) {
            compare_source(nvcc, ptxas, sources.gl_pathv[i], folder);
        }
    }
    globfree(&sources);
    folder_remove(folder);
    for (size_t gpu = 0; gpu < GPUS; gpu++) {
        const struct tally *tally = &tallies[gpu];
        print_message("sm_%u%u: %u of %u kernels held, median width %u, shared bytes of %u\n",
                      gpus[gpu].major, gpus[gpu].minor, tally->held, tally->kernels,
                      median_width(tally), tally->shared_held);
        assert_true(tally->kernels >= 40);
        assert_true(1000 * tally->held >= gpus[gpu].held_min * tally->kernels);
        assert_true(median_width(tally) <= gpus[gpu].width_max);
        assert_true(100 * tally->shared_held >= SHARED_PERCENT_MIN * tally->kernels);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_intervals_hold_ptxas_numbers)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
