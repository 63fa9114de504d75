/* lint_pool.c: see lint_pool.h. */
#include "cli/lint_pool.h"

#include "base/process.h"
#include "cli/console.h"
#include "cli/supervise.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A job on its way. What it says comes in a file in memory. */
struct running {
    const struct lint_setting *setting;
    const struct lint_job *job;
    struct oracle_watch *watch; /* of the job's process alone */
    pid_t pid;                  /* 0: not started, or ended */
    int fd;
    bool has_ended;
};

/* The task of the supervised child. */
static int do_job(void *context, int stage_fd)
{
    const struct running *running = context;
    struct lint_setting setting = *running->setting;
    struct toolchain toolchain = *setting.toolchain;
    struct text lines;
    int status = EXIT_PASSED;

    close(stage_fd);
    text_init(&lines);
    toolchain.oracle_watch = running->watch;
    setting.toolchain = &toolchain;
    lint_job_run(&setting, running->job, &lines);
    if (!console_write(running->fd, &lines)) {
        status = EXIT_GRADER;
    }
    text_release(&lines);
    return status;
}

static const char crash_text[] = "the grader ended without a result";

/* The process of one job. */
static int supervise_job(struct running *running)
{
    running->watch = oracle_watch_new(ORACLE_LIMIT_MS);
    int status = supervise(do_job, running, running->watch, NULL);
    const char *ended = running->watch->ended;
    struct text line;

    if (lseek(running->fd, 0, SEEK_END) == 0 && status != EXIT_PASSED) {
        text_init(&line);
        text_printf(&line, "%-5s %s: %s\n", ended[0] != '\0' ? "FAIL" : "ERROR", running->job->name,
                    ended[0] != '\0' ? ended : crash_text);
        console_write(running->fd, &line);
        text_release(&line);
    }
    oracle_watch_free(running->watch);
    return status;
}

static void start(struct running *running)
{
    pid_t self = getpid();

    running->fd = memfd_create("lines", MFD_CLOEXEC);
    running->pid = running->fd < 0 ? -1 : fork();
    if (running->pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != self) {
            _exit(EXIT_GRADER);
        }
        exit(supervise_job(running));
    }
    if (running->pid < 0) {
        console_complain("environment: no process could be started: %s", strerror(errno));
        running->pid = 0;
        running->has_ended = true;
    }
}

/* Waits until one of the jobs has ended. */
static void wait_for_one(struct running *all, size_t count)
{
    int status;
    pid_t pid = waitpid(-1, &status, 0);

    if (pid < 0 && errno == EINTR) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (all[i].pid != 0 && (pid < 0 || all[i].pid == pid)) {
            all[i].pid = 0;
            all[i].has_ended = true;
        }
    }
}

static bool starts_with_word(const char *line, const char *word)
{
    return strncmp(line, word, strlen(word)) == 0 && line[strlen(word)] == ' ';
}

bool lint_print(const struct text *lines, struct lint_totals *totals)
{
    for (const char *at = lines->bytes; *at != '\0';) {
        size_t length = strcspn(at, "\n");
        bool is_error = starts_with_word(at, "ERROR");
        totals->passed += starts_with_word(at, "ok") ? 1 : 0;
        totals->failed += is_error || starts_with_word(at, "FAIL") ? 1 : 0;
        totals->has_error = totals->has_error || is_error;
        at += length + (at[length] == '\n' ? 1 : 0);
    }
    return console_write(STDOUT_FILENO, lines);
}

/* What stands behind "FAIL  NAME: " where a job has said nothing else; NULL if it has. */
static const char *trouble_of(const struct text *lines, const struct lint_job *job)
{
    static const char word[] = "FAIL  ";
    const char *at = lines->bytes + strlen(word);
    size_t length = strlen(job->name);

    if (!text_starts_with(lines->bytes, word) || strncmp(at, job->name, length) != 0 ||
        at[length] != ':') {
        return NULL;
    }
    const char *end = strchr(at, '\n');
    while (end != NULL && end[1] == ' ') { /* more lines of the same */
        end = strchr(end + 1, '\n');
    }
    return end != NULL && end[1] == '\0' ? at + length : NULL;
}

/* Puts a short line in the place of what the first job, the oracle's, has said in the same words:
 * then nothing that is judged by it can be tried. */
static void say_once(struct text *lines, const struct running *running, struct text *first)
{
    const char *trouble = trouble_of(lines, running->job);

    if (trouble == NULL) {
        return;
    }
    if (running->job->kind == LINT_ORACLE) {
        text_append(first, trouble);
    } else if (first->length > 0 && strcmp(first->bytes, trouble) == 0) {
        text_clear(lines);
        text_printf(lines, "%-5s %s: not tried, for the same reason\n", "FAIL", running->job->name);
    }
}

/* Prints what a job that has ended has said; a job without a word is an error. */
static bool show(struct running *running, struct text *first_trouble, struct lint_totals *totals)
{
    char bytes[4096];
    struct text read_lines, lines;
    ssize_t length;
    off_t at = 0;

    text_init(&read_lines);
    text_init(&lines);
    while (running->fd >= 0 && (length = pread(running->fd, bytes, sizeof bytes, at)) > 0) {
        text_append_bytes(&read_lines, bytes, (size_t)length);
        at += length;
    }
    if (read_lines.length == 0) {
        text_printf(&read_lines, "%-5s %s: %s\n", "ERROR", running->job->name, crash_text);
    }
    say_once(&read_lines, running, first_trouble);
    text_append_printable(&lines, read_lines.bytes, read_lines.length, true);
    bool printed = lint_print(&lines, totals);
    text_release(&lines);
    text_release(&read_lines);
    descriptor_close(&running->fd);
    return printed;
}

bool lint_pool_run(const struct lint_setting *setting, const struct lint_job *jobs, size_t count,
                   size_t at_once, struct lint_totals *totals)
{
    struct running *all = calloc(count + 1, sizeof *all);
    size_t started = 0, shown = 0, running = 0;
    bool printed = true;
    struct text first_trouble;

    if (all == NULL) {
        abort();
    }
    text_init(&first_trouble);
    for (size_t i = 0; i < count; i++) {
        all[i] = (struct running){.setting = setting, .job = &jobs[i], .fd = -1};
    }
    while (shown < count) {
        while (started < count && running < at_once) {
            start(&all[started++]);
            running++;
        }
        if (!all[shown].has_ended) {
            wait_for_one(all, started);
        }
        running = 0;
        for (size_t i = 0; i < started; i++) {
            running += all[i].has_ended ? 0 : 1;
        }
        while (shown < started && all[shown].has_ended) {
            printed = show(&all[shown++], &first_trouble, totals) && printed;
        }
    }
    text_release(&first_trouble);
    free(all);
    return printed;
}
