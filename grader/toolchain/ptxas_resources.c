/* ptxas_resources.c: machine code of a module, and the registers and memory of its kernels from
 * `ptxas -v`; see toolchain.h.
 *
 *   work_folder/ptxas-XXXXXX/
 *     module.ptx             what ptxas reads
 *     product/module.cubin   written by ptxas in the sandbox
 *     module.cubin           the grader's own copy, which is read
 *
 *   ptxas info    : Compiling entry function 'NAME' for 'sm_90'
 *   ptxas info    : Function properties for NAME
 *       8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
 *   ptxas info    : Used 32 registers, used 1 barriers, 2048 bytes smem, 380 bytes cmem[0]
 *
 * Functions that are called, not inlined, have properties of their own, which are not the kernel's.
 * What ptxas printed and wrote is kept (build_cache.h): the harness's modules are the same in every
 * submission. What __launch_bounds__ says is read from the PTX itself (.maxntid). Where ptxas
 * refuses, it is asked for an empty module as well: a GPU that is newer than ptxas is nobody's
 * mistake in the PTX. Where there is no ptxas at all, resources are estimated.
 */
#include "base/file.h"
#include "base/text.h"
#include "toolchain/build_cache.h"
#include "toolchain/compiler_identity.h"
#include "toolchain/compiler_run.h"
#include "toolchain/estimated_resources.h"
#include "toolchain/object_cache.h"
#include "toolchain/run_end.h"
#include "toolchain/toolchain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define IMAGE_BYTES_MAX ((size_t)64 << 20)
static const char entry_format[] = "gpugrade ptxas 1\n";

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
        kernel->registers_least = kernel->registers_most = kernel->registers;
        kernel->static_shared_bytes = number_before(line, " bytes smem");
        kernel->constant_bytes = number_before(line, " bytes cmem");
    }
}

/* Reads everything that `ptxas -v` printed. */
static enum error read_resources(struct arena *arena, const char *output, const char *ptx,
                                 struct assembled_module *module, struct diagnostic *diagnostic)
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
        if (name != NULL && count == MODULE_KERNELS_MAX) {
            diagnostic_set(diagnostic, BLAME_STUDENT, MODULE_KERNELS_TEXT, MODULE_KERNELS_MAX);
            return ERROR_FAILED;
        }
        if (name != NULL) {
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
    module->kernels = kernels;
    module->kernel_count = count;
    return ERROR_NONE;
}

/* One call of ptxas, in a folder of its own. */
struct ptxas_call {
    const struct toolchain *toolchain;
    struct arena *arena;
    const char *work_folder;
    uint32_t compute_major, compute_minor;
};

/* Writes what ptxas reads, readable for the sandbox's user. */
static enum error write_ptx(struct arena *arena, const char *folder, const char *ptx, size_t length,
                            struct diagnostic *diagnostic)
{
    const char *path = arena_printf(arena, "%s/module.ptx", folder);

    return file_write_mode(path, 0644, ptx, length, diagnostic) == ERROR_NONE ? ERROR_NONE
                                                                              : ERROR_ENVIRONMENT;
}

/* Runs ptxas in a folder that holds module.ptx. */
static enum error run_ptxas(const struct ptxas_call *call, const char *folder,
                            struct text *out_text, struct sandbox_end *out_end,
                            struct diagnostic *diagnostic)
{
    struct arena *arena = call->arena;
    const char *product = arena_printf(arena, "%s/product", folder);
    const char *const arguments[] = {
        arena_printf(arena, "%s/bin/ptxas", call->toolchain->compiler.folder),
        arena_printf(arena, "-arch=sm_%u%u", call->compute_major, call->compute_minor),
        "-v",
        arena_printf(arena, "%s/module.ptx", folder),
        "-o",
        arena_printf(arena, "%s/module.cubin", product),
        NULL,
    };
    struct sandbox_spec spec;

    if (folder_make(product, 0755, diagnostic) != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    compiler_spec_init(call->toolchain, &ptxas_limits, product, arena, &spec);
    compiler_spec_mount(&spec, call->toolchain->compiler.folder, false);
    compiler_spec_mount(&spec, folder, false);
    compiler_spec_mount(&spec, product, true);
    spec.limits.file_bytes = IMAGE_BYTES_MAX;
    spec.arguments = arguments;
    return sandbox_run_to_end(call->toolchain->sandbox, &spec, out_end, out_text, out_text,
                              diagnostic);
}

static bool is_success(const struct sandbox_end *end)
{
    return end->ending == SANDBOX_EXITED && end->exit_status == 0;
}

/* Makes the folder of a call with its PTX; NULL if it cannot be made. */
static char *make_folder(const struct ptxas_call *call, const char *ptx, size_t length,
                         struct diagnostic *diagnostic)
{
    char *folder = arena_printf(call->arena, "%s/ptxas-XXXXXX", call->work_folder);

