/* nvrtc_compile.c: see nvrtc_compile.h. The files lie in a folder of their own, which is removed.
 */
#include "libraries/nvrtc_compile.h"

#include "base/arena.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define COMPILE_NS (UINT64_C(120) * CLOCK_NS_PER_S)

enum { WORDS_MAX = 512, PTX_BYTES_MAX = 64 << 20, LOG_BYTES_MAX = 1 << 20 };

static bool write_text(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    size_t left = strlen(text);
    ssize_t written = 1;

    while (fd >= 0 && left > 0 && written > 0) {
        written = write(fd, text, left);
        text += written > 0 ? written : 0;
        left -= written > 0 ? (size_t)written : 0;
    }
    return fd >= 0 && close(fd) == 0 && left == 0;
}

/* The folders that a path goes through below `folder`. */
static void make_folders(char *path, size_t folder)
{
    for (char *slash = strchr(path + folder, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

/* Headers stay in their folder. */
static bool write_headers(struct arena *arena, const struct nvrtc_job *job, const char *folder)
{
    bool is_written = mkdir(folder, 0700) == 0;

    for (size_t i = 0; i < job->header_count && is_written; i++) {
        const struct nvrtc_header *header = &job->headers[i];
        char *path = arena_printf(arena, "%s/%s", folder, header->name);

        make_folders(path, strlen(folder) + 1);
        is_written = header->name[0] != '\0' && strstr(header->name, "..") == NULL &&
                     write_text(path, header->text);
    }
    return is_written;
}

/* The compiler's command, then what it is given: [WORDS_MAX], zeroed. False: there is none. */
static bool make_command(struct arena *arena, const struct nvrtc_job *job, const char *folder,
                         const char **words)
{
    const char *command = getenv(NVRTC_COMPILER_VARIABLE);
    const char *const last[] = {
        "-ptx",
        "-lineinfo",
        "-I",
        arena_printf(arena, "%s/headers", folder),
        "-o",
        arena_printf(arena, "%s/program.ptx", folder),
        arena_printf(arena, "%s/program.cu", folder),
    };
    enum { LAST = sizeof(last) / sizeof(last[0]) };
    size_t count = 0;

    while (command != NULL && *command != '\0' && count < 8) {
        size_t length = strcspn(command, "\n");

        words[count++] = arena_strndup(arena, command, length);
        command += length + (command[length] != '\0');
    }
    if (count == 0 || job->option_count > WORDS_MAX - LAST - 9) {
        return false;
    }
    for (size_t i = 0; i < job->option_count; i++) {
        words[count++] = job->options[i];
    }
    memcpy(words + count, last, sizeof(last));
    return true;
}

/* Runs a command; false if it does not start. */
static bool run(const char *const *words, const char *log, int *out_status)
{
    extern char **environ;
    int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int log_fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const struct process_spec spec = {
        .path = words[0],
        .arguments = words,
        .environment = (const char *const *)environ,
        .descriptors = {null_fd, log_fd, log_fd},
        .descriptor_count = 3,
        .own_group = true,
    };
    struct process process = {.pid_fd = -1};
    bool is_started =
        null_fd >= 0 && log_fd >= 0 && process_start(&spec, &process, NULL) == ERROR_NONE;

    descriptor_close(&null_fd);
    descriptor_close(&log_fd);
    if (is_started && !process_wait(&process, clock_now_ns() + COMPILE_NS, out_status)) {
        process_kill(&process, true);
        *out_status = SIGKILL;
    }
    return is_started;
}

/* At most so many bytes of a file, to be freed; an empty text where there is none. */
static char *take_file(const char *path, size_t most)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    const bool is_file = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    const size_t bytes = !is_file                        ? 0
                         : (size_t)status.st_size < most ? (size_t)status.st_size
                                                         : most;
    char *text = malloc(bytes + 1);
    ssize_t length = text == NULL || bytes == 0 ? 0 : read(fd, text, bytes);

    if (text != NULL) {
        text[length > 0 ? length : 0] = '\0';
    }
    descriptor_close(&fd);
    return text;
}

static enum nvrtc_end compile_in(struct arena *arena, const struct nvrtc_job *job,
                                 const char *folder, char **out_ptx, char **out_log)
{
    const char *words[WORDS_MAX] = {NULL};
    const char *log = arena_printf(arena, "%s/log", folder);
    int status = 0;

    if (!write_headers(arena, job, arena_printf(arena, "%s/headers", folder)) ||
        !write_text(arena_printf(arena, "%s/program.cu", folder), job->source) ||
        !make_command(arena, job, folder, words) || !run(words, log, &status)) {
        return NVRTC_NOT_RUN;
    }
    const bool is_made = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    *out_log = take_file(log, LOG_BYTES_MAX);
    *out_ptx =
        is_made ? take_file(arena_printf(arena, "%s/program.ptx", folder), PTX_BYTES_MAX) : NULL;
    return is_made ? NVRTC_MADE : NVRTC_REFUSED;
}

enum nvrtc_end nvrtc_compile(const struct nvrtc_job *job, char **out_ptx, char **out_log)
{
    struct arena *arena = arena_new();
    const char *temporary = getenv("TMPDIR");
    char *folder = arena_printf(arena, "%s/gpugrade-XXXXXX",
                                temporary == NULL || temporary[0] != '/' ? "/tmp" : temporary);
    enum nvrtc_end end = NVRTC_NOT_RUN;

    if (mkdtemp(folder) != NULL) {
        end = compile_in(arena, job, folder, out_ptx, out_log);
        folder_remove(folder);
    }
    arena_free(arena);
    return end;
}
