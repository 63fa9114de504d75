/* slurm_submit.c: see slurm_submit.h.
 *
 * The environment of whoever calls goes to the tasks (--export=ALL), as sbatch does by itself: the
 * way to nvcc may be in it. TMPDIR alone is put back to what it was outside this program.
 */
#include "cli/slurm_submit.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/check_request.h"
#include "cli/k8s_manifest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SBATCH_LIMIT_S = 180, SAID_BYTES_MAX = 4096 };

static const char job_script[] =
    "#!/bin/sh\n"
    "# job.sh: grades one chunk of a class; written by gpugrade batch --slurm or --k8s.\n"
    "#\n"
    "#   $1  the folder with gpugrade's rubrics and references\n"
    "#   $2  the program gpugrade\n"
    "#   $3  the folder with the chunks, on a file system that all nodes share\n"
    "#   $4  how many submissions are graded at once (Slurm says it itself)\n"
    "#\n"
    "# The results are in the chunk's own folder. If the cluster starts a task again\n"
    "# because its node was lost, the task continues with them. At SIGTERM, which Slurm\n"
    "# sends before the time is up, running checks finish, and gpugrade batch --resume\n"
    "# grades the rest.\n"
    "set -u\n"
    "GPUGRADE_ROOT=$1\n"
    "export GPUGRADE_ROOT\n"
    "[ -d \"${TMPDIR:-/tmp}\" ] || unset TMPDIR # set on the machine that submitted it\n"
    "chunk=${SLURM_ARRAY_TASK_ID:-$((JOB_COMPLETION_INDEX + 1))} # Kubernetes counts from 0\n"
    "exec \"$2\" batch --resume -o \"$3/chunk-$chunk\" -j \"${4:-${SLURM_CPUS_PER_TASK:-1}}\"\n";

static const char merge_script[] =
    "#!/bin/sh\n"
    "# merge.sh: merges what the chunks have graded; written by gpugrade batch --slurm.\n"
    "#\n"
    "#   $1  the folder with gpugrade's rubrics and references\n"
    "#   $2  the program gpugrade\n"
    "#   $3  the folder of the results\n"
    "set -u\n"
    "GPUGRADE_ROOT=$1\n"
    "export GPUGRADE_ROOT\n"
    "[ -d \"${TMPDIR:-/tmp}\" ] || unset TMPDIR # set on the machine that submitted it\n"
    "exec \"$2\" batch --slurm-merge -o \"$3\"\n";

/* A vector of arguments, with NULL behind the last one. */
struct vector {
    struct arena *arena;
    const char **words;
    size_t count, capacity;
};

static void push(struct vector *vector, const char *word)
{
    arena_grow(vector->arena, &vector->words, &vector->capacity, vector->count + 2,
               sizeof *vector->words);
    vector->words[vector->count++] = word;
    vector->words[vector->count] = NULL;
}

/* "--name=value"; nothing where there is no value. */
static void push_option(struct vector *vector, const char *name, const char *value)
{
    if (value != NULL) {
        push(vector, arena_printf(vector->arena, "--%s=%s", name, value));
    }
}

/* What both jobs ask for. */
static struct vector common_arguments(const struct slurm_submit *submit, struct arena *arena)
{
    struct vector vector = {.arena = arena};

    push(&vector, "sbatch");
    push(&vector, "--parsable");
    push(&vector, "--export=ALL");
    push(&vector, "--requeue");
    push(&vector, "--open-mode=append");
    push(&vector, "--nodes=1");
    push(&vector, "--ntasks=1");
    push_option(&vector, "chdir", submit->chunks->folder);
    push_option(&vector, "partition", submit->site->partition);
    push_option(&vector, "account", submit->site->account);
    push_option(&vector, "time", submit->site->time);
    return vector;
}

static void push_script(struct vector *vector, const struct slurm_submit *submit,
                        const char *script, const char *folder)
{
    for (size_t i = 0; i < submit->site->option_count; i++) {
        push(vector, submit->site->options[i]);
    }
    push(vector, arena_printf(vector->arena, "%s/%s", submit->chunks->folder, script));
    push(vector, submit->locations->root);
    push(vector, submit->locations->program);
    push(vector, folder);
}

