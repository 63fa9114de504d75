/* attempt_limits.c: more of everything than the limits allow; see sandbox_probe.h. The facts say
 * how much is tried, which is some times the limit of the run. */
#include "sandbox/probe/sandbox_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TASKS_MAX = 1000, FILES = 6, BLOCK_BYTES = 1 << 16, SETTLE_SECONDS = 2 };
#define STEP_BYTES ((size_t)4 << 20)

static void end_children(const pid_t *children, int count)
{
    for (int i = 0; i < count; i++) {
        kill(children[i], SIGKILL);
        waitpid(children[i], NULL, 0);
    }
}

void attempt_tasks(char *const *facts)
{
    pid_t children[TASKS_MAX] = {0};
    long wanted = fact_number(facts, "tasks");
    int count = 0;
    int error = 0;

    while (count < wanted && count < TASKS_MAX && error == 0) {
        pid_t child = fork();
        if (child == 0) {
            pause();
            _exit(EXIT_SUCCESS);
        }
        if (child < 0) {
            error = errno;
        } else {
            children[count++] = child;
        }
    }
    end_children(children, count);
    if (error != 0) {
        say_held("%d children, then: %s", count, strerror(error));
    }
    say_open("%d children at once", count);
}

/* Takes memory step by step and writes to it; returns how much there was. */
static size_t take_memory(size_t wanted, int kind)
{
    size_t taken = 0;

    while (taken < wanted) {
        char *bytes = mmap(NULL, STEP_BYTES, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);
        if (bytes == MAP_FAILED) {
            return taken;
        }
        memset(bytes, 1, STEP_BYTES);
        taken += STEP_BYTES;
    }
    return taken;
}

static void say_memory(size_t taken, size_t wanted)
{
    if (taken < wanted) {
        say_held("%zu MB, then: %s", taken >> 20, strerror(errno));
    }
    say_open("%zu MB", taken >> 20);
}

void attempt_memory(char *const *facts)
{
    size_t wanted = (size_t)fact_number(facts, "memory");

    say_memory(take_memory(wanted, MAP_PRIVATE), wanted);
}

void attempt_memory_shared(char *const *facts)
{
    size_t wanted = (size_t)fact_number(facts, "memory");

    say_memory(take_memory(wanted, MAP_SHARED), wanted);
}

/* Each child takes a share, says so and holds it. */
void attempt_memory_sum(char *const *facts)
{
    enum { CHILDREN = 4 };
    pid_t children[CHILDREN];
    size_t share = (size_t)fact_number(facts, "memory") / CHILDREN;
    int done[2];
    int holding = 0;
    char byte;

    if (pipe2(done, O_CLOEXEC) != 0) {
        say_broken("no pipe: %s", strerror(errno));
    }
    for (int i = 0; i < CHILDREN; i++) {
        children[i] = fork();
        if (children[i] < 0) {
            say_broken("no child: %s", strerror(errno));
        }
        if (children[i] == 0) {
            close(done[0]);
            if (take_memory(share, MAP_PRIVATE) >= share && write(done[1], "y", 1) == 1) {
                close(done[1]);
                pause();
            }
            _exit(EXIT_SUCCESS);
        }
    }
    close(done[1]);
    while (holding < CHILDREN && read(done[0], &byte, 1) == 1) {
        holding++;
    }
    end_children(children, CHILDREN);
    if (holding < CHILDREN) {
        say_held("%d of %d processes kept %zu MB each", holding, (int)CHILDREN, share >> 20);
    }
    say_open("%d processes with %zu MB each", holding, share >> 20);
}

/* Writes a file in the run's folder; returns 0 or an errno. */
static int write_file(char *const *facts, const char *name, size_t bytes)
{
    static const char block[BLOCK_BYTES];
    char path[4096];
    int error = 0;

    snprintf(path, sizeof path, "%s/%s", fact_text(facts, "folder"), name);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0) {
        say_broken("no file in %s: %s", fact_text(facts, "folder"), strerror(errno));
    }
    for (size_t done = 0; done < bytes && error == 0; done += sizeof block) {
        error = write(fd, block, sizeof block) == (ssize_t)sizeof block ? 0 : errno;
    }
    close(fd);
    return error;
}

void attempt_file_size(char *const *facts)
{
    size_t bytes = (size_t)fact_number(facts, "file");

    signal(SIGXFSZ, SIG_IGN);
    int error = write_file(facts, "large", 3 * bytes);
    if (error != 0) {
        say_held("%s", strerror(error));
    }
    say_open("%zu KB in one file", 3 * bytes >> 10);
}

/* The sum may be looked at only now and then, so it waits to be ended. */
void attempt_files_sum(char *const *facts)
{
    size_t bytes = (size_t)fact_number(facts, "file") - BLOCK_BYTES;
    char name[16];

    for (int i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "part%d", i);
        int error = write_file(facts, name, bytes);
        if (error != 0) {
            say_held("%s after %d files", strerror(error), i);
        }
    }
    if (!fact_is_given(facts, "outside")) {
        sleep(SETTLE_SECONDS);
    }
    say_open("%zu KB in %d files", FILES * bytes >> 10, (int)FILES);
}

void attempt_output(char *const *facts)
{
    char block[BLOCK_BYTES];
    long bytes = fact_number(facts, "output");

    memset(block, '.', sizeof block);
    for (long done = 0; done < bytes; done += BLOCK_BYTES) {
        if (write(STDOUT_FILENO, block, sizeof block) < 0) {
            say_held("%s", strerror(errno));
        }
    }
    say_open("%ld KB", bytes >> 10);
}

void attempt_cpu_time(char *const *facts)
{
    long seconds = fact_number(facts, "seconds");
    struct timespec used = {0, 0};

    while (used.tv_sec < seconds) {
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    }
    say_open("%ld s of CPU time", seconds);
}

void attempt_wall_time(char *const *facts)
{
    long seconds = fact_number(facts, "seconds");

    sleep((unsigned)seconds);
    say_open("slept for %ld s", seconds);
}
