/* denial_check.c: has gpugrade-sandbox-probe try each row of denials.def, confined and free.
 *
 *     sandbox probe in the sandbox, as a student's program  ->  held, open, broken
 *     the same outside                                ->  open, or the probe says nothing
 *
 * What the sandbox probe says counts only where nothing outside can tell: whether a file changed, a
 * datagram or a signal arrived, an object or a process stayed is looked up here.
 */
#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "doctor/denial_facts.h"
#include "doctor/doctor_state.h"
#include "sandbox/denials.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB ((uint64_t)1 << 20)

/* Far more than an attempt takes, also on a machine that has much else to do. */
#define ATTEMPT_NS (20 * CLOCK_NS_PER_S)

/* Limits of a run, and how much more the sandbox probe tries. */
enum {
    TASKS = 16,
    TASKS_TRIED = 40,
    OUTPUT_BYTES = 64 << 10,
    OUTPUT_TRIED = 256 << 10,
    SECONDS_TRIED = 4,
    LONG_FACTS = 48,
};
#define MEMORY_BYTES (48 * MIB)
#define MEMORY_TRIED (160 * MIB)
#define FILE_BYTES MIB

/* What one run of the sandbox probe comes to. */
enum attempt_result { ATTEMPT_HELD, ATTEMPT_OPEN, ATTEMPT_BROKEN };

struct attempt {
    enum attempt_result result;
    const char *seen;
};

/* What is special about a row. */
static const struct {
    enum denial denial;
    bool (*happened)(struct denial_facts *facts); /* NULL: the sandbox probe knows */
    enum sandbox_ending ending;                   /* that is a refusal too; SANDBOX_EXITED: none */
    uint64_t wall_ns, cpu_ns;                     /* other limits; 0: the usual ones */
} special_rows[] = {
    {DENIAL_OVERWRITE, denial_facts_overwritten, SANDBOX_EXITED, 0, 0},
    {DENIAL_UDP, denial_facts_datagram, SANDBOX_EXITED, 0, 0},
    {DENIAL_SIGNAL, denial_facts_signal, SANDBOX_EXITED, 0, 0},
    {DENIAL_LEFT_OBJECTS, denial_facts_objects, SANDBOX_EXITED, 0, 0},
    {DENIAL_TASKS, NULL, SANDBOX_PROCESS_LIMIT, 0, 0},
    {DENIAL_MEMORY, NULL, SANDBOX_MEMORY_LIMIT, 0, 0},
    {DENIAL_MEMORY_SUM, NULL, SANDBOX_MEMORY_LIMIT, 0, 0},
    {DENIAL_MEMORY_SHARED, NULL, SANDBOX_MEMORY_LIMIT, 0, 0},
    {DENIAL_FILE_SIZE, NULL, SANDBOX_FILE_LIMIT, 0, 0},
    {DENIAL_FILES_SUM, NULL, SANDBOX_FILE_LIMIT, 0, 0},
    {DENIAL_OUTPUT, NULL, SANDBOX_OUTPUT_LIMIT, 0, 0},
    {DENIAL_CPU_TIME, NULL, SANDBOX_CPU_LIMIT, 0, CLOCK_NS_PER_S},
    {DENIAL_WALL_TIME, NULL, SANDBOX_WALL_LIMIT, 300 * (uint64_t)CLOCK_NS_PER_MS, 0},
};

struct sandbox_probe {
    struct doctor *doctor;
    struct denial_facts facts;
};

static size_t special_row(enum denial denial)
{
    size_t count = sizeof special_rows / sizeof special_rows[0];
    size_t i = 0;

    while (i < count && special_rows[i].denial != denial) {
        i++;
    }
    return i;
}

static bool is_special(size_t row)
{
    return row < sizeof special_rows / sizeof special_rows[0];
}

