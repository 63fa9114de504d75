/* sandbox_files.c: see sandbox_files.h. */
#include "sandbox/sandbox_files.h"

#include "base/clock.h"
#include "base/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

enum { DEPTH_MAX = 48, ENTRY_BYTES = 4096, BLOCK_BYTES = 512 };
enum { SLACK_PARTS = 64, SLACK_BYTES = 65536 };

/* A look costs processor time; the next one waits that often as long, so that looking takes two
 * percent at most. */
enum { PAUSE_FACTOR = 50 };
#define PAUSE_MIN_NS (20 * (uint64_t)CLOCK_NS_PER_MS)

/* Folders that are open, from the top to where the walk is. */
struct walk {
    DIR *open[DEPTH_MAX];
    int depth;
    uint64_t bytes;
    uint64_t stop_bytes;
};

/* Opens a folder below the one the walk is in; too deep a tree counts as too much. */
static void descend(struct walk *walk, const char *name)
{
    if (walk->depth == DEPTH_MAX) {
        walk->bytes = UINT64_MAX;
        return;
    }
    int fd = openat(dirfd(walk->open[walk->depth - 1]), name,
                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    DIR *folder = fd < 0 ? NULL : fdopendir(fd);
    if (folder == NULL) {
        if (fd >= 0) {
            close(fd);
        }
        return; /* gone again, or closed to us */
    }
    walk->open[walk->depth++] = folder;
}

static void count_entry(struct walk *walk, const char *name)
{
    struct stat status;

    if (fstatat(dirfd(walk->open[walk->depth - 1]), name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        return;
    }
    uint64_t bytes = (uint64_t)status.st_blocks * BLOCK_BYTES;
    bytes = bytes < ENTRY_BYTES ? ENTRY_BYTES : bytes;
    if (__builtin_add_overflow(walk->bytes, bytes, &walk->bytes)) {
        walk->bytes = UINT64_MAX;
    }
    if (S_ISDIR(status.st_mode)) {
        descend(walk, name);
    }
}

uint64_t sandbox_files_sum(const char *folder, uint64_t stop_bytes)
{
    struct walk walk = {.stop_bytes = stop_bytes};

    walk.open[0] = opendir(folder);
    walk.depth = walk.open[0] != NULL ? 1 : 0;
    while (walk.depth > 0) {
        const struct dirent *entry = readdir(walk.open[walk.depth - 1]);
        if (entry == NULL || walk.bytes > stop_bytes) {
            closedir(walk.open[--walk.depth]);
        } else if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            count_entry(&walk, entry->d_name);
        }
    }
    return walk.bytes;
}

static void add_folder(struct sandbox_files *files, struct arena *arena, const char *folder)
{
    for (size_t i = 0; i < files->folder_count; i++) {
        if (strcmp(files->folders[i], folder) == 0) {
            return; /* the same one under two names */
        }
    }
    files->folders[files->folder_count++] = arena_strdup(arena, folder);
}

/* What a file system needs besides the bytes of a file is not held against the program. */
static uint64_t slack_bytes(uint64_t limit_bytes)
{
    return limit_bytes / SLACK_PARTS + SLACK_BYTES;
}

uint64_t sandbox_files_room(uint64_t limit_bytes)
{
    uint64_t room;

    if (__builtin_add_overflow(limit_bytes, 2 * slack_bytes(limit_bytes), &room)) {
        room = INT64_MAX;
    }
    return room / ENTRY_BYTES * ENTRY_BYTES; /* in whole pages, as the kernel counts */
}

/* Adds up removed files and all folders, but neither much further than the limit. In this order a
 * file that is removed meanwhile is not counted twice. */
static uint64_t sum_files(const struct sandbox_files *files)
{
    uint64_t bytes = 0;
    uint64_t stop_bytes;

    if (__builtin_add_overflow(sandbox_files_room(files->limit_bytes), files->before_bytes,
                               &stop_bytes)) {
        stop_bytes = UINT64_MAX;
    }
    if (files->supervisor > 0) {
        bytes = sandbox_removed_sum(files->removed, files->uid, files->supervisor, stop_bytes);
    }
    for (size_t i = 0; i < files->folder_count; i++) {
        uint64_t more = sandbox_files_sum(files->folders[i], stop_bytes);
        bytes = more > UINT64_MAX - bytes ? UINT64_MAX : bytes + more;
    }
    return bytes;
}

void sandbox_files_init(struct sandbox_files *files, struct arena *arena,
                        const struct sandbox_spec *spec)
{
    *files = (struct sandbox_files){
        .limit_bytes = spec->limits.file_bytes,
        .memory_fd = -1,
        .removed = sandbox_removed_new(arena),
        .next_ns = UINT64_MAX,
    };
    for (size_t i = 0; i < spec->mount_count; i++) {
        if (spec->mounts[i].writable) {
            add_folder(files, arena, spec->mounts[i].source);
        }
    }
    if (spec->temporary_folder != NULL) {
        add_folder(files, arena, spec->temporary_folder);
    }
    if (files->folder_count > 0) {
        files->next_ns = 0;
        files->before_bytes = sum_files(files);
    }
}

void sandbox_files_reach(struct sandbox_files *files, pid_t program)
{
    char path[64];
    struct statfs status;

    snprintf(path, sizeof path, "/proc/%ld/root/tmp", (long)program);
    int fd = program > 0 ? open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    /* Whatever is called so now, only a folder of the size that was asked for is the program's. */
    uint64_t size = fd >= 0 && fstatfs(fd, &status) == 0 && status.f_type == TMPFS_MAGIC
                        ? (uint64_t)status.f_blocks * (uint64_t)status.f_bsize
                        : 0;
    if (size != sandbox_files_room(files->limit_bytes)) {
        descriptor_close(&fd);
        return;
    }
    files->memory_fd = fd;
    files->next_ns = 0;
}

void sandbox_files_follow(struct sandbox_files *files, pid_t supervisor, uid_t uid)
{
    files->supervisor = supervisor;
    files->uid = uid;
    files->next_ns = 0;
}

void sandbox_files_unfollow(struct sandbox_files *files)
{
    files->supervisor = 0;
}

static uint64_t bytes_in_memory(int fd)
{
    struct statfs status;

    if (fstatfs(fd, &status) != 0 || status.f_bfree > status.f_blocks) {
        return 0;
    }
    return (uint64_t)(status.f_blocks - status.f_bfree) * (uint64_t)status.f_bsize;
}

/* Not wall time: on a busy machine, where a look takes long, a program would have longer too. */
static uint64_t thread_time_ns(void)
{
    struct timespec time = {0};

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (uint64_t)time.tv_sec * CLOCK_NS_PER_S + (uint64_t)time.tv_nsec;
}

void sandbox_files_look(struct sandbox_files *files, bool now)
{
    uint64_t begin_ns = thread_time_ns();
    bool is_time = files->next_ns != UINT64_MAX && (now || clock_now_ns() >= files->next_ns);

    if (!is_time) {
        return;
    }
    uint64_t bytes = sum_files(files);
    bytes = bytes > files->before_bytes ? bytes - files->before_bytes : 0;
    if (files->memory_fd >= 0) {
        uint64_t more = bytes_in_memory(files->memory_fd);
        bytes = more > UINT64_MAX - bytes ? UINT64_MAX : bytes + more;
    }
    files->written_bytes = bytes > files->written_bytes ? bytes : files->written_bytes;
    uint64_t pause_ns = (thread_time_ns() - begin_ns) * PAUSE_FACTOR;
    files->next_ns = clock_now_ns() + (pause_ns < PAUSE_MIN_NS ? PAUSE_MIN_NS : pause_ns);
}

bool sandbox_files_over(const struct sandbox_files *files)
{
    return files->written_bytes > files->limit_bytes &&
           files->written_bytes - files->limit_bytes > slack_bytes(files->limit_bytes);
}

void sandbox_files_release(struct sandbox_files *files)
{
    descriptor_close(&files->memory_fd);
    files->next_ns = UINT64_MAX;
}
