/* attempt_processes.c: other processes, and what they hand on; see sandbox_probe.h.
 *
 * The facts "process" and "command" are a process of the grader as it is known outside. In a
 * process namespace that number may be somebody else's, so what is said open is checked by its
 * command's name, or by the one who started the sandbox_probe.
 */
#include "sandbox/probe/sandbox_probe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DESCRIPTORS_LOOKED_AT = 1024, DAEMON_SECONDS = 20, SETTLE_US = 100000 };

/* True if the process of that number is the one meant; says held if none is seen. */
static bool is_the_grader(char *const *facts)
{
    char path[64];
    char name[64] = "";

    snprintf(path, sizeof path, "/proc/%ld/comm", fact_number(facts, "process"));
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    ssize_t got = read(fd, name, sizeof name - 1);
    int error = errno;
    close(fd);
    errno = got < 0 ? error : ESRCH;
    name[strcspn(name, "\n")] = '\0';
    return got > 0 && strcmp(name, fact_text(facts, "command")) == 0;
}

void attempt_process_list(char *const *facts)
{
    if (!is_the_grader(facts)) {
        say_held("%s", strerror(errno));
    }
    say_open("sees process %ld, %s", fact_number(facts, "process"), fact_text(facts, "command"));
}

void attempt_process_files(char *const *facts)
{
    static const char *const names[] = {"environ", "maps", "fd/0", "cwd"};
    struct attempts attempts = {.last_error = 0};
    char path[64];
    char byte;

    if (!is_the_grader(facts)) {
        say_held("%s", strerror(errno));
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "/proc/%ld/%s", fact_number(facts, "process"), names[i]);
        if (i >= 2) {
            attempts_add(&attempts, names[i], readlink(path, &byte, 1) < 0 ? errno : 0);
            continue;
        }
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        bool is_read = fd >= 0 && read(fd, &byte, 1) >= 0;
        attempts_add(&attempts, names[i], is_read ? 0 : errno);
        if (fd >= 0) {
            close(fd);
        }
    }
    attempts_say(&attempts);
}

void attempt_signal(char *const *facts)
{
    if (kill((pid_t)fact_number(facts, "process"), SIGUSR2) != 0) {
        say_held("%s", strerror(errno));
    }
    say_open("sent a signal to process %ld", fact_number(facts, "process"));
}

/* Where it succeeds this program is ended too, which tells as much. */
void attempt_supervisor(char *const *facts)
{
    pid_t supervisor = getppid();

    (void)facts;
    if (kill(supervisor, SIGKILL) != 0) {
        say_held("%s", strerror(errno));
    }
    usleep(SETTLE_US);
    if (getppid() != supervisor) {
        say_open("killed process %ld", (long)supervisor);
    }
    say_held("the signal did nothing");
}

void attempt_trace(char *const *facts)
{
    pid_t process = (pid_t)fact_number(facts, "process");

    if (ptrace(PTRACE_SEIZE, process, NULL, NULL) != 0) {
        say_held("%s", strerror(errno));
    }
    say_open("traces process %ld", (long)process); /* until it exits, which is now */
}

void attempt_trace_child(char *const *facts)
{
    int status = 0;
    pid_t child = fork();

    (void)facts;
    if (child == 0) {
        _exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ? 0 : errno);
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        say_broken("no child: %s", strerror(errno));
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        say_held("%s", WIFEXITED(status) ? strerror(WEXITSTATUS(status)) : "the child was killed");
    }
    say_open("a child asked to be traced");
}

/* The fact "address" is where the grader keeps a text; the call, then the file. */
void attempt_foreign_memory(char *const *facts)
{
    struct attempts attempts = {.last_error = 0};
    long process = fact_number(facts, "process");
    unsigned long address = strtoul(fact_text(facts, "address"), NULL, 16);
    char bytes[16];
    struct iovec here = {bytes, sizeof bytes};
    struct iovec there = {(void *)address, sizeof bytes}; // NOLINT(performance-no-int-to-ptr)
    char path[64];

    ssize_t got = process_vm_readv((pid_t)process, &here, 1, &there, 1, 0);
    attempts_add(&attempts, "process_vm_readv", got < 0 ? errno : 0);
    snprintf(path, sizeof path, "/proc/%ld/mem", process);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool is_read = fd >= 0 && pread(fd, bytes, sizeof bytes, (off_t)address) > 0;
    attempts_add(&attempts, "/proc/N/mem", is_read ? 0 : errno);
    if (fd >= 0) {
        close(fd);
    }
    attempts_say(&attempts);
}

/* Any variable is too much but those that the sandbox sets. */
void attempt_environment(char *const *facts)
{
    static const char *const fine[] = {
        "PATH=", "LANG=", "LC_ALL=", "TMPDIR=", "PWD=", "LD_LIBRARY_PATH="};
    struct attempts attempts = {.last_error = ENOENT};

    (void)facts;
    for (size_t i = 0; environ[i] != NULL; i++) {
        bool is_fine = false;
        char name[64];
        for (size_t k = 0; k < sizeof fine / sizeof fine[0]; k++) {
            is_fine = is_fine || strncmp(environ[i], fine[k], strlen(fine[k])) == 0;
        }
        snprintf(name, sizeof name, "%.*s", (int)strcspn(environ[i], "="), environ[i]);
        if (!is_fine) {
            attempts_add(&attempts, name, 0);
        }
    }
    if (attempts.open[0] == '\0') {
        say_held("nothing found");
    }
    attempts_say(&attempts);
}

void attempt_descriptors(char *const *facts)
{
    struct attempts attempts = {.last_error = 0};
    char number[16];

    (void)facts;
    for (int fd = STDERR_FILENO + 1; fd < DESCRIPTORS_LOOKED_AT; fd++) {
        if (fcntl(fd, F_GETFD) >= 0) {
            snprintf(number, sizeof number, "%d", fd);
            attempts_add(&attempts, number, 0);
        }
    }
    if (attempts.open[0] == '\0') {
        say_held("nothing found");
    }
    attempts_say(&attempts);
}

/* What stays: it holds a lock on a file that is seen outside, and gives up by itself. */
static void stay(const char *path, int ready_fd)
{
    char text[32];

    setsid();
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    if (fork() != 0) {
        _exit(EXIT_SUCCESS);
    }
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    bool is_locked = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;
    int length = snprintf(text, sizeof text, "%ld\n", (long)getpid());
    bool is_ready = is_locked && write(fd, text, (size_t)length) == length;
    if (write(ready_fd, is_ready ? "y" : "n", 1) == 1) {
        for (int other = 0; other < DESCRIPTORS_LOOKED_AT; other++) {
            if (other != fd) {
                close(other);
            }
        }
        sleep(DAEMON_SECONDS);
    }
    _exit(EXIT_SUCCESS);
}

void attempt_daemon(char *const *facts)
{
    int ready[2];
    char answer = 'n';
    char path[4096];

    snprintf(path, sizeof path, "%s/alive", fact_text(facts, "folder"));
    if (pipe2(ready, O_CLOEXEC) != 0) {
        say_broken("no pipe: %s", strerror(errno));
    }
    pid_t child = fork();
    if (child == 0) {
        stay(path, ready[1]);
    }
    close(ready[1]);
    if (child < 0 || read(ready[0], &answer, 1) != 1 || answer != 'y') {
        say_broken("no process keeps running: %s", strerror(errno));
    }
    say_open("a process keeps running");
}