/* The sandbox probe's command line, in an array for [LONG_FACTS]. */
static void make_arguments(struct sandbox_probe *sandbox_probe, enum denial denial,
                           const char *folder, bool is_outside, const char **arguments)
{
    struct arena *arena = sandbox_probe->doctor->arena;
    size_t count = 0;

    arguments[count++] = sandbox_probe->facts.sandbox_probe;
    arguments[count++] = denial_word(denial);
    for (size_t i = 0; i < sandbox_probe->facts.count; i++) {
        arguments[count++] = sandbox_probe->facts.words[i];
    }
    arguments[count++] = arena_printf(arena, "folder=%s", folder);
    arguments[count++] = arena_printf(arena, "tasks=%d", (int)TASKS_TRIED);
    arguments[count++] = arena_printf(arena, "memory=%llu", (unsigned long long)MEMORY_TRIED);
    arguments[count++] = arena_printf(arena, "file=%llu", (unsigned long long)FILE_BYTES);
    arguments[count++] = arena_printf(arena, "output=%d", (int)OUTPUT_TRIED);
    arguments[count++] = arena_printf(arena, "seconds=%d", (int)SECONDS_TRIED);
    if (is_outside) {
        arguments[count++] = "outside=yes";
    }
    if (is_outside && geteuid() == 0) {
        arguments[count++] = "drop=yes";
    }
    arguments[count] = NULL;
}

/* Reads the sandbox probe's last line. */
static bool read_line(struct arena *arena, const struct text *output, struct attempt *out)
{
    static const struct {
        const char *word;
        enum attempt_result result;
    } words[] = {{"held ", ATTEMPT_HELD}, {"open ", ATTEMPT_OPEN}, {"broken ", ATTEMPT_BROKEN}};

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i].word);
        if (output->length > length && output->bytes[output->length - 1] == '\n' &&
            memcmp(output->bytes, words[i].word, length) == 0) {
            struct text shown;
            text_init(&shown);
            text_append_printable(&shown, output->bytes + length, output->length - length - 1,
                                  false);
            *out = (struct attempt){words[i].result, arena_strdup(arena, shown.bytes)};
            text_release(&shown);
            return true;
        }
    }
    return false;
}

static struct attempt broken(struct arena *arena, const char *why)
{
    return (struct attempt){ATTEMPT_BROKEN, arena_strdup(arena, why)};
}

/* An ending by the sandbox is a refusal where it is the one that the row is about. */
static struct attempt judge_end(struct sandbox_probe *sandbox_probe, enum denial denial,
                                const struct sandbox_end *end, const struct text *output)
{
    static const char *const words[] = {
        [SANDBOX_EXITED] = "it exited",
        [SANDBOX_SIGNALLED] = "ended by a signal",
        [SANDBOX_WALL_LIMIT] = "ended: out of time",
        [SANDBOX_CPU_LIMIT] = "ended: out of CPU time",
        [SANDBOX_MEMORY_LIMIT] = "ended: out of memory",
        [SANDBOX_PROCESS_LIMIT] = "ended: too many processes",
        [SANDBOX_OUTPUT_LIMIT] = "ended: too much output",
        [SANDBOX_FILE_LIMIT] = "ended: files too large",
        [SANDBOX_STOPPED] = "stopped",
    };
    struct arena *arena = sandbox_probe->doctor->arena;
    size_t row = special_row(denial);
    struct attempt attempt;

    if (end->ending == SANDBOX_EXITED && read_line(arena, output, &attempt)) {
        return attempt;
    }
    if (end->ending != SANDBOX_EXITED && is_special(row) &&
        end->ending == special_rows[row].ending) {
        return (struct attempt){ATTEMPT_HELD, words[end->ending]};
    }
    if (end->ending == SANDBOX_SIGNALLED && end->signal == SIGSYS) {
        return (struct attempt){ATTEMPT_HELD, "ended by the system call filter"};
    }
    if (end->ending == SANDBOX_SIGNALLED && denial == DENIAL_SUPERVISOR) {
        return (struct attempt){ATTEMPT_OPEN, "the run ended with it"};
    }
    if (end->ending == SANDBOX_SIGNALLED) {
        return broken(arena, arena_printf(arena, "the probe was ended by signal %d (%s)",
                                          end->signal, strsignal(end->signal)));
    }
    return broken(arena, arena_printf(arena, "the probe reported nothing: %s", words[end->ending]));
}

/* Makes an empty folder for a run. */
static const char *make_folder(struct sandbox_probe *sandbox_probe)
{
    char *path = arena_printf(sandbox_probe->doctor->arena, "%s/run-XXXXXX",
                              sandbox_probe->doctor->config->work_folder);

    return mkdtemp(path) == NULL ? NULL : path;
}

