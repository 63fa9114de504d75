/* clang_passes.c: see clang_passes.h. */
#include "clang/clang_passes.h"

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "ptx/fat_binary_write.h"
#include "clang/file_overlay.h"
#include "clang/ir_rewrite.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PRODUCT_BYTES_MAX ((size_t)256 << 20)

/* Where it sees more names of them (header_aliases.def). */
#define HEADER_ALIASES "/gpugrade/header_aliases"

/* The header that nvcc includes before each source. */
static const char first_header[] = "cuda_runtime.h";

/* The version of PTX that has all instructions of an architecture that clang's builtins give. */
static const char *ptx_feature(unsigned architecture)
{
    return architecture < 80 ? "+ptx64" : architecture < 90 ? "+ptx70" : "+ptx78";
}

static void add(struct arena *arena, struct arguments *arguments, const char *const *list)
{
    for (size_t i = 0; list[i] != NULL; i++) {
        arguments_add(arena, arguments, list[i]);
    }
}

/* The arguments of a side's front end, up to the source. */
static struct arguments front_end(struct arena *arena, const struct compile_plan *plan,
                                  bool is_device)
{
    const char *const usual[] = {
        plan->clang,
        "-x",
        "cuda",
        is_device ? "--cuda-device-only" : "--cuda-host-only",
        arena_printf(arena, "--cuda-gpu-arch=sm_%u", plan->architecture),
        "--cuda-path=/nonexistent",
        "-nocudainc",
        "-nocudalib",
        "-Wno-unused-command-line-argument", /* of the architecture, for the host */
        arena_printf(arena, "-std=%s", plan->standard),
        "-fno-finite-loops",
        "-Wno-error=register", /* nvcc warns of these, or says nothing */
        "-Wno-error=c++11-narrowing",
        "-Wno-error=reserved-user-defined-literal",
        "-Xclang",
        "-target-sdk-version=11.5", /* decides the calls by which kernels are launched */
        "-isystem",
        CLANG_HEADERS,
        "-isystem",
        HEADER_ALIASES,
        NULL,
    };
    struct arguments arguments = {.count = 0};

    add(arena, &arguments, usual);
    if (is_device) {
        const char *const device[] = {
            "-O3",
            "-gline-tables-only",
            "-fno-strict-return", /* a missing return gives any value, and nothing else */
            plan->contracts ? "-ffp-contract=fast" : "-ffp-contract=off",
            "-Xclang",
            "-target-feature",
            "-Xclang",
            ptx_feature(plan->architecture),
            NULL,
        };
        add(arena, &arguments, device);
    } else {
        arguments_add_all(arena, &arguments, &plan->host);
    }
    return arguments;
}

/* The precompiled header of a side; NULL if there is none. */
static const char *precompiled(struct arena *arena, const struct compile_plan *plan, bool is_device)
{
    return plan->precompiled == NULL
               ? NULL
               : arena_printf(arena, "%s/%s.pch", plan->precompiled, is_device ? "device" : "host");
}

/* Ends the front end's arguments: headers, the user's options, the source. */
static void add_source(struct arena *arena, struct arguments *arguments,
                       const struct compile_plan *plan, bool is_device, const char *source)
{
    const char *pch = precompiled(arena, plan, is_device);

    arguments_add(arena, arguments, pch == NULL ? "-include" : "-include-pch");
    arguments_add(arena, arguments, pch == NULL ? first_header : pch);
    arguments_add_all(arena, arguments, &plan->both);
    arguments_add(arena, arguments, source);
}

enum error clang_show_headers(struct arena *arena, struct compile_plan *plan, const char *folder,
                              struct diagnostic *diagnostic)
{
    static const struct {
        const char *name, *file;
    } aliases[] = {
#define HEADER_ALIAS(name, file) {HEADER_ALIASES "/" name, file},
#include "clang/header_aliases.def"
#undef HEADER_ALIAS
    };
    struct file_overlay overlay;

    file_overlay_init(&overlay);
    file_overlay_add(&overlay, CLANG_HEADERS, plan->headers, true);
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++) {
        file_overlay_add(&overlay, aliases[i].name,
                         arena_printf(arena, "%s/%s", plan->headers, aliases[i].file), false);
    }
    return file_overlay_use(&overlay, arena, plan, arena_printf(arena, "%s/headers.yaml", folder),
                            diagnostic);
}

/* A side's front end, with a file for what it says. */
static enum error start(const struct arguments *arguments, int errors_fd,
                        struct process *out_process, struct diagnostic *diagnostic)
{
    extern char **environ;
    const struct process_spec spec = {
        .path = arguments->items[0],
        .arguments = arguments->items,
        .environment = (const char *const *)environ,
        .descriptors = {STDIN_FILENO, STDERR_FILENO, errors_fd},
        .descriptor_count = 3,
    };

    return process_start(&spec, out_process, diagnostic);
}

