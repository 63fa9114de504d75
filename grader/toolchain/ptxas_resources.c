/* ptxas_resources.c: registers and memory of kernels, from `ptxas -v`; see toolchain.h.
 *
 *   ptxas info    : Compiling entry function 'NAME' for 'sm_90'
 *   ptxas info    : Function properties for NAME
 *       8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
 *   ptxas info    : Used 32 registers, used 1 barriers, 2048 bytes smem, 380 bytes cmem[0]
 *
 * Functions that are called, not inlined, have properties of their own, which are not the kernel's.
 * What __launch_bounds__ says is read from the PTX itself (.maxntid).
 */
#include "base/file.h"
#include "base/text.h"
#include "toolchain/compiler_run.h"
#include "toolchain/toolchain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KERNELS_MAX = 4096 };

static const struct limits ptxas_limits = {
    .compile_wall_ns = UINT64_C(60000000000),
    .compile_memory_bytes = UINT64_C(4) << 30,
};

/* The number before `unit` in a line "N unit, M other"; 0 if the line has none. All of them are
 * added, as there are several constant banks. */
static uint32_t number_before(const char *line, const char *unit)
{
    uint32_t sum = 0;

    for (const char *found = strstr(line, unit); found != NULL; found = strstr(found + 1, unit)) {
        const char *start = found;
        while (start > line && start[-1] == ' ') {
            start--;
        }
        while (start > line && start[-1] >= '0' && start[-1] <= '9') {
            start--;
        }
        sum += (uint32_t)strtoul(start, NULL, 10);
    }
    return sum;
}

/* The product of the numbers after .maxntid in a kernel's header; 0 without one. */
static uint32_t launch_bound(const char *ptx, const char *kernel)
{
    size_t length = strlen(kernel);

    for (const char *entry = strstr(ptx, ".entry"); entry != NULL;
         entry = strstr(entry + 1, ".entry")) {
        const char *name = entry + strlen(".entry");
        name += strspn(name, " \t\r\n");
        if (strncmp(name, kernel, length) != 0 || strchr("( \t\r\n", name[length]) == NULL) {
            continue;
        }
        const char *body = strchr(name, '{');
        const char *bound = strstr(name, ".maxntid");
        if (bound == NULL || body == NULL || bound > body) {
            return 0;
        }
        uint64_t product = 1;
        char *end = (char *)(uintptr_t)(bound + strlen(".maxntid"));
        do {
            product *= strtoul(end + strspn(end, ", \t"), &end, 10) & 0xFFFF;
            end += strspn(end, " \t");
        } while (*end == ',' && product < UINT32_MAX >> 16);
        return (uint32_t)product;
    }
    return 0;
}

/* A quoted or last word of a line after `phrase`; NULL if the line has no such phrase. */
static char *word_after(struct arena *arena, const char *line, const char *phrase)
{
    const char *start = strstr(line, phrase);

    if (start == NULL) {
        return NULL;
    }
    start += strlen(phrase);
    return arena_strndup(arena, start, strcspn(start, "' \n"));
}

static void read_properties(const char *line, bool of_kernel, struct kernel_resources *kernel)
{
    if (of_kernel && strstr(line, "bytes stack frame") != NULL) {
        kernel->local_bytes = number_before(line, "bytes stack frame");
        kernel->spill_store_bytes = number_before(line, "bytes spill stores");
        kernel->spill_load_bytes = number_before(line, "bytes spill loads");
    }
    if (strstr(line, ": Used ") != NULL) {
        kernel->registers = number_before(line, " registers");
        kernel->static_shared_bytes = number_before(line, " bytes smem");
        kernel->constant_bytes = number_before(line, " bytes cmem");
    }
}

/* Reads everything that `ptxas -v` printed. */
static void read_resources(struct arena *arena, const char *output, const char *ptx,
                           const struct kernel_resources **out_kernels, size_t *out_count)
{
    struct kernel_resources *kernels = NULL;
    size_t count = 0;
    size_t capacity = 0;
    bool of_kernel = false;

    for (const char *at = output; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        const char *line = arena_strndup(arena, at, length);
        at += length + (at[length] == '\n' ? 1 : 0);
        char *name = word_after(arena, line, "Compiling entry function '");
        const char *function = word_after(arena, line, "Function properties for ");
        if (name != NULL && count < KERNELS_MAX) {
            arena_grow(arena, &kernels, &capacity, count + 1, sizeof *kernels);
            kernels[count++] = (struct kernel_resources){
                .name = name,
                .plain_name = toolchain_plain_name(arena, name),
                .max_threads = launch_bound(ptx, name),
            };
        } else if (function != NULL && count > 0) {
            of_kernel = strcmp(function, kernels[count - 1].name) == 0;
        } else if (count > 0) {
            read_properties(line, of_kernel, &kernels[count - 1]);
        }
    }
    *out_kernels = kernels;
    *out_count = count;
}

/* Runs ptxas in a folder that holds module.ptx. */
static enum error run_ptxas(const struct toolchain *toolchain, struct arena *arena,
                            const char *folder, const char *architecture, struct text *out_text,
                            struct diagnostic *diagnostic)
{
    const char *const arguments[] = {
        arena_printf(arena, "%s/bin/ptxas", toolchain->cuda_folder),
        architecture,
        "-v",
        arena_printf(arena, "%s/module.ptx", folder),
        "-o",
        "/dev/null",
        NULL,
    };
    struct sandbox_spec spec;
    struct sandbox_end end;
    const struct tool_message *messages;
    size_t count;

    compiler_spec_init(toolchain, &ptxas_limits, folder, arena, &spec);
    compiler_spec_mount(&spec, folder, false);
    spec.arguments = arguments;
    enum error error =
        sandbox_run_to_end(toolchain->sandbox, &spec, &end, out_text, out_text, diagnostic);
    if (error != ERROR_NONE || (end.ending == SANDBOX_EXITED && end.exit_status == 0)) {
        return error;
    }
    toolchain_read_messages(arena, out_text->bytes, out_text->length, folder, &messages, &count);
    if (count > 0 && messages[0].is_error) {
        diagnostic_set(diagnostic, BLAME_STUDENT, "%s", messages[0].message);
    } else {
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "ptxas gave up without a message (status %d, signal %d)", end.exit_status,
                       end.signal);
    }
    return ERROR_FAILED;
}

enum error toolchain_resources(const struct toolchain *toolchain, struct arena *arena,
                               const char *ptx, size_t length, uint32_t compute_major,
                               uint32_t compute_minor, const char *work_folder,
                               const struct kernel_resources **out_kernels,
                               size_t *out_kernel_count, struct diagnostic *diagnostic)
{
    struct text output;
    char *folder = arena_printf(arena, "%s/ptxas-XXXXXX", work_folder);
    const char *architecture = arena_printf(arena, "-arch=sm_%u%u", compute_major, compute_minor);

    if (mkdtemp(folder) == NULL || chmod(folder, 0755) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot make a folder in %s", work_folder);
        return ERROR_ENVIRONMENT;
    }
    const char *path = arena_printf(arena, "%s/module.ptx", folder);
    text_init(&output);
    enum error error = file_write_atomic(path, ptx, length, diagnostic);
    if (error == ERROR_NONE && chmod(path, 0644) == 0) {
        error = run_ptxas(toolchain, arena, folder, architecture, &output, diagnostic);
    }
    if (error == ERROR_NONE) {
        const char *text = arena_strndup(arena, ptx, length);
        read_resources(arena, output.bytes, text, out_kernels, out_kernel_count);
    }
    text_release(&output);
    folder_remove(folder);
    return error;
}