static struct attempt run_inside(struct sandbox_probe *sandbox_probe, enum denial denial,
                                 const char *folder)
{
    static const char *const environment[] = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8", NULL};
    struct arena *arena = sandbox_probe->doctor->arena;
    struct diagnostic diagnostic = {.message = ""};
    const char *arguments[LONG_FACTS];
    size_t row = special_row(denial);
    struct sandbox_end end;
    struct attempt attempt;
    struct text output, errors;
    struct sandbox_spec spec = {
        .arguments = arguments,
        .environment = environment,
        .folder = folder,
        .mounts = {{sandbox_probe->facts.sandbox_probe, sandbox_probe->facts.sandbox_probe, false},
                   {folder, folder, true}},
        .mount_count = 2,
        .limits = {.wall_ns = ATTEMPT_NS,
                   .cpu_ns = 5 * CLOCK_NS_PER_S,
                   .memory_bytes = MEMORY_BYTES,
                   .processes = TASKS,
                   .output_bytes = OUTPUT_BYTES,
                   .file_bytes = FILE_BYTES},
        .channel_fd = -1,
        .temporary_folder = folder,
    };

    if (sandbox_probe->facts.set_user_id != NULL) {
        spec.mounts[spec.mount_count++] = (struct sandbox_mount){
            sandbox_probe->facts.set_user_id, sandbox_probe->facts.set_user_id, false};
    }
    if (is_special(row) && special_rows[row].wall_ns != 0) {
        spec.limits.wall_ns = special_rows[row].wall_ns;
    }
    if (is_special(row) && special_rows[row].cpu_ns != 0) {
        spec.limits.cpu_ns = special_rows[row].cpu_ns;
    }
    make_arguments(sandbox_probe, denial, folder, false, arguments);
    text_init(&output);
    text_init(&errors);
    if (sandbox_run_to_end(&sandbox_probe->doctor->sandbox, &spec, &end, &output, &errors,
                           &diagnostic) == ERROR_NONE) {
        attempt = judge_end(sandbox_probe, denial, &end, &output);
    } else {
        attempt = broken(arena, diagnostic.message);
    }
    text_release(&output);
    text_release(&errors);
    return attempt;
}

/* Takes what the free sandbox probe prints, until it has ended. */
static bool read_free(struct process *process, int fd, struct text *out)
{
    uint64_t deadline_ns = clock_now_ns() + ATTEMPT_NS;
    int status = 0;

    tool_read(fd, deadline_ns, OUTPUT_TRIED, true, out); /* one that stays holds the pipe too */
    return process_wait(process, deadline_ns, &status) && status == 0;
}

/* The same attempt by the same program, as the user who grades and with nothing in the way. */
static struct attempt run_outside(struct sandbox_probe *sandbox_probe, enum denial denial,
                                  const char *folder)
{
    struct arena *arena = sandbox_probe->doctor->arena;
    struct diagnostic diagnostic = {.message = ""};
    struct process process = {.pid_fd = -1};
    const char *arguments[LONG_FACTS];
    int pair[2] = {-1, -1};
    struct attempt attempt;
    struct text output;

    make_arguments(sandbox_probe, denial, folder, true, arguments);
    if (pipe_pair(pair, &diagnostic) != ERROR_NONE) {
        return broken(arena, diagnostic.message);
    }
    const struct process_spec spec = {
        .path = arguments[0],
        .arguments = arguments,
        .environment = (const char *const *)environ,
        .descriptors = {-1, pair[1], STDERR_FILENO, -1, -1, sandbox_probe->facts.open_fd},
        .descriptor_count = 6,
        .own_group = true,
    };
    text_init(&output);
    enum error error = process_start(&spec, &process, &diagnostic);
    descriptor_close(&pair[1]);
    if (error != ERROR_NONE) {
        attempt = broken(arena, diagnostic.message);
    } else if (!read_free(&process, pair[0], &output) || !read_line(arena, &output, &attempt)) {
        attempt = broken(arena, "the probe reported nothing");
    }
    process_kill(&process, true);
    descriptor_close(&pair[0]);
    text_release(&output);
    return attempt;
}

/* Believes what can be seen from here, not what the sandbox probe says. */
static void look_up(struct sandbox_probe *sandbox_probe, enum denial denial, const char *folder,
                    struct attempt *attempt)
{
    size_t row = special_row(denial);
    bool has_happened;

    if (denial == DENIAL_DAEMON) {
        has_happened = denial_facts_alive(&sandbox_probe->facts, folder);
    } else if (is_special(row) && special_rows[row].happened != NULL) {
        has_happened = special_rows[row].happened(&sandbox_probe->facts);
    } else {
        return;
    }
    if (has_happened) {
        attempt->result = ATTEMPT_OPEN;
    } else if (attempt->result == ATTEMPT_OPEN) {
        *attempt = (struct attempt){
            ATTEMPT_HELD, denial == DENIAL_DAEMON ? "it was ended" : "nothing arrived outside"};
    }
}