    if (mkdtemp(folder) == NULL) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot make a folder in %s",
                       call->work_folder);
        return NULL;
    }
    if (chmod(folder, 0755) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot make %s readable", folder);
        folder_remove(folder);
        return NULL;
    }
    if (write_ptx(call->arena, folder, ptx, length, diagnostic) != ERROR_NONE) {
        folder_remove(folder);
        return NULL;
    }
    return folder;
}

/* False if ptxas refuses a module that holds nothing. */
static bool knows_architecture(const struct ptxas_call *call)
{
    static const char empty[] = ".version 6.3\n.target sm_75\n.address_size 64\n";
    struct diagnostic unused = {.blame = BLAME_NONE};
    struct sandbox_end end = {.ending = SANDBOX_STOPPED};
    struct text output;
    char *folder = make_folder(call, empty, sizeof empty - 1, &unused);

    if (folder == NULL) {
        return true;
    }
    text_init(&output);
    enum error error = run_ptxas(call, folder, &output, &end, &unused);
    text_release(&output);
    folder_remove(folder);
    return error != ERROR_NONE || end.ending != SANDBOX_EXITED || is_success(&end);
}

/* Says why ptxas did not do it. */
static enum error ptxas_failure(const struct ptxas_call *call, const char *ptx,
                                const struct sandbox_end *end, const struct text *printed,
                                struct diagnostic *diagnostic)
{
    const struct message_sources sources = {.ptx = ptx};
    struct arena *arena = call->arena;
    const struct tool_message *messages;
    size_t count;
    const struct sandbox_limits limits = compiler_limits(&ptxas_limits);
    bool by_machine;
    const struct program_end how = run_end_of_tool(end, &limits, &by_machine);

    if (by_machine) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "ptxas was killed from outside, most likely because this machine or "
                       "container ran out of memory; give it more memory or fewer cores");
        return ERROR_ENVIRONMENT;
    }
    if (how.ending == ENDING_EXITED && !knows_architecture(call)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "ptxas in %s does not support GPUs of compute capability %u.%u; install a "
                       "newer CUDA toolkit",
                       call->toolchain->compiler.folder, call->compute_major, call->compute_minor);
        return ERROR_ENVIRONMENT;
    }
    toolchain_read_messages(arena, printed->bytes, printed->length, &sources, &messages, &count);
    if (count > 0 && messages[0].is_error) {
        diagnostic_set_at(diagnostic, BLAME_STUDENT, messages[0].file, messages[0].line,
                          messages[0].column, "%s", messages[0].message);
        if (messages[0].line == 0) { /* a function without a definition: of all of them */
            estimated_unresolved(arena, ptx, strlen(ptx), diagnostic);
        }
    } else if (how.ending == ENDING_FILE_LIMIT) {
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "the machine code is larger than %zu MiB; make the kernels smaller",
                       IMAGE_BYTES_MAX >> 20);
    } else if (how.ending != ENDING_EXITED && how.ending != ENDING_SIGNALLED) {
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "ptxas needs more %s for the program's device code than it may use; make "
                       "the program smaller",
                       how.ending == ENDING_OUTPUT_LIMIT   ? "output"
                       : how.ending == ENDING_MEMORY_LIMIT ? "memory"
                                                           : "time");
    } else {
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "ptxas gave up without a message (status %d, signal %d)", end->exit_status,
                       end->signal);
    }
    return ERROR_FAILED;
}

/* Takes what ptxas wrote. Its folder was the sandbox's, and its input a student's: a link is not
 * followed, and anything but a regular file of a bearable size means that the PTX does not
 * assemble. */
static enum error read_image(struct arena *arena, const char *folder,
                             struct assembled_module *module, struct diagnostic *diagnostic)
{
    const char *product = arena_printf(arena, "%s/product/module.cubin", folder);
    const char *own = arena_printf(arena, "%s/module.cubin", folder);
    char *bytes;

