/* limit_breaker.c: a program that breaks one limit of the sandbox, for test_limits.c.
 *
 * limit_breaker WHAT [NUMBER [NUMBER]]; the table at the end names what it can do.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MIB = 1 << 20, BLOCK = 1 << 16 };

/* What is too much is held until the grader, which on a busy machine may look only a few times in a
 * second, has seen it; what is allowed, for some of its looks. */
enum { ALLOWED_MIB = 4, HOLD_US = 600000, HOLD_TOO_MUCH_US = 50 * 1000000 };

static void hold(long mib)
{
    usleep(mib > ALLOWED_MIB ? HOLD_TOO_MUCH_US : HOLD_US);
}

static void touch(char *bytes, long size)
{
    for (long i = 0; i < size; i += 4096) {
        bytes[i] = 1;
    }
}

/* A process that holds memory, as long as the others need to have theirs too: it closes its end of
 * a pipe and reads from another one. */
static void hold_memory(long mib, const int has_it[2], const int all_have_it[2])
{
    char byte;
    char *bytes = malloc((size_t)mib * MIB);

    if (bytes == NULL) {
        _exit(4);
    }
    touch(bytes, mib * MIB);
    close(all_have_it[1]);
    close(has_it[1]);
    _exit(read(all_have_it[0], &byte, 1) == 0 ? 0 : 7);
}

/* `count` processes hold `mib` each at the same time, none of them much. */
static int memory(long count, long mib)
{
    int has_it[2], all_have_it[2];
    int failed = 0;
    int status;
    char byte;

    if (pipe(has_it) != 0 || pipe(all_have_it) != 0) {
        return 7;
    }
    for (long i = 0; i < count; i++) {
        if (fork() == 0) {
            hold_memory(mib, has_it, all_have_it);
        }
    }
    close(has_it[1]);
    failed = read(has_it[0], &byte, 1) != 0; /* each has it, or has been killed */
    close(all_have_it[1]);
    while (wait(&status) > 0) {
        failed |= status != 0;
    }
    return failed ? 5 : 0;
}

/* Memory that RLIMIT_DATA does not count. */
static int shared_memory(long mib, long unused)
{
    (void)unused;
    char *bytes =
        mmap(NULL, (size_t)mib * MIB, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (bytes == MAP_FAILED) {
        return 4;
    }
    touch(bytes, mib * MIB);
    return 0;
}

/* `count` processes at once, with this one. */
static int tasks(long count, long unused)
{
    (void)unused;
    for (long i = 1; i < count; i++) {
        pid_t child = fork();
        if (child < 0) {
            return 6;
        }
        if (child == 0) {
            pause();
        }
    }
    return 0;
}

static int bomb(long unused, long unused_too)
{
    (void)unused;
    (void)unused_too;
    while (fork() >= -1) {
    }
    return 0;
}

static int write_file(const char *name, long mib, int removed)
{
    static char block[BLOCK];
    int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

    if (fd < 0) {
        return 0;
    }
    if (removed) {
        unlink(name);
    }
    memset(block, 'x', sizeof block);
    for (long i = 0; i < mib * (MIB / BLOCK); i++) {
        if (write(fd, block, sizeof block) != (ssize_t)sizeof block) {
            return 0;
        }
    }
    return 1; /* the file stays open */
}

/* Files of a size that alone would be allowed, in folders below TMPDIR. */
static int files(long count, long mib)
{
    const char *folder = getenv("TMPDIR");
    char name[64];

    if (chdir(folder != NULL ? folder : "/tmp") != 0) {
        return 7;
    }
    int status = 0;
    for (long i = 0; i < count && status == 0; i++) {
        snprintf(name, sizeof name, "folder-%ld", i);
        if (mkdir(name, 0700) != 0 || chdir(name) != 0 || !write_file("data", mib, 0)) {
            status = 8; /* a folder in memory is full a little later than the limit */
        }
    }
    hold(count * mib);
    return status;
}

/* Writes files without end, whether it is refused or not. */
static int filler(long mib, long unused)
{
    const char *folder = getenv("TMPDIR");
    char name[64];

    (void)unused;
    if (chdir(folder != NULL ? folder : "/tmp") != 0) {
        return 7;
    }
    for (unsigned i = 0; write_file("data", mib, 0) >= 0; i++) {
        snprintf(name, sizeof name, "data-%u", i);
        rename("data", name);
        usleep(1000);
    }
    return 0;
}

static int removed_files(long count, long mib)
{
    const char *folder = getenv("TMPDIR");
    int status = 0;

    if (chdir(folder != NULL ? folder : "/tmp") != 0) {
        return 7;
    }
    for (long i = 0; i < count && status == 0; i++) {
        status = write_file("data", mib, 1) ? 0 : 8;
        usleep(HOLD_US / 12); /* so that some are seen before others */
    }
    hold(count * mib); /* what they hold is free again at the end */
    return status;
}

/* The same, held by the child of an orphan while this process waits. */
static int orphaned_files(long count, long mib)
{
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            if (fork() == 0) {
                _exit(removed_files(count, mib));
            }
            wait(NULL);
        }
        _exit(0);
    }
    wait(NULL);
    hold(count * mib);
    return 0;
}