static const char *const *array_arguments(const struct slurm_submit *submit, struct arena *arena)
{
    const struct slurm_site *site = submit->site;
    struct vector vector = common_arguments(submit, arena);

    push(&vector, "--job-name=gpugrade");
    push(&vector, "--output=task-%a.log");
    push(&vector, "--signal=B:TERM@120");
    push(&vector, arena_printf(arena, "--array=1-%zu", submit->chunks->count));
    push(&vector, arena_printf(arena, "--cpus-per-task=%zu", site->jobs));
    push_option(&vector, "mem", site->memory);
    push_option(&vector, "gres", submit->needs_gpu ? site->gres : NULL);
    push_script(&vector, submit, "job.sh", submit->chunks->folder);
    return vector.words;
}

static const char *const *merge_arguments(const struct slurm_submit *submit, const char *array,
                                          struct arena *arena)
{
    struct vector vector = common_arguments(submit, arena);

    push(&vector, "--job-name=gpugrade-merge");
    push(&vector, "--output=merge.log");
    push_option(&vector, "dependency", arena_printf(arena, "afterany:%s", array));
    push(&vector, "--cpus-per-task=1");
    push_script(&vector, submit, "merge.sh", submit->results);
    return vector.words;
}

static enum error write_file(const struct slurm_submit *submit, const char *name,
                             const char *content, struct diagnostic *diagnostic)
{
    struct text path;

    text_init(&path);
    text_printf(&path, "%s/%s", submit->chunks->folder, name);
    enum error error = file_write_atomic(path.bytes, content, strlen(content), diagnostic);
    text_release(&path);
    return error;
}

static void append_command(const char *const *arguments, struct arena *arena, struct text *out)
{
    for (size_t i = 0; arguments[i] != NULL; i++) {
        text_printf(out, "%s%s", i == 0 ? "" : " ", shell_word(arena, arguments[i]));
    }
    text_append_char(out, '\n');
}

static enum error write_record(const struct slurm_submit *submit, const struct slurm_jobs *jobs,
                               struct arena *arena, struct diagnostic *diagnostic)
{
    bool has_array = jobs->array[0] != '\0';
    struct text text;

    text_init(&text);
    text_append(&text, "# How sbatch is called; no program reads this file.\n");
    append_command(array_arguments(submit, arena), arena, &text);
    text_printf(&text, "# its job: %s\n", has_array ? jobs->array : "not submitted");
    append_command(merge_arguments(submit, has_array ? jobs->array : "JOB", arena), arena, &text);
    text_printf(&text, "# its job: %s\n", jobs->merge[0] != '\0' ? jobs->merge : "not submitted");
    enum error error = write_file(submit, "submit.txt", text.bytes, diagnostic);
    text_release(&text);
    return error;
}

/* Finds a program as a shell does; NULL if there is none. */
static const char *find_program(struct arena *arena, const char *name)
{
    const char *at = text_or_empty(getenv("PATH"));

    while (*at != '\0') {
        size_t length = strcspn(at, ":");
        const char *path = arena_printf(arena, "%.*s/%s", (int)length, at, name);
        if (at[0] == '/' && access(path, X_OK) == 0 && file_exists(path)) {
            return path;
        }
        at += length + (at[length] == ':' ? 1 : 0);
    }
    return NULL;
}

/* The environment that this program was called with. */
static const char *const *outer_environment(const struct slurm_submit *submit, struct arena *arena)
{
    struct vector vector = {.arena = arena};

    for (char **entry = environ; *entry != NULL; entry++) {
        if (!text_starts_with(*entry, "TMPDIR=")) {
            push(&vector, *entry);
        }
    }
    if (submit->scratch != NULL) {
        push(&vector, arena_printf(arena, "TMPDIR=%s", submit->scratch));
    }
    return vector.words;
}

/* What a program has written into a file in memory, without the line breaks at its end. */
static const char *read_said(struct arena *arena, int fd)
{
    char bytes[SAID_BYTES_MAX];
    ssize_t length = pread(fd, bytes, sizeof bytes, 0);

    while (length > 0 && (bytes[length - 1] == '\n' || bytes[length - 1] == ' ')) {
        length--;
    }
    return arena_strndup(arena, bytes, length < 0 ? 0 : (size_t)length);
}

/* Reads "17" or "17;cluster". */
static bool read_job(const char *said, char out_job[JOB_NAME_BYTES])
{
    size_t length = strspn(said, "0123456789");

    if (length == 0 || length >= JOB_NAME_BYTES || strchr(";\n", said[length]) == NULL) {
        return false;
    }
    memcpy(out_job, said, length);
    out_job[length] = '\0';
    return true;
}

