/* command_watch.c: see command_watch.h.
 *
 *     gpugrade (watcher)       looks at the folder four times a second
 *       gpugrade (supervisor)  one check, as `gpugrade check` makes it; its score comes by a pipe
 *         gpugrade (grader)
 *
 * All checks have one seed, so what changes is the student's doing. Files that are saved during a
 * check end it, and it starts again when nothing has been saved for a moment.
 */
#include "cli/command_watch.h"

#include "base/clock.h"
#include "base/process.h"
#include "cli/check_request.h"
#include "cli/command_check.h"
#include "cli/console.h"
#include "cli/folder_state.h"
#include "report/score/score_change.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    LOOK_MS = 250,
    SCORE_BYTES_MAX = 64 << 20,
    CLOCK_TEXT_MAX = 16,
};

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/* A folder's state with the memory that it lives in. */
struct snapshot {
    struct arena *arena;
    struct folder_state state;
};

struct watch {
    const struct check_request *request;
    sigset_t before;          /* the signal mask for checks */
    int signal_fd;            /* what ends the watching */
    int received;             /* the signal that did; 0: none */
    struct snapshot checked;  /* what the latest check saw */
    struct arena *last_arena; /* of `last` */
    struct score_summary last;
    bool has_last; /* a check has yielded a score */
    pid_t check;   /* 0: none runs */
    int score_fd;  /* its score; -1 when all was read */
    struct text score;
};

static struct snapshot take_snapshot(const char *path)
{
    struct snapshot snapshot = {.arena = arena_new()};

    snapshot.state = folder_state_read(snapshot.arena, path);
    return snapshot;
}

static void replace_snapshot(struct snapshot *old, const struct snapshot *new)
{
    arena_free(old->arena);
    *old = *new;
}

/* True if a file was saved since the latest check began. */
static bool was_saved(const struct watch *watch)
{
    struct snapshot now = take_snapshot(watch->request->path);
    bool saved = folder_state_difference(&watch->checked.state, &now.state) != NULL;

    arena_free(now.arena);
    return saved;
}

/* Waits until a signal arrives, the check has something to say, or it is time to look again. */
static void wait_a_moment(struct watch *watch)
{
    struct signalfd_siginfo information;
    struct pollfd polled[] = {
        {.fd = watch->signal_fd, .events = POLLIN},
        {.fd = watch->score_fd, .events = POLLIN},
    };

    poll(polled, 2, LOOK_MS);
    if (read(watch->signal_fd, &information, sizeof information) == (ssize_t)sizeof information) {
        watch->received = (int)information.ssi_signo;
    }
}

static void read_score(struct watch *watch)
{
    char bytes[4096];
    struct pollfd polled = {.fd = watch->score_fd, .events = POLLIN};

    while (watch->score_fd >= 0 && poll(&polled, 1, 0) > 0) {
        ssize_t length = read(watch->score_fd, bytes, sizeof bytes);
        if (length > 0 && watch->score.length < SCORE_BYTES_MAX) {
            text_append_bytes(&watch->score, bytes, (size_t)length);
        } else if (length >= 0 || errno != EINTR) {
            descriptor_close(&watch->score_fd);
        }
    }
}

/* Starts a check in a process of its own; false if none could be started. */
static bool start_check(struct watch *watch)
{
    struct check_request request = *watch->request;
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    struct snapshot now = take_snapshot(request.path);
    pid_t self = getpid();
    int pipe_fds[2];

    replace_snapshot(&watch->checked, &now);
    text_clear(&watch->score);
    if (pipe_pair(pipe_fds, &diagnostic) != ERROR_NONE) {
        console_report(&diagnostic);
        return false;
    }
    watch->check = fork();
    if (watch->check == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != self) {
            _exit(EXIT_GRADER);
        }
        sigprocmask(SIG_SETMASK, &watch->before, NULL);
        close(pipe_fds[0]);
        request.score_fd = pipe_fds[1];
        exit(command_check_request(&request));
    }
    descriptor_close(&pipe_fds[1]);
    watch->score_fd = pipe_fds[0];
    if (watch->check < 0) {
        console_complain("environment: no process could be started: %s", strerror(errno));
        descriptor_close(&watch->score_fd);
        watch->check = 0;
        return false;
    }
    return true;
}

/* Ends the running check, which cleans up behind itself. */
static void end_check(struct watch *watch, int signal)
{
    kill(watch->check, signal);
    while (waitpid(watch->check, NULL, 0) < 0 && errno == EINTR) {
    }
    watch->check = 0;
    descriptor_close(&watch->score_fd);
}

