/* jail_breaker.c: tries to leave the sandbox; test_jail.c runs it inside.
 *
 *   calls SCOPES        every call of denied_calls.def whose scope is in SCOPES; says which of them
 *                       did not fail as the table has it
 *   newer               calls that are newer than the table
 *   foreign x32|i386    a call of another interface; it does not come back
 *   honest              what programs and compilers need; says what fails
 *   open PATH...        tries to read each and to write to it or in it; says what it could
 *   kill PID...         tries to end each
 *   bomb WORD           forks without end
 *   hide WORD           leaves a process of that name behind in each way that there is
 */
#include "sandbox/jail.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SIOCSPGRP
#define SIOCSPGRP 0x8902
#endif
#define UPPER_BITS (UINT64_C(1) << 32)

enum condition_kind { ANY, EQUAL, DIFFERENT, OTHER };

struct row {
    const char *call;
    unsigned scope;
    int error;
    enum condition_kind kind;
    unsigned argument;
    uint64_t mask, value;
};

#define IF_BITS(argument, bits) EQUAL, argument, bits, bits
#define IF_FIELD(argument, mask, value) EQUAL, argument, mask, value
#define IF_OTHER(argument, value) DIFFERENT, argument, 0, value
#define IF_OTHER_PROCESS(argument) OTHER, argument, 0, 0
#define DENIED_CALL(call, scope, error, reason) {#call, JAIL_SCOPE_##scope, error, ANY, 0, 0, 0},
#define DENIED_IF(call, scope, error, condition, reason)                                           \
    {#call, JAIL_SCOPE_##scope, error, condition},

static const struct row rows[] = {
#include "sandbox/denied_calls.def"
};

static int errno_of_call(long number, const uint64_t *words)
{
    errno = 0;
    long result = syscall(number, words[0], words[1], words[2], words[3], words[4], words[5]);
    return result == -1 ? errno : 0;
}

static void try_row(const struct row *row, uint64_t extra)
{
    uint64_t words[6] = {0};
    int number = seccomp_syscall_resolve_name(row->call);

    if (number < 0) {
        return;
    }
    if (row->kind == EQUAL) {
        words[row->argument] = row->value | extra;
    } else if (row->kind == DIFFERENT) {
        words[row->argument] = row->value + 1;
    } else if (row->kind == OTHER) {
        words[row->argument] = (uint64_t)getppid();
    }
    int error = errno_of_call(number, words);
    if (error != row->error) {
        printf("%s: %s, not %s\n", row->call, strerror(error), strerror(row->error));
    }
}

static void try_calls(unsigned scopes)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        bool is_wide = false;
        /* A later row of the same call may answer in its place. */
        for (size_t j = 0; j < sizeof rows / sizeof rows[0]; j++) {
            is_wide = is_wide || (j != i && (rows[j].scope & scopes) != 0 && rows[j].kind == ANY &&
                                  strcmp(rows[j].call, row->call) == 0);
        }
        if ((row->scope & scopes) == 0 || (is_wide && row->kind != ANY)) {
            continue;
        }
        try_row(row, 0);
        if (row->kind == EQUAL) {
            try_row(row, UPPER_BITS); /* the kernel would not look at them */
        }
    }
    puts("tried");
}

static void try_newer(void)
{
    static const long newer[] = {451, 462, 466, 512, 1000};
    const uint64_t words[6] = {0};

    for (size_t i = 0; i < sizeof newer / sizeof newer[0]; i++) {
        if (errno_of_call(newer[i], words) != ENOSYS) {
            printf("call %ld: %s\n", newer[i], strerror(errno));
        }
    }
    puts("tried");
}

static void try_foreign(const char *which)
{
#if defined(__x86_64__)
    enum { X32 = 0x40000000, I386_GETPID = 20 };
    if (strcmp(which, "x32") == 0) {
        syscall(X32 + SYS_getpid);
    } else {
        long result = I386_GETPID;
        __asm__ volatile("int $0x80" : "+a"(result) : : "memory");
    }
    puts("came back");
#else
    (void)which;
    raise(SIGSYS); /* there is no other interface */
#endif
}