struct amount {
    long count, mib;
};

static int hold_in_thread(void *argument)
{
    const struct amount *amount = argument;

    return removed_files(amount->count, amount->mib);
}

/* The same, held by a thread with descriptors of its own. */
static int thread_files(long count, long mib)
{
    static char stack[BLOCK] __attribute__((aligned(16)));
    struct amount amount = {count, mib};

    if (clone(hold_in_thread, stack + sizeof stack, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD,
              &amount) < 0) {
        return 8;
    }
    hold(count * mib);
    return 0;
}

/* One removed file that `count` processes hold open. */
static int shared_file(long count, long mib)
{
    int status = removed_files(1, mib);

    for (long i = 1; i < count; i++) {
        if (fork() == 0) {
            usleep(200000);
            _exit(0);
        }
    }
    while (wait(NULL) > 0) {
    }
    return status;
}

/* Files in memory, which have no name. */
static int memory_files(long count, long mib)
{
    static char block[BLOCK];

    for (long i = 0; i < count; i++) {
        int fd = memfd_create("data", MFD_CLOEXEC);
        for (long j = 0; j < mib * (MIB / BLOCK); j++) {
            if (write(fd, block, sizeof block) != (ssize_t)sizeof block) {
                return 8;
            }
        }
    }
    usleep(200000);
    return 0;
}

static int stopped(long unused, long unused_too)
{
    (void)unused;
    (void)unused_too;
    raise(SIGSTOP);
    return 0;
}

/* Ignores what can be ignored, in a session of its own, with a child like it. */
static int stubborn(long unused, long unused_too)
{
    (void)unused;
    (void)unused_too;
    for (int i = 1; i < NSIG; i++) {
        signal(i, SIG_IGN);
    }
    if (fork() == 0) {
        setsid();
    }
    while (pause() < 0) {
    }
    return 0;
}

/* Ends, but a grandchild holds the pipes. */
static int holder(long unused, long unused_too)
{
    (void)unused;
    (void)unused_too;
    if (fork() == 0) {
        setsid();
        if (fork() == 0) {
            while (pause() < 0) {
            }
        }
        _exit(0);
    }
    usleep(20000);
    return 0;
}

static int processor_time(long count, long unused)
{
    (void)unused;
    for (long i = 1; i < count; i++) {
        if (fork() == 0) {
            break;
        }
    }
    for (volatile int i = 0; i >= 0; i = (i + 1) % BLOCK) {
    }
    return 0;
}

/* Kills whatever it may, its supervisor first. */
static int killer(long unused, long unused_too)
{
    (void)unused;
    (void)unused_too;
    if (fork() == 0) {
        setsid();
        pause();
    }
    kill(getppid(), SIGSTOP);
    kill(getppid(), SIGKILL);
    kill(-1, SIGKILL);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*act)(long first, long second);
    } acts[] = {
        {"memory", memory},
        {"shared-memory", shared_memory},
        {"tasks", tasks},
        {"bomb", bomb},
        {"files", files},
        {"removed-files", removed_files},
        {"orphaned-files", orphaned_files},
        {"thread-files", thread_files},
        {"shared-file", shared_file},
        {"memory-files", memory_files},
        {"filler", filler},
        {"stopped", stopped},
        {"stubborn", stubborn},
        {"holder", holder},
        {"processor-time", processor_time},
        {"killer", killer},
    };

    for (size_t i = 0; argc > 1 && i < sizeof acts / sizeof acts[0]; i++) {
        if (strcmp(acts[i].name, argv[1]) == 0) {
            return acts[i].act(argc > 2 ? strtol(argv[2], NULL, 10) : 0,
                               argc > 3 ? strtol(argv[3], NULL, 10) : 0);
        }
    }
    return 9;
}
