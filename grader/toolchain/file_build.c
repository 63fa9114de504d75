/* file_build.c: see file_build.h. */
#include "toolchain/file_build.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "model/harness_headers.h"
#include "source/newer_code.h"
#include "toolchain/build_job.h"
#include "toolchain/compiler_run.h"
#include "toolchain/served_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILE_ARGUMENTS = 28 };

/* For our own headers, which no user writes. */
static const struct limits header_limits = {
    .compile_wall_ns = 60 * CLOCK_NS_PER_S,
    .compile_memory_bytes = UINT64_C(2) << 30,
};

/* The source's folder, for includes with angle brackets. */
static const char *folder_of(struct arena *arena, const char *source)
{
    const char *slash = strrchr(source, '/');

    if (slash == NULL) {
        return ".";
    }
    return slash == source ? "/" : arena_strndup(arena, source, (size_t)(slash - source));
}

/* Waits for the compiler or the interruption. */
static void wait_for_end(struct process *compiler, int interrupt_fd, struct program_end *out_end)
{
    struct pollfd polled[] = {
        {.fd = compiler->pid_fd, .events = POLLIN},
        {.fd = interrupt_fd, .events = POLLIN},
    };
    int status = 0;

    memset(out_end, 0, sizeof *out_end);
    while (poll(polled, 2, -1) < 0 && errno == EINTR) {
    }
    if (polled[1].revents != 0) {
        process_kill(compiler, false);
        out_end->ending = ENDING_STOPPED;
        return;
    }
    if (process_wait(compiler, UINT64_MAX, &status)) {
        out_end->ending = WIFSIGNALED(status) ? ENDING_SIGNALLED : ENDING_EXITED;
        out_end->exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
        out_end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    }
}

const char *file_build_architecture(struct arena *arena, const char *name, const char *text,
                                    size_t length, uint32_t capability_most,
                                    const char **out_remark)
{
    const char *words[2], *decides = "";
    const char *architecture = compiler_architecture(text, length, words);
    const struct newer_code newest = source_newer_code(text, length);
    uint32_t capability = compiler_capability(architecture);

    if (words[0][0] != '\0') {
        decides = words[1][0] == '\0'
                      ? arena_printf(arena, "it has `%s`", words[0])
                      : arena_printf(arena, "it has `%s` and `%s`", words[0], words[1]);
    } else if (newest.architecture > 10 * capability &&
               capability_most >= 80) { /* not all of 9.0 is known */
        architecture = COMPILER_80;
        capability = compiler_capability(architecture);
        decides = arena_printf(arena, "line %d has code for %s", newest.line,
                               compiler_capability_text(arena, newest.architecture / 10));
    }
    const char *built = arena_printf(arena, "%s is built for compute capability %s", name,
                                     compiler_capability_text(arena, capability));
    *out_remark =
        newest.architecture > 10 * capability
            ? arena_printf(arena, "%s: the code for %s in line %d is left out", built,
                           compiler_capability_text(arena, newest.architecture / 10), newest.line)
        : decides[0] != '\0' ? arena_printf(arena, "%s, since %s", built, decides)
                             : NULL;
    return architecture;
}

/* What the file is compiled for; the compiler says itself what it cannot read. */
static const char *architecture_of(struct arena *arena, const struct file_build *build,
                                   const char **out_remark)
{
    const char *slash = strrchr(build->source, '/');
    char *text;
    size_t length;
    bool is_read = file_read(arena, build->source, BUILD_SOURCE_BYTES_MAX, BLAME_STUDENT, &text,
                             &length, NULL) == ERROR_NONE;

    *out_remark = NULL;
    return is_read ? file_build_architecture(arena, slash == NULL ? build->source : slash + 1, text,
                                             length, build->capability_most, out_remark)
                   : COMPILER_USUAL;
}

/* Adds what clang needs before the usual flags. Headers that cannot be precompiled are read as they
 * are. */
static size_t add_clang(const struct toolchain *toolchain, struct arena *arena,
                        const struct file_build *build, const char *const *flags,
                        const char **arguments)
{
    const struct compiler *compiler = &toolchain->compiler;
    struct compiler_call call;
    size_t count = 0;

    arguments[count++] = arena_printf(arena, "-clang=%s", compiler->clang);
    arguments[count++] = arena_printf(arena, "-headers=%s", compiler->folder);
    arguments[count++] =
        arena_printf(arena, "-runtime=%s/" SERVED_LIBRARIES_FILE, toolchain->cudart_folder);
    if (compiler_kit_lay_out(toolchain, &header_limits, flags, build->work_folder, arena, &call,
                             NULL) == ERROR_NONE) {
        arguments[count++] = arena_printf(arena, "-precompiled=%s", call.folder);
    }
    return count;
}

/* The whole command: `arguments` [FILE_ARGUMENTS], zeroed. `headers` is the folder of those that
 * gpugrade brings. */
static void make_command(const struct toolchain *toolchain, struct arena *arena,
                         const struct file_build *build, const char *headers,
                         const char **arguments, const char **out_remark)
{
    const char *const flags[] = {
        "-O2",          "-cudart",    "shared",
        "-lineinfo",    "-Xcompiler", "-g1",
        "-no-compress", "-gencode",   architecture_of(arena, build, out_remark),
        NULL,
    };
    const char *const last[] = {
        "-I",          folder_of(arena, build->source),
        "-isystem",    headers,
        "-o",          build->executable,
        build->source, NULL,
    };
    size_t count = 0;

    arguments[count++] = toolchain->compiler.program;
    if (toolchain->compiler.kind == COMPILER_CLANG) {
        count += add_clang(toolchain, arena, build, flags, arguments + count);
    }
    for (size_t i = 0; flags[i] != NULL; i++) {
        arguments[count++] = flags[i];
    }
    if (toolchain->compiler.kind == COMPILER_NVCC) { /* whose own libraries need not be there */
        arguments[count++] = "-Xlinker";
        arguments[count++] =
            arena_printf(arena, "%s/" SERVED_LIBRARIES_FILE, toolchain->cudart_folder);
    }
    for (size_t i = 0; last[i] != NULL; i++) {
        arguments[count++] = last[i];
    }
}

enum error toolchain_build_file(const struct toolchain *toolchain, struct arena *arena,
                                const struct file_build *build, struct program_end *out_end,
                                const char **out_remark, struct diagnostic *diagnostic)
{
    const char *arguments[FILE_ARGUMENTS] = {NULL};
    const char *headers = arena_printf(arena, "%s/headers", build->work_folder);

    if (folder_make(headers, 0755, diagnostic) != ERROR_NONE ||
        harness_headers_write(headers, diagnostic) != ERROR_NONE) {
        return ERROR_ENVIRONMENT;
    }
    make_command(toolchain, arena, build, headers, arguments, out_remark);
    int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    struct process process;

    if (null_fd < 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "/dev/null cannot be opened: %s",
                       strerror(errno));
        return ERROR_ENVIRONMENT;
    }
    const struct process_spec spec = {
        .path = arguments[0],
        .arguments = arguments,
        .environment = build->environment,
        .descriptors = {null_fd, STDERR_FILENO, STDERR_FILENO},
        .descriptor_count = 3,
    };
    enum error error = process_start(&spec, &process, diagnostic);
    descriptor_close(&null_fd);
    if (error == ERROR_NONE) {
        wait_for_end(&process, build->interrupt_fd, out_end);
    }
    return error;
}