static void *run_thread(void *argument)
{
    *(int *)argument = 1;
    return NULL;
}

static void expect(bool good, const char *what)
{
    if (!good) {
        printf("%s: %s\n", what, strerror(errno));
    }
}

static void try_honest(void)
{
    int pair[2];
    int started = 0;
    int status = 1;
    pthread_t thread;
    struct rlimit limit;

    expect(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0, "socketpair");
    expect(pipe(pair) == 0, "pipe");
    expect(pthread_create(&thread, NULL, run_thread, &started) == 0 &&
               pthread_join(thread, NULL) == 0 && started == 1,
           "thread");
    pid_t child = fork();
    if (child == 0) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(2);
    }
    expect(child > 0 && waitpid(child, &status, 0) == child && status == 0, "fork and exec");
    expect(getrlimit(RLIMIT_NOFILE, &limit) == 0, "getrlimit");
    expect(kill(getpid(), 0) == 0, "kill of itself");
    expect(syscall(SYS_personality, 0xffffffffUL) != -1, "personality");
    expect(mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
               MAP_FAILED,
           "mmap");
    expect(access("/proc/self/maps", R_OK) == 0, "/proc/self/maps");
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    expect(null >= 0 && write(null, "x", 1) == 1, "/dev/null");
    puts("tried");
}

static void try_open(const char *path)
{
    char inside[512];
    struct stat status;
    char byte;

    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0 && (read(fd, &byte, 1) >= 0 || errno == EISDIR)) {
        printf("read %s\n", path);
    }
    fd = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0) {
        printf("opened %s for writing\n", path);
    }
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        snprintf(inside, sizeof inside, "%s/gpugrade-jail-breaker", path);
        fd = open(inside, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (fd >= 0) {
            printf("made %s\n", inside);
        }
    }
}

static void bomb(void)
{
    for (;;) {
        fork();
    }
}

/* Becomes a process named by the word, which the test can find. */
static void stay(const char *word)
{
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    prctl(PR_SET_PDEATHSIG, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    execl("/bin/sleep", "sleep", word, (char *)NULL);
    _exit(1);
}

static void hide(const char *word)
{
    for (int way = 0; way < 4; way++) {
        pid_t child = fork();
        if (child == 0) {
            if ((way & 1) != 0) {
                setsid();
            }
            if ((way & 2) != 0 && fork() != 0) {
                _exit(0);
            }
            stay(word);
        }
    }
    puts("hidden");
    fflush(stdout);
    usleep(20000);
}

int main(int argc, char **argv)
{
    const char *verb = argc > 1 ? argv[1] : "";

    setvbuf(stdout, NULL, _IOLBF, 0);
    if (strcmp(verb, "calls") == 0 && argc == 3) {
        try_calls((unsigned)strtoul(argv[2], NULL, 10));
    } else if (strcmp(verb, "newer") == 0) {
        try_newer();
    } else if (strcmp(verb, "foreign") == 0 && argc == 3) {
        try_foreign(argv[2]);
    } else if (strcmp(verb, "honest") == 0) {
        try_honest();
    } else if (strcmp(verb, "open") == 0) {
        for (int i = 2; i < argc; i++) {
            try_open(argv[i]);
        }
        puts("tried");
    } else if (strcmp(verb, "kill") == 0) {
        for (int i = 2; i < argc; i++) {
            kill((pid_t)strtol(argv[i], NULL, 10), SIGKILL);
        }
        puts("tried");
    } else if (strcmp(verb, "bomb") == 0) {
        bomb();
    } else if (strcmp(verb, "hide") == 0 && argc == 3) {
        hide(argv[2]);
    } else {
        return 2;
    }
    return 0;
}