    if (file_copy(product, own, 0600, IMAGE_BYTES_MAX, diagnostic) != ERROR_NONE) {
        diagnostic_set(diagnostic, BLAME_STUDENT,
                       "ptxas wrote no machine code (a regular file of at most %zu MiB)",
                       IMAGE_BYTES_MAX >> 20);
        return ERROR_FAILED;
    }
    enum error error = file_read(arena, own, IMAGE_BYTES_MAX, BLAME_ENVIRONMENT, &bytes,
                                 &module->image_bytes, diagnostic);
    module->image = error == ERROR_NONE ? bytes : NULL;
    return error == ERROR_NONE ? ERROR_NONE : ERROR_ENVIRONMENT;
}

/* Runs ptxas and reads what it printed and wrote. */
static enum error assemble(const struct ptxas_call *call, const char *ptx, size_t length,
                           struct text *out_printed, struct assembled_module *module,
                           struct diagnostic *diagnostic)
{
    struct sandbox_end end;
    char *folder = make_folder(call, ptx, length, diagnostic);

    if (folder == NULL) {
        return ERROR_ENVIRONMENT;
    }
    enum error error = run_ptxas(call, folder, out_printed, &end, diagnostic);
    if (error == ERROR_NONE && !is_success(&end)) {
        error = ptxas_failure(call, ptx, &end, out_printed, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = read_image(call->arena, folder, module, diagnostic);
    }
    folder_remove(folder);
    return error;
}

/* The hash of all that decides what ptxas prints and writes. */
static void make_key(const struct ptxas_call *call, const char *ptx, size_t length,
                     char out_key[65])
{
    const struct toolchain *toolchain = call->toolchain;
    const char *ptxas = arena_printf(call->arena, "%s/bin/ptxas", toolchain->compiler.folder);
    char hash[65];

    hash_bytes(ptx, length, hash);
    const char *text =
        arena_printf(call->arena, "%s%s\n%s\ntier %d\nsm_%u%u\n%s\n", entry_format,
                     GPUGRADE_VERSION, compiler_identity(call->arena, ptxas),
                     (int)toolchain->sandbox->tier, call->compute_major, call->compute_minor, hash);
    hash_bytes(text, strlen(text), out_key);
}

/* Reads what ptxas once printed and wrote; false if it is not kept. */
static bool take(const struct ptxas_call *call, const char *key, const char **out_printed,
                 struct assembled_module *module)
{
    const size_t format_length = strlen(entry_format);
    const char *bytes;
    size_t length, printed_length;

    if (!build_cache_take(call->toolchain, key, call->arena, &bytes, &length) ||
        length < format_length || memcmp(bytes, entry_format, format_length) != 0) {
        return false;
    }
    struct build_entry_reader reader = {bytes + format_length, length - format_length, true};
    *out_printed = build_entry_bytes(&reader, call->arena, &printed_length);
    module->image = build_entry_bytes(&reader, call->arena, &module->image_bytes);
    return reader.is_good && reader.length == 0;
}

static void keep(const struct ptxas_call *call, const char *key, const struct text *printed,
                 const struct assembled_module *module)
{
    struct text text;

    text_init(&text);
    text_append(&text, entry_format);
    build_entry_append(&text, printed->bytes, printed->length);
    build_entry_append(&text, module->image, module->image_bytes);
    build_cache_keep(call->toolchain, key, text.bytes, text.length);
    text_release(&text);
}

enum error toolchain_assemble(const struct toolchain *toolchain, struct arena *arena,
                              const char *ptx, size_t length, uint32_t compute_major,
                              uint32_t compute_minor, const char *work_folder,
                              struct assembled_module *out_module, struct diagnostic *diagnostic)
{
    const struct ptxas_call call = {toolchain, arena, work_folder, compute_major, compute_minor};
    const char *text = arena_strndup(arena, ptx, length);
    struct assembled_module module = {.kernels = NULL};
    enum error error = ERROR_NONE;
    const char *printed;
    char key[65];

    if (toolchain->compiler.kind != COMPILER_NVCC) {
        return estimated_resources(arena, ptx, length, compute_major, compute_minor, out_module,
                                   diagnostic);
    }
    make_key(&call, ptx, length, key);
    if (!take(&call, key, &printed, &module)) {
        struct text output;
        text_init(&output);
        error = assemble(&call, text, length, &output, &module, diagnostic);
        if (error == ERROR_NONE) {
            keep(&call, key, &output, &module);
        }
        printed = arena_strndup(arena, output.bytes, output.length);
        text_release(&output);
    }
    if (error == ERROR_NONE) {
        error = read_resources(arena, printed, text, &module, diagnostic);
    }
    if (error == ERROR_NONE) {
        *out_module = module;
    }
    return error;
}
