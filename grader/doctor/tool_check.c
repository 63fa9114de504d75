/* tool_check.c: the programs and libraries that grading needs; see doctor_state.h. */
#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "doctor/doctor_state.h"
#include "model/report.h"
#include "toolchain/served_program.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TOOL_WAIT_NS (10 * CLOCK_NS_PER_S)
enum { TOOL_OUTPUT_MAX = 1 << 16, LIBRARIES_MAX = 32 };

void tool_read(int fd, uint64_t deadline_ns, size_t bytes_max, bool one_piece, struct text *out)
{
    char block[4096];

    while (out->length < bytes_max) {
        struct pollfd polled = {.fd = fd, .events = POLLIN};
        int ready = poll(&polled, 1, clock_poll_timeout_ms(deadline_ns));
        ssize_t got = ready > 0 ? read(fd, block, sizeof block) : 0;
        if ((ready < 0 || got < 0) && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return;
        }
        text_append_bytes(out, block, (size_t)got);
        if (one_piece && block[got - 1] == '\n') {
            return;
        }
    }
}

const char *tool_output(struct arena *arena, const char *const *arguments)
{
    static const char *const environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", NULL};
    struct diagnostic unused;
    struct process process = {.pid_fd = -1};
    struct text text;
    const char *output = NULL;
    int pair[2] = {-1, -1};
    int status = 0;
    uint64_t deadline_ns = clock_now_ns() + TOOL_WAIT_NS;
    int null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);

    text_init(&text);
    if (null_fd >= 0 && pipe_pair(pair, &unused) == ERROR_NONE) {
        const struct process_spec spec = {
            .path = arguments[0],
            .arguments = arguments,
            .environment = environment,
            .descriptors = {null_fd, pair[1], null_fd},
            .descriptor_count = 3,
            .own_group = true,
        };
        enum error error = process_start(&spec, &process, &unused);
        descriptor_close(&pair[1]);
        if (error == ERROR_NONE) {
            tool_read(pair[0], deadline_ns, TOOL_OUTPUT_MAX, false, &text);
            if (process_wait(&process, deadline_ns, &status) && status == 0) {
                output = arena_strndup(arena, text.bytes, text.length);
            }
            process_kill(&process, true);
        }
    }
    descriptor_close(&pair[0]);
    descriptor_close(&null_fd);
    text_release(&text);
    return output;
}

/* The first word of a text that looks like a version: "13.0.88" of "release 13.0, V13.0.88". */
static const char *version_in(struct arena *arena, const char *text)
{
    const char *best = NULL;
    size_t best_length = 0;

    for (const char *at = text; *at != '\0'; at++) {
        if (!isdigit((unsigned char)*at) ||
            (at > text && isalnum((unsigned char)at[-1]) && at[-1] != 'V' && at[-1] != 'v')) {
            continue;
        }
        size_t length = strspn(at, "0123456789.");
        if (length > best_length && memchr(at, '.', length) != NULL) {
            best = at;
            best_length = length;
        }
        at += length - 1;
    }
    return best == NULL ? "unknown" : arena_strndup(arena, best, best_length);
}

/* Notes a tool by what it says of its version; false if it does not run. */
static bool note_tool(struct doctor *doctor, const char *name, const char *path, const char *option,
                      enum doctor_status otherwise)
{
    const char *const arguments[] = {path, option, NULL};
    const char *output = access(path, X_OK) == 0 ? tool_output(doctor->arena, arguments) : NULL;

    if (output == NULL) {
        doctor_note(doctor, DOCTOR_TOOLS, name, otherwise,
                    arena_printf(doctor->arena, "%s %s", path,
                                 access(path, F_OK) == 0 ? "does not run" : "is missing"),
                    "");
        return false;
    }
    doctor_note(doctor, DOCTOR_TOOLS, name, DOCTOR_PASS,
                arena_printf(doctor->arena, "%s, %s", version_in(doctor->arena, output), path), "");
    return true;
}

static void check_compiler(struct doctor *doctor)
{
    struct arena *arena = doctor->arena;
    struct diagnostic diagnostic = {.message = ""};
    const struct toolchain_setup setup = {
        .sandbox = &doctor->sandbox,
        .helper_folder = doctor->config->helper_folder,
        .header_folder = doctor->config->header_folder,
        .library_folder = doctor->config->library_folder,
    };

    if (toolchain_init(&setup, &doctor->toolchain, &diagnostic) != ERROR_NONE) {
        doctor_note(doctor, DOCTOR_TOOLS, "compiler", DOCTOR_FAIL, diagnostic.message, "");
        return;
    }
    const struct compiler *compiler = &doctor->toolchain.compiler;
    doctor->toolchain.builds_anew = true; /* what is kept says nothing about the machine */
    if (compiler->kind == COMPILER_CLANG) {
        doctor->has_toolchain =
            note_tool(doctor, "clang", compiler->clang, "--version", DOCTOR_FAIL);
        return;
    }
    doctor_note(
        doctor, DOCTOR_TOOLS, "CUDA toolkit", DOCTOR_PASS,
        arena_printf(arena, "%s in %s", report_cuda_version(compiler->name), compiler->folder), "");
    bool runs = note_tool(doctor, "nvcc", compiler->program, "--version", DOCTOR_FAIL);
    runs = note_tool(doctor, "ptxas", arena_printf(arena, "%s/bin/ptxas", compiler->folder),
                     "--version", DOCTOR_FAIL) &&
           runs;
    doctor->has_toolchain = runs;
}