/* Waits for sbatch and reads the number of its job. */
static enum error finish(struct process *process, const int said_fds[2], struct arena *arena,
                         char out_job[JOB_NAME_BYTES], struct diagnostic *diagnostic)
{
    uint64_t deadline_ns = clock_now_ns() + (uint64_t)SBATCH_LIMIT_S * CLOCK_NS_PER_S;
    int status = 0;

    if (!process_wait(process, deadline_ns, &status)) {
        process_kill(process, false);
        diagnostic_set(
            diagnostic, BLAME_ENVIRONMENT,
            "sbatch did not answer within %d s; check with squeue whether it created a job",
            SBATCH_LIMIT_S);
        return ERROR_TIMEOUT;
    }
    const char *complaint = read_said(arena, said_fds[1]);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "sbatch refused the job: %s",
                       complaint[0] != '\0' ? complaint : "it did not say why");
        return ERROR_ENVIRONMENT;
    }
    const char *said = read_said(arena, said_fds[0]);
    if (!read_job(said, out_job)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "sbatch was expected to print the number of a job, got '%s'", said);
        return ERROR_ENVIRONMENT;
    }
    return ERROR_NONE;
}

static enum error call_sbatch(const struct slurm_submit *submit, const char *const *arguments,
                              struct arena *arena, char out_job[JOB_NAME_BYTES],
                              struct diagnostic *diagnostic)
{
    int said_fds[2] = {memfd_create("sbatch-said", MFD_CLOEXEC),
                       memfd_create("sbatch-complained", MFD_CLOEXEC)};
    const struct process_spec spec = {
        .path = find_program(arena, "sbatch"),
        .arguments = arguments,
        .environment = outer_environment(submit, arena),
        .descriptors = {STDIN_FILENO, said_fds[0], said_fds[1]},
        .descriptor_count = 3,
    };
    struct process process;
    enum error error = ERROR_ENVIRONMENT;

    if (spec.path == NULL) {
        diagnostic_set(
            diagnostic, BLAME_ENVIRONMENT,
            "sbatch is not on the PATH; run gpugrade where Slurm's commands are installed");
    } else if (said_fds[0] < 0 || said_fds[1] < 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "sbatch cannot be called: %s",
                       strerror(errno));
    } else {
        error = process_start(&spec, &process, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = finish(&process, said_fds, arena, out_job, diagnostic);
    }
    descriptor_close(&said_fds[0]);
    descriptor_close(&said_fds[1]);
    return error;
}

static enum error write_manifest(const struct slurm_submit *submit, struct diagnostic *diagnostic)
{
    const struct k8s_job job = {
        .pod = submit->site->pod,
        .folder = submit->chunks->folder,
        .chunks = submit->chunks->count,
        .jobs = submit->site->jobs,
        .memory = submit->site->memory,
        .needs_gpu = submit->needs_gpu,
        .root = submit->locations->root,
        .program = submit->locations->program,
    };
    struct text text;

    text_init(&text);
    k8s_manifest(&job, &text);
    enum error error = write_file(submit, "job.json", text.bytes, diagnostic);
    text_release(&text);
    return error;
}

bool slurm_can_log(const char *results)
{
    return strpbrk(results, "%\\") == NULL;
}

enum error slurm_submit(const struct slurm_submit *submit, struct arena *arena,
                        struct slurm_jobs *out_jobs, struct diagnostic *diagnostic)
{
    struct slurm_jobs jobs = {.array = ""};

    enum error error = write_file(submit, "job.sh", job_script, diagnostic);
    if (error == ERROR_NONE && submit->site->pod != NULL) {
        *out_jobs = jobs;
        return write_manifest(submit, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = write_file(submit, "merge.sh", merge_script, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = write_record(submit, &jobs, arena, diagnostic);
    }
    if (error == ERROR_NONE && !submit->site->only_writes) {
        error = call_sbatch(submit, array_arguments(submit, arena), arena, jobs.array, diagnostic);
        if (error == ERROR_NONE) {
            error = call_sbatch(submit, merge_arguments(submit, jobs.array, arena), arena,
                                jobs.merge, diagnostic);
        }
        /* What was submitted counts; the record of it is only for people. */
        (void)write_record(submit, &jobs, arena, NULL);
    }
    *out_jobs = jobs;
    return error;
}
