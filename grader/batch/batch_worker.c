/* batch_worker.c: see batch_worker.h. */
#include "batch/batch_worker.h"

#include "base/clock.h"
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    WORKER_FD = 3,
    GRACE_S = 10, /* from SIGTERM to SIGKILL: it removes what it has made */
    RECEIVED_BYTES_MAX = 1 << 30,
    EXIT_TROUBLE = 3,
};

/* Closes every descriptor above the worker's, whatever the batch has open. */
static void close_others(void)
{
    if (syscall(SYS_close_range, WORKER_FD + 1, ~0u, 0) != 0) {
        long last = sysconf(_SC_OPEN_MAX);
        for (int fd = WORKER_FD + 1; fd < last; fd++) {
            close(fd);
        }
    }
}

/* What the worker does; never returns. */
static void work(const struct batch_config *config, const struct store_task *task, int fd,
                 const sigset_t *mask, pid_t batch)
{
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    setpgid(0, 0);
    if (getppid() != batch || (fd != WORKER_FD && dup3(fd, WORKER_FD, O_CLOEXEC) < 0)) {
        _exit(EXIT_TROUBLE);
    }
    close_others();
    sigprocmask(SIG_SETMASK, mask, NULL);
    exit(config->grade(config->grade_context, task, WORKER_FD));
}

enum error batch_worker_start(struct batch_worker *worker, const struct batch_config *config,
                              struct queue_item *item, const sigset_t *mask,
                              struct diagnostic *diagnostic)
{
    pid_t batch = getpid();
    int fds[2];
    enum error error = socket_pair(fds, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    *worker = (struct batch_worker){
        .fd = fds[0],
        .started_ns = clock_now_ns(),
        .started = (int64_t)time(NULL),
        .term_ns = UINT64_MAX,
        .kill_ns = UINT64_MAX,
    };
    if (config->limit_s > 0) {
        worker->term_ns = worker->started_ns + config->limit_s * CLOCK_NS_PER_S;
    }
    worker->pid = fork();
    if (worker->pid == 0) {
        work(config, item->task, fds[1], mask, batch);
    }
    int cause = errno;
    descriptor_close(&fds[1]);
    if (worker->pid < 0) {
        descriptor_close(&fds[0]);
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "no process could be started: %s",
                       strerror(cause));
        return ERROR_ENVIRONMENT;
    }
    text_init(&worker->received);
    worker->item = item;
    return ERROR_NONE;
}

void batch_worker_read(struct batch_worker *worker)
{
    char bytes[64 << 10];
    ssize_t length = recv(worker->fd, bytes, sizeof bytes, MSG_DONTWAIT);

    if (length > 0 && worker->received.length < RECEIVED_BYTES_MAX) {
        text_append_bytes(&worker->received, bytes, (size_t)length);
    } else if (length >= 0 || (errno != EINTR && errno != EAGAIN)) {
        descriptor_close(&worker->fd);
    }
}

bool batch_worker_question(struct batch_worker *worker, char out_content[65])
{
    struct text *received = &worker->received;
    const char *end = worker->has_asked ? NULL : memchr(received->bytes, '\n', received->length);

    if (end == NULL ||
        !outcome_read_question(received->bytes, (size_t)(end - received->bytes), out_content)) {
        return false;
    }
    size_t length = (size_t)(end - received->bytes) + 1;
    struct text rest;
    text_init(&rest);
    text_append_bytes(&rest, received->bytes + length, received->length - length);
    text_release(received);
    *received = rest;
    worker->has_asked = true;
    return true;
}

void batch_worker_answer(struct batch_worker *worker, bool is_known)
{
    char answer = is_known ? OUTCOME_KNOWN : OUTCOME_GRADE;

    worker->is_known = is_known;
    while (send(worker->fd, &answer, 1, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
}

void batch_worker_end(struct batch_worker *worker)
{
    kill(worker->pid, SIGTERM);
    worker->term_ns = UINT64_MAX;
    worker->kill_ns = clock_now_ns() + GRACE_S * CLOCK_NS_PER_S;
}

void batch_worker_watch(struct batch_worker *worker)
{
    uint64_t now_ns = clock_now_ns();

    if (now_ns >= worker->term_ns) {
        worker->is_late = true;
        batch_worker_end(worker);
    } else if (now_ns >= worker->kill_ns) {
        kill(-worker->pid, SIGKILL);
        worker->kill_ns = UINT64_MAX;
    }
}

double batch_worker_seconds(const struct batch_worker *worker)
{
    return (double)(clock_now_ns() - worker->started_ns) / (double)CLOCK_NS_PER_S;
}

static const char *describe_end(const struct batch_worker *worker, struct arena *arena, int status)
{
    if (worker->is_late) {
        return arena_printf(arena, "grading it took too long and was stopped after %.0f s",
                            batch_worker_seconds(worker));
    }
    if (WIFSIGNALED(status)) {
        return arena_printf(arena, "the process that graded it was ended by signal %d (%s)",
                            WTERMSIG(status), strsignal(WTERMSIG(status)));
    }
    return arena_printf(arena, "the process that graded it ended without a result (exit status %d)",
                        WEXITSTATUS(status));
}

void batch_worker_outcome(struct batch_worker *worker, struct arena *arena,
                          struct outcome *out_outcome)
{
    int status = 0;

    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (worker->is_late || outcome_read(arena, worker->received.bytes, worker->received.length,
                                        out_outcome, NULL) != ERROR_NONE) {
        *out_outcome = (struct outcome){
            .kind = OUTCOME_TROUBLE,
            .message = describe_end(worker, arena, status),
        };
    }
    memcpy(out_outcome->content, worker->item->content, sizeof out_outcome->content);
}

void batch_worker_release(struct batch_worker *worker)
{
    descriptor_close(&worker->fd);
    text_release(&worker->received);
    *worker = (struct batch_worker){.fd = -1};
}
