/* sandbox_removed.c: see sandbox_removed.h.
 *
 * Processes are found generation by generation in a list; what they hold open goes into a table of
 * device and inode, where each file is counted when it is put in. The list, the table and the
 * descriptors of one look are bounded by more than a program may have (64 tasks with 256 each, if
 * its rubric does not say otherwise).
 */
#include "sandbox/sandbox_removed.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"

enum { PROCESSES_MAX = 4096, DESCRIPTORS_MAX = 1 << 18 };
enum { FILES_MAX = 4096, PLACES = 2 * FILES_MAX }; /* the table is never more than half full */
enum { PAGE_BYTES = 4096, BLOCK_BYTES = 512 };

struct file {
    uint64_t device, inode;
    bool is_known;
};

struct sandbox_removed {
    uint64_t memory_device; /* of files that are in memory only; 0: not known */
    uint64_t bytes;
    uint64_t stop_bytes;
    bool was_denied;    /* a descriptor may not be looked at */
    size_t descriptors; /* how many were looked at */
    size_t process_count;
    size_t file_count;
    pid_t processes[PROCESSES_MAX]; /* [process_count] */
    struct file files[PLACES];
};

struct sandbox_removed *sandbox_removed_new(struct arena *arena)
{
    struct sandbox_removed *removed = arena_alloc(arena, sizeof *removed);
    struct stat status;
    int fd = memfd_create("gpugrade-memory", MFD_CLOEXEC);

    memset(removed, 0, sizeof *removed);
    if (fd >= 0) {
        removed->memory_device = fstat(fd, &status) == 0 ? (uint64_t)status.st_dev : 0;
        close(fd);
    }
    return removed;
}

/* Puts a file into the table; false if it is there. */
static bool is_new(struct sandbox_removed *removed, const struct stat *status)
{
    const struct file file = {(uint64_t)status->st_dev, (uint64_t)status->st_ino, true};
    size_t place = (size_t)((file.inode + file.device) % PLACES);

    while (removed->files[place].is_known) {
        if (removed->files[place].inode == file.inode &&
            removed->files[place].device == file.device) {
            return false;
        }
        place = (place + 1) % PLACES;
    }
    removed->files[place] = file;
    removed->file_count++;
    return true;
}

static void count_file(struct sandbox_removed *removed, const struct stat *status)
{
    uint64_t bytes = (uint64_t)status->st_blocks * BLOCK_BYTES;

    if (!S_ISREG(status->st_mode) || status->st_nlink != 0 ||
        (uint64_t)status->st_dev == removed->memory_device || !is_new(removed, status)) {
        return;
    }
    bytes = bytes < PAGE_BYTES ? PAGE_BYTES : bytes;
    if (removed->file_count == FILES_MAX ||
        __builtin_add_overflow(removed->bytes, bytes, &removed->bytes)) {
        removed->bytes = UINT64_MAX;
    }
}

static bool goes_on(const struct sandbox_removed *removed)
{
    return removed->bytes <= removed->stop_bytes && removed->bytes != UINT64_MAX &&
           removed->descriptors < DESCRIPTORS_MAX;
}

static void look_at_descriptors(struct sandbox_removed *removed, pid_t process, const char *thread)
{
    char path[64];
    struct stat status;

    snprintf(path, sizeof path, "/proc/%ld/task/%.20s/fd", (long)process, thread);
    DIR *descriptors = opendir(path);
    if (descriptors == NULL) {
        return; /* gone again, or closed to us */
    }
    const struct dirent *entry = readdir(descriptors);
    while (entry != NULL && goes_on(removed)) {
        removed->descriptors++;
        if (fstatat(dirfd(descriptors), entry->d_name, &status, 0) == 0) {
            count_file(removed, &status);
        } else if (errno == EACCES) {
            removed->was_denied = true;
        }
        entry = readdir(descriptors);
    }
    closedir(descriptors);
}

/* Adds the processes that a thread has started, or adopted, to the list. */
static void find_children(struct sandbox_removed *removed, pid_t process, const char *thread)
{
    char path[64];
    char child[32];

    snprintf(path, sizeof path, "/proc/%ld/task/%.20s/children", (long)process, thread);
    FILE *children = fopen(path, "re");
    if (children == NULL) {
        return;
    }
    while (removed->process_count < PROCESSES_MAX && fscanf(children, "%31s", child) == 1) {
        long long number;
        if (text_to_integer(child, 1, INT_MAX, &number)) {
            removed->processes[removed->process_count++] = (pid_t)number;
        }
    }
    fclose(children);
}

/* Looks at all threads of a process; of the ancestor only for its children. */
static void look_at_process(struct sandbox_removed *removed, pid_t process, bool is_ancestor)
{
    char path[64];

    snprintf(path, sizeof path, "/proc/%ld/task", (long)process);
    DIR *threads = opendir(path);
    if (threads == NULL) {
        return;
    }
    for (const struct dirent *entry = readdir(threads); entry != NULL; entry = readdir(threads)) {
        if (entry->d_name[0] == '.') {
            continue;
        }
        find_children(removed, process, entry->d_name);
        if (!is_ancestor) {
            look_at_descriptors(removed, process, entry->d_name);
        }
    }
    closedir(threads);
}

static uint64_t look(struct sandbox_removed *removed, pid_t ancestor)
{
    if (removed->file_count > 0) {
        memset(removed->files, 0, sizeof removed->files);
    }
    removed->bytes = removed->descriptors = removed->file_count = 0;
    removed->was_denied = false;
    removed->processes[0] = ancestor;
    removed->process_count = 1;
    for (size_t i = 0; i < removed->process_count && goes_on(removed); i++) {
        look_at_process(removed, removed->processes[i], i == 0);
    }
    return removed->bytes;
}

/* Looks as the run's user, in a process of its own: this one would lose its death signal. It stays
 * root's but for what it looks at, so the program cannot reach it. */
static uint64_t look_as(struct sandbox_removed *removed, uid_t uid, pid_t ancestor)
{
    uint64_t bytes = 0;
    int pair[2];

    if (pipe2(pair, O_CLOEXEC) != 0) {
        return 0;
    }
    pid_t child = fork();
    if (child == 0) {
        setfsgid(uid);
        setfsuid(uid);
        bytes = look(removed, ancestor);
        _exit(write(pair[1], &bytes, sizeof bytes) == (ssize_t)sizeof bytes ? 0 : 1);
    }
    close(pair[1]);
    if (read(pair[0], &bytes, sizeof bytes) != (ssize_t)sizeof bytes) {
        bytes = 0;
    }
    close(pair[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
    return bytes;
}

uint64_t sandbox_removed_sum(struct sandbox_removed *removed, uid_t uid, pid_t ancestor,
                             uint64_t stop_bytes)
{
    removed->stop_bytes = stop_bytes;
    uint64_t bytes = look(removed, ancestor);
    if (!removed->was_denied || uid == 0 || geteuid() != 0) {
        return bytes;
    }
    uint64_t more = look_as(removed, uid, ancestor);
    return more > bytes ? more : bytes;
}