static struct attempt make_attempt(struct sandbox_probe *sandbox_probe, enum denial denial,
                                   bool is_outside)
{
    struct arena *arena = sandbox_probe->doctor->arena;
    const char *folder = make_folder(sandbox_probe);

    if (folder == NULL) {
        return broken(arena, arena_printf(arena, "cannot make a folder: %s", strerror(errno)));
    }
    struct attempt attempt = is_outside ? run_outside(sandbox_probe, denial, folder)
                                        : run_inside(sandbox_probe, denial, folder);
    look_up(sandbox_probe, denial, folder, &attempt);
    folder_remove(folder);
    return attempt;
}

/* Puts the attempt and its control together. */
static void judge(const struct doctor *doctor, enum denial denial, const struct attempt *inside,
                  const struct attempt *outside, struct doctor_denial *out)
{
    struct arena *arena = doctor->arena;

    out->seen = inside->seen;
    if (inside->result == ATTEMPT_OPEN) {
        bool must_hold = denial_must_hold(denial, &doctor->sandbox);
        out->result = must_hold ? WITNESS_OPEN : WITNESS_EXPECTED;
        return;
    }
    if (inside->result == ATTEMPT_BROKEN) {
        out->result = WITNESS_BROKEN;
        return;
    }
    out->result = WITNESS_HELD;
    if (denial_outside(denial) == OUTSIDE_NONE || outside->result == ATTEMPT_OPEN) {
        return;
    }
    out->control = CONTROL_RUN_REFUSED;
    if (outside->result == ATTEMPT_HELD && denial_outside(denial) == OUTSIDE_MAY) {
        out->result = WITNESS_NOT_TRIED;
        out->seen = arena_printf(arena, "refused outside the sandbox too: %s", outside->seen);
        return;
    }
    out->result = WITNESS_BROKEN;
    out->seen = arena_printf(arena, "the probe fails outside the sandbox too: %s", outside->seen);
}

static void try_row(struct sandbox_probe *sandbox_probe, enum denial denial,
                    struct doctor_denial *out)
{
    struct doctor *doctor = sandbox_probe->doctor;
    struct attempt outside = {ATTEMPT_OPEN, ""};
    bool has_control = denial_outside(denial) != OUTSIDE_NONE;

    *out = (struct doctor_denial){.name = denial_name(denial),
                                  .tried = denial_tried(denial),
                                  .control = has_control ? CONTROL_RUN_OPEN : CONTROL_RUN_NONE};
    struct attempt inside = make_attempt(sandbox_probe, denial, false);
    if (has_control && inside.result == ATTEMPT_HELD) {
        outside = make_attempt(sandbox_probe, denial, true);
    } else {
        out->control = CONTROL_RUN_NONE; /* what succeeded inside works */
    }
    judge(doctor, denial, &inside, &outside, out);
    if (out->result == WITNESS_OPEN) {
        doctor_reason(doctor, "%s: a program can %s (%s)", out->name, out->tried, out->seen);
    } else if (out->result == WITNESS_BROKEN) {
        doctor_reason(doctor, "%s: could not be tested: %s", out->name, out->seen);
    }
}

void doctor_check_denials(struct doctor *doctor, struct doctor_report *report)
{
    struct sandbox_probe sandbox_probe = {.doctor = doctor};
    struct diagnostic diagnostic = {.message = ""};
    struct doctor_denial *denials = arena_array(doctor->arena, DENIAL_COUNT, sizeof *denials);

    if (!doctor->has_sandbox) {
        return;
    }
    if (denial_facts_init(&sandbox_probe.facts, doctor->arena, doctor->config->work_folder,
                          doctor->config->helper_folder, &diagnostic) != ERROR_NONE) {
        doctor_note(doctor, DOCTOR_SANDBOX, "denials", DOCTOR_FAIL, diagnostic.message, "");
    } else {
        for (int denial = 0; denial < DENIAL_COUNT; denial++) {
            try_row(&sandbox_probe, (enum denial)denial, &denials[denial]);
        }
        report->denials = denials;
        report->denial_count = DENIAL_COUNT;
    }
    denial_facts_release(&sandbox_probe.facts);
}