/* What a shell would say of an end. */
static int status_of(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static enum error run(const struct arguments *arguments, int *out_status,
                      struct diagnostic *diagnostic)
{
    struct process process;
    int status = 0;
    enum error error = start(arguments, STDERR_FILENO, &process, diagnostic);

    if (error == ERROR_NONE) {
        process_wait(&process, UINT64_MAX, &status);
        *out_status = status_of(status);
    }
    return error;
}

/* IR of the device's code. */
static enum error make_ir(struct arena *arena, const struct compile_plan *plan, const char *source,
                          const char *path, int *out_status, struct diagnostic *diagnostic)
{
    const char *const last[] = {
        "-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-o", path, NULL,
    };
    struct arguments arguments = front_end(arena, plan, true);

    add(arena, &arguments, last);
    add_source(arena, &arguments, plan, true, source);
    return run(&arguments, out_status, diagnostic);
}

/* PTX of that. What LLVM would merge or sink could be a barrier, or the line of an access. */
static enum error make_ptx(struct arena *arena, const struct compile_plan *plan, const char *ir,
                           const char *path, int *out_status, struct diagnostic *diagnostic)
{
    const char *const list[] = {
        plan->clang,
        "-x",
        "ir",
        "--target=nvptx64-nvidia-cuda",
        arena_printf(arena, "-march=sm_%u", plan->architecture),
        "-Xclang",
        "-target-feature",
        "-Xclang",
        ptx_feature(plan->architecture),
        "-O3",
        "-Wno-override-module",
        "-Wno-unknown-cuda-version",
        "-Wno-unused-command-line-argument",
        plan->contracts ? "-ffp-contract=fast" : "-ffp-contract=off",
        "-mllvm",
        "-sink-common-insts=false",
        "-mllvm",
        "-hoist-common-insts=false",
        "-mllvm",
        "-disable-vector-combine", /* it loads parts of a vector */
        "-S",
        "-o",
        path,
        ir,
        NULL,
    };
    struct arguments arguments = {.count = 0};

    add(arena, &arguments, list);
    arguments_add_all(arena, &arguments, &plan->back_end);
    return run(&arguments, out_status, diagnostic);
}

enum error clang_make_ptx(struct arena *arena, const struct compile_plan *plan, const char *source,
                          const char *ptx, const char *folder, int *out_status,
                          struct diagnostic *diagnostic)
{
    const char *front = arena_printf(arena, "%s/front.ll", folder);
    const char *ir = arena_printf(arena, "%s/device.ll", folder);
    enum error error = make_ir(arena, plan, source, front, out_status, diagnostic);

    if (error == ERROR_NONE && *out_status == 0) {
        error = ir_rewrite_file(arena, front, ir, diagnostic);
    }
    if (error == ERROR_NONE && *out_status == 0) {
        error = make_ptx(arena, plan, ir, ptx, out_status, diagnostic);
    }
    return error;
}

/* The device's side, from the source to the bytes of a fat binary. */
static enum error make_device_code(struct arena *arena, const struct compile_plan *plan,
                                   const char *source, const char *folder, struct text *out_binary,
                                   int *out_status, struct diagnostic *diagnostic)
{
    const char *ptx = arena_printf(arena, "%s/device.ptx", folder);
    char *bytes;
    size_t length;
    enum error error = clang_make_ptx(arena, plan, source, ptx, folder, out_status, diagnostic);

    if (error == ERROR_NONE && *out_status == 0) {
        error = file_read(arena, ptx, PRODUCT_BYTES_MAX, BLAME_ENVIRONMENT, &bytes, &length,
                          diagnostic);
    }
    if (error == ERROR_NONE && *out_status == 0) {
        fat_binary_write(bytes, length, plan->architecture, plan->registers, out_binary);
    }
    return error;
}

/* Starts the host's side. */
static enum error start_host(struct arena *arena, const struct compile_plan *plan,
                             const char *source, const char *object, const char *fifo,
                             const char *said, struct process *out_process,
                             struct diagnostic *diagnostic)
{
    const char *const last[] = {
        "-c", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", fifo, "-o", object, NULL,
    };
    struct arguments arguments = front_end(arena, plan, false);
    int fd = open(said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

    if (fd < 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot write to %s: %s", said,
                       strerror(errno));
        return ERROR_IO;
    }
    add(arena, &arguments, last);
    add_source(arena, &arguments, plan, false, source);
    enum error error = start(&arguments, fd, out_process, diagnostic);
    descriptor_close(&fd);
    return error;
}

/* Starts a process that writes the fat binary for the host's side, which may end without reading
 * it. */
static pid_t start_writer(const char *fifo, const struct text *binary)
{
    pid_t writer = fork();
    size_t written = 0;
    ssize_t count = 1;

    if (writer != 0) {
        return writer;
    }
    int fd = open(fifo, O_WRONLY | O_CLOEXEC);
    while (fd >= 0 && count > 0 && written < binary->length) {
        count = write(fd, binary->bytes + written, binary->length - written);
        written += count > 0 ? (size_t)count : 0;
    }
    _exit(0);
}

/* Lets the host's side end with the fat binary. */
static int finish_host(struct process *host, const char *fifo, const struct text *binary)
{
    pid_t writer = start_writer(fifo, binary);
    int status = 0;

    if (writer < 0) {
        kill(host->pid, SIGTERM); /* it would wait for ever */
    }
    process_wait(host, UINT64_MAX, &status);
    if (writer > 0) {
        kill(writer, SIGTERM);
        waitpid(writer, NULL, 0);
    }
    return status_of(status);
}

/* Copies what a pass said to standard error. */
static void repeat(struct arena *arena, const char *said)
{
    char *bytes;
    size_t length;

    if (file_read(arena, said, PRODUCT_BYTES_MAX, BLAME_ENVIRONMENT, &bytes, &length, NULL) ==
        ERROR_NONE) {
        fwrite(bytes, 1, length, stderr);
    }
}

enum error clang_compile(struct arena *arena, const struct compile_plan *plan, const char *source,
                         const char *object, const char *folder, int *out_status,
                         struct diagnostic *diagnostic)
{
    const char *fifo = arena_printf(arena, "%s/fatbin", folder);
    const char *said = arena_printf(arena, "%s/host.txt", folder);
    struct process host;
    struct text binary;

    if (mkfifo(fifo, 0600) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot make %s: %s", fifo, strerror(errno));
        return ERROR_IO;
    }
    enum error error = start_host(arena, plan, source, object, fifo, said, &host, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    text_init(&binary);
    error = make_device_code(arena, plan, source, folder, &binary, out_status, diagnostic);
    if (error == ERROR_NONE && *out_status == 0) {
        *out_status = finish_host(&host, fifo, &binary);
        repeat(arena, said);
    }
    if (host.pid > 0) {
        /* A gentle signal: who watches takes SIGKILL for one of the machine's. */
        kill(host.pid, SIGTERM);
        process_wait(&host, UINT64_MAX, &(int){0});
    }
    text_release(&binary);
    return error;
}

enum error clang_read(struct arena *arena, const struct compile_plan *plan, const char *source,
                      int *out_status, struct diagnostic *diagnostic)
{
    enum error error = ERROR_NONE;

    for (int side = 0; side < 2 && error == ERROR_NONE; side++) {
        const bool is_device = side == 0;
        struct arguments arguments = front_end(arena, plan, is_device);
        int status = 0;
        arguments_add(arena, &arguments, "-fsyntax-only");
        add_source(arena, &arguments, plan, is_device, source);
        error = run(&arguments, &status, diagnostic);
        *out_status = *out_status == 0 ? status : *out_status;
    }
    return error;
}

/* The precompiled header of one side. */
static enum error precompile_side(struct arena *arena, const struct compile_plan *plan,
                                  bool is_device, int *out_status, struct diagnostic *diagnostic)
{
    struct arguments arguments = front_end(arena, plan, is_device);
    const char *const last[] = {
        "-Xclang",
        "-emit-pch",
        "-S",
        "-Xclang",
        "-fno-pch-timestamp",          /* copies are used */
        "-fpch-instantiate-templates", /* otherwise each source does it again */
        "-o",
        precompiled(arena, plan, is_device),
        NULL,
    };

    add(arena, &arguments, last);
    arguments_add_all(arena, &arguments, &plan->both);
    arguments_add(arena, &arguments, "-include");
    arguments_add(arena, &arguments, first_header);
    arguments_add(arena, &arguments, "/dev/null");
    return run(&arguments, out_status, diagnostic);
}

enum error clang_precompile(struct arena *arena, const struct compile_plan *plan, int *out_status,
                            struct diagnostic *diagnostic)
{
    enum error error = precompile_side(arena, plan, true, out_status, diagnostic);

    if (error == ERROR_NONE && *out_status == 0) {
        error = precompile_side(arena, plan, false, out_status, diagnostic);
    }
    return error;
}

enum error clang_link(struct arena *arena, const struct compile_plan *plan,
                      const struct arguments *objects, int *out_status,
                      struct diagnostic *diagnostic)
{
    struct arguments arguments = {.count = 0};

    arguments_add(arena, &arguments, plan->clang);
    arguments_add_all(arena, &arguments, objects);
    arguments_add_all(arena, &arguments, &plan->link);
    if (plan->runtime != NULL) {
        /* Also where nothing of it is called: that is how a program of CUDA is known. */
        arguments_add(arena, &arguments, "-Wl,--no-as-needed");
        arguments_add(arena, &arguments, plan->runtime);
    }
    arguments_add(arena, &arguments, "-o");
    arguments_add(arena, &arguments, plan->output);
    return run(&arguments, out_status, diagnostic);
}