/* Libraries of the C library and of the compiler, which every program has. */
static bool is_of_the_system(const char *name)
{
    static const char *const prefixes[] = {"libc.so", "libm.so",  "ld-linux",
                                           "libnss_", "libgcc_s", "libstdc++"};

    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        if (text_starts_with(name, prefixes[i])) {
            return true;
        }
    }
    return false;
}

/* The shared libraries that this process has loaded. */
static void note_libraries(struct doctor *doctor)
{
    char line[4352];
    char last[256] = "";
    const char *list = "";
    FILE *maps = fopen("/proc/self/maps", "re");

    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        const char *path = strchr(line, '/');
        const char *name = path == NULL ? "" : path_name(path);
        const char *suffix = strstr(line, ".so.");
        if (suffix == NULL || is_of_the_system(name)) {
            continue;
        }
        size_t length = strcspn(name, "\n");
        if (length < sizeof last && strncmp(last, name, length) != 0) {
            snprintf(last, sizeof last, "%.*s", (int)length, name);
            list = arena_printf(doctor->arena, "%s%s%s", list, list[0] == '\0' ? "" : ", ", last);
        }
    }
    if (maps != NULL) {
        fclose(maps);
    }
    if (list[0] != '\0') {
        doctor_note(doctor, DOCTOR_TOOLS, "libraries", DOCTOR_PASS, list, "");
    }
}

/* What was built with the grader. */
static void check_helpers(struct doctor *doctor)
{
    static const char *const names[] = {"gpugrade-jail", "gpugrade-device",
                                        "gpugrade-sandbox-probe", CUDART_SONAME,
                                        SERVED_LIBRARIES_FILE};
    const char *missing = "";

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        bool is_library = strncmp(names[i], "lib", 3) == 0;
        const char *path = arena_printf(
            doctor->arena, "%s/%s",
            is_library ? doctor->config->library_folder : doctor->config->helper_folder, names[i]);
        if (access(path, is_library ? R_OK : X_OK) != 0) {
            missing = arena_printf(doctor->arena, "%s%s%s", missing, missing[0] == '\0' ? "" : ", ",
                                   path);
        }
    }
    if (missing[0] != '\0') {
        doctor_note(doctor, DOCTOR_TOOLS, "own helpers", DOCTOR_FAIL,
                    arena_printf(doctor->arena, "missing: %s", missing),
                    "build gpugrade again with all its targets");
    } else {
        doctor_note(doctor, DOCTOR_TOOLS, "own helpers", DOCTOR_PASS,
                    arena_printf(doctor->arena, "in %s", doctor->config->helper_folder), "");
    }
}

/* What nvcc passes host code on to, and what compiles oracles. */
static void check_host_compilers(struct doctor *doctor)
{
    if (!note_tool(doctor, "g++", "/usr/bin/g++", "-dumpfullversion", DOCTOR_FAIL)) {
        doctor_miss(doctor, "g++");
    }
    if (!note_tool(doctor, "cc", "/usr/bin/cc", "-dumpfullversion", DOCTOR_FAIL)) {
        doctor_miss(doctor, "gcc");
    }
}

void doctor_check_tools(struct doctor *doctor)
{
    bool needs_bubblewrap = !doctor->has_sandbox || doctor->sandbox.tier == SANDBOX_C;

    check_helpers(doctor);
    check_compiler(doctor);
    if (doctor->toolchain.compiler.kind != COMPILER_CLANG) { /* which compiles all by itself */
        check_host_compilers(doctor);
    }
    const char *bubblewrap = doctor->has_sandbox && doctor->sandbox.bwrap_path[0] != '\0'
                                 ? doctor->sandbox.bwrap_path
                                 : "/usr/bin/bwrap";
    if (!note_tool(doctor, "bubblewrap", bubblewrap, "--version", DOCTOR_NOTE) &&
        needs_bubblewrap) {
        doctor_miss(doctor, "bubblewrap");
    }
    note_libraries(doctor);
}
