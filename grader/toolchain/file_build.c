/* file_build.c: see file_build.h. */
#include "toolchain/file_build.h"

#include "base/file.h"
#include "base/process.h"
#include "toolchain/build_job.h"
#include "toolchain/compiler_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILE_ARGUMENTS = 24 };

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

/* What the file is compiled for; the compiler says itself what it cannot read. */
static const char *architecture_of(struct arena *arena, const char *source)
{
    char *text;
    size_t length;
    bool is_read = file_read(arena, source, BUILD_SOURCE_BYTES_MAX, BLAME_STUDENT, &text, &length,
                             NULL) == ERROR_NONE;

    return is_read && compiler_sees_copies(text, length) ? COMPILER_ASYNCHRONOUS : COMPILER_USUAL;
}

enum error toolchain_build_file(const struct toolchain *toolchain, struct arena *arena,
                                const struct file_build *build, struct program_end *out_end,
                                struct diagnostic *diagnostic)
{
    const struct compiler *compiler = &toolchain->compiler;
    bool is_clang = compiler->kind == COMPILER_CLANG;
    size_t count = 0;
    const char *arguments[FILE_ARGUMENTS] = {compiler->program};
    const char *const clang[] = {
        arena_printf(arena, "-clang=%s", compiler->clang),
        arena_printf(arena, "-headers=%s", compiler->folder),
        arena_printf(arena, "-runtime=%s/" CUDART_SONAME, toolchain->cudart_folder),
    };
    const char *const usual[] = {
        "-O2",
        "-cudart",
        "shared",
        "-lineinfo",
        "-no-compress",
        "-gencode",
        architecture_of(arena, build->source),
        "-I",
        folder_of(arena, build->source),
        "-o",
        build->executable,
        build->source,
    };

    count++;
    for (size_t i = 0; is_clang && i < sizeof clang / sizeof clang[0]; i++) {
        arguments[count++] = clang[i];
    }
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        arguments[count++] = usual[i];
    }
    int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    struct process process;

    if (null_fd < 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "/dev/null cannot be opened: %s",
                       strerror(errno));
        return ERROR_ENVIRONMENT;
    }
    const struct process_spec spec = {
        .path = compiler->program,
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