/* Waits for the check. True if it came to its end, false if a signal or a saved file ended it. */
static bool await_check(struct watch *watch)
{
    for (;;) {
        wait_a_moment(watch);
        read_score(watch);
        if (watch->received != 0) {
            end_check(watch, watch->received);
            return false;
        }
        if (waitpid(watch->check, NULL, WNOHANG) == watch->check) {
            read_score(watch);
            descriptor_close(&watch->score_fd);
            watch->check = 0;
            return true;
        }
        if (was_saved(watch)) {
            end_check(watch, SIGTERM);
            return false;
        }
    }
}

static void append_time(struct text *out)
{
    char text[CLOCK_TEXT_MAX];
    time_t now = time(NULL);
    struct tm local;

    if (localtime_r(&now, &local) != NULL && strftime(text, sizeof text, "%H:%M:%S", &local) > 0) {
        text_append(out, text);
    }
}

/* Says what changed since the last check, and keeps this one as the last. */
static void report_change(struct watch *watch)
{
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    struct arena *arena = arena_new();
    struct score_summary summary;
    struct terminal_style style = {.color = console_color(STDOUT_FILENO, watch->request->color),
                                   .columns = console_columns(STDOUT_FILENO)};
    struct text text;

    if (watch->score.length == 0 ||
        score_summary_read(arena, watch->score.bytes, watch->score.length, &summary, &diagnostic) !=
            ERROR_NONE) {
        arena_free(arena); /* the check has said why there is no score */
        return;
    }
    if (watch->has_last) {
        text_init(&text);
        text_append_char(&text, '\n');
        score_change(&watch->last, &summary, &style, &text);
        console_write(STDOUT_FILENO, &text);
        text_release(&text);
    }
    arena_free(watch->last_arena);
    watch->last_arena = arena;
    watch->last = summary;
    watch->has_last = true;
}

/* Waits until a file was saved and then nothing more for a moment. False if a signal came. */
static bool await_save(struct watch *watch)
{
    while (watch->received == 0 && !was_saved(watch)) {
        wait_a_moment(watch);
    }
    bool settled = false;
    while (watch->received == 0 && !settled) {
        struct snapshot earlier = take_snapshot(watch->request->path);
        wait_a_moment(watch);
        struct snapshot later = take_snapshot(watch->request->path);
        settled = folder_state_difference(&earlier.state, &later.state) == NULL;
        arena_free(earlier.arena);
        arena_free(later.arena);
    }
    return watch->received == 0;
}

/* "---- 14:03:12, exercise1_tiled.cu was saved" */
static void report_saved(const struct watch *watch)
{
    struct snapshot now = take_snapshot(watch->request->path);
    const char *path = folder_state_difference(&watch->checked.state, &now.state);
    struct text text;

    text_init(&text);
    text_append(&text, "\n---- ");
    append_time(&text);
    if (path != NULL) {
        const char *name = strrchr(path, '/');
        name = name == NULL ? path : name + 1;
        text_append(&text, ", ");
        text_append_printable(&text, name, strlen(name), false);
        text_append(&text, " was saved");
    }
    text_append(&text, "\n\n");
    console_write(STDOUT_FILENO, &text);
    text_release(&text);
    arena_free(now.arena);
}

static void run(struct watch *watch)
{
    while (watch->received == 0) {
        if (start_check(watch) && await_check(watch)) {
            report_change(watch);
            console_complain("watching %s; Ctrl-C ends it", watch->request->name);
        }
        if (await_save(watch)) {
            report_saved(watch);
        }
    }
}

static void block_signals(struct watch *watch)
{
    sigset_t waited;

    sigemptyset(&waited);
    for (size_t i = 0; i < sizeof ending_signals / sizeof ending_signals[0]; i++) {
        sigaddset(&waited, ending_signals[i]);
    }
    sigprocmask(SIG_BLOCK, &waited, &watch->before);
    watch->signal_fd = signalfd(-1, &waited, SFD_CLOEXEC | SFD_NONBLOCK);
}

int command_watch(const struct options *options)
{
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct check_request request;
    int status;

    if (check_request_make(arena, options, &request, &diagnostic) != ERROR_NONE) {
        status = (int)console_report(&diagnostic);
    } else {
        struct watch watch = {.request = &request, .score_fd = -1};
        text_init(&watch.score);
        block_signals(&watch);
        run(&watch);
        status = 128 + watch.received;
        arena_free(watch.checked.arena);
        arena_free(watch.last_arena);
        text_release(&watch.score);
        descriptor_close(&watch.signal_fd);
    }
    arena_free(arena);
    return status;
}
