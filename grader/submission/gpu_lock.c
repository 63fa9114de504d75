/* gpu_lock.c: open without following, create if it is not there, flock; see gpu_lock.h.
 *
 * An existing file is opened without O_CREAT, which fs.protected_regular refuses for files of
 * others in folders like /tmp. A new one may be closed to others for a moment, until its maker has
 * changed its mode; whoever comes in between tries again. A lock on a file that has lost its name
 * (cleaners of /tmp) holds nobody off, so it is taken anew.
 */
#include "submission/gpu_lock.h"

#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    UUID_BYTES_MAX = 64,
    NAME_BYTES = UUID_BYTES_MAX + 32,
    TRIES_MAX = 10,
    PAUSE_NS = 10000000, /* between two of them */
    FILE_MODE = 0644
};

static const char folder_default[] = "/tmp";

static const char *lock_folder(void)
{
    const char *folder = getenv("GPUGRADE_LOCKS");

    return folder != NULL && folder[0] != '\0' ? folder : folder_default;
}

/* A UUID is the driver's, but it becomes a file's name. */
static bool lock_name(const char *uuid, char out_name[NAME_BYTES])
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    size_t length = strlen(uuid);

    if (length == 0 || length > UUID_BYTES_MAX || uuid[strspn(uuid, allowed)] != '\0') {
        return false;
    }
    snprintf(out_name, NAME_BYTES, ".gpugrade-%s.lock", uuid);
    return true;
}

static enum error refuse(const char *name, const char *why, struct diagnostic *diagnostic)
{
    diagnostic_set(
        diagnostic, BLAME_ENVIRONMENT,
        "the lock of a GPU, %s/%s, cannot be used: %s; remove it, or name another folder "
        "with GPUGRADE_LOCKS",
        lock_folder(), name, why);
    return ERROR_ENVIRONMENT;
}

/* Opens or makes the file; -1 with errno. */
static int open_lock_file(int folder_fd, const char *name)
{
    int fd = openat(folder_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

    if (fd >= 0 || errno != ENOENT) {
        return fd;
    }
    fd = openat(folder_fd, name, O_RDONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);
    if (fd >= 0) {
        (void)fchmod(fd, FILE_MODE); /* whatever the umask; without it the file serves its owner */
    }
    return fd;
}

static enum error open_regular(int folder_fd, const char *name, int *out_fd,
                               struct diagnostic *diagnostic)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    struct stat status;
    int fd = open_lock_file(folder_fd, name);

    for (int i = 1; fd < 0 && (errno == EEXIST || errno == EACCES) && i < TRIES_MAX; i++) {
        nanosleep(&pause, NULL);
        fd = open_lock_file(folder_fd, name);
    }
    if (fd < 0) {
        return refuse(name, errno == ELOOP ? "it is a link" : strerror(errno), diagnostic);
    }
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        close(fd);
        return refuse(name, "it is not a regular file", diagnostic);
    }
    *out_fd = fd;
    return ERROR_NONE;
}

/* True if the open file is still the one of that name. */
static bool still_named(int folder_fd, const char *name, int fd)
{
    struct stat held, named;

    return fstat(fd, &held) == 0 && fstatat(folder_fd, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

/* 0, or errno. */
static int lock_now(int fd, enum gpu_lock_kind kind)
{
    int operation = (kind == GPU_LOCK_EXCLUSIVE ? LOCK_EX : LOCK_SH) | LOCK_NB;

    while (flock(fd, operation) != 0) {
        if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

/* Opens the file, locks it, and does so again if its name was taken from it meanwhile. */
static enum error lock_in_folder(int folder_fd, const char *name, enum gpu_lock_kind kind,
                                 struct gpu_lock *out_lock, bool *out_held,
                                 struct diagnostic *diagnostic)
{
    for (int i = 0; i < TRIES_MAX; i++) {
        int fd = -1;
        enum error error = open_regular(folder_fd, name, &fd, diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
        int failure = lock_now(fd, kind);
        if (failure == 0 && still_named(folder_fd, name, fd)) {
            out_lock->fd = fd;
            *out_held = true;
            return ERROR_NONE;
        }
        close(fd);
        if (failure == EWOULDBLOCK) {
            *out_held = false;
            return ERROR_NONE;
        }
        if (failure != 0) {
            return refuse(name, strerror(failure), diagnostic);
        }
    }
    return refuse(name, "it keeps being replaced", diagnostic);
}

enum error gpu_lock_try(const char *uuid, enum gpu_lock_kind kind, struct gpu_lock *out_lock,
                        bool *out_held, struct diagnostic *diagnostic)
{
    char name[NAME_BYTES];

    if (!lock_name(uuid, name)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the driver reports a GPU with the UUID '%s', which cannot name a lock",
                       uuid);
        return ERROR_ENVIRONMENT;
    }
    int folder_fd = open(lock_folder(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder_fd < 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the folder for the GPUs' locks, %s, cannot be opened: %s; set "
                       "GPUGRADE_LOCKS to another one",
                       lock_folder(), strerror(errno));
        return ERROR_ENVIRONMENT;
    }
    enum error error = lock_in_folder(folder_fd, name, kind, out_lock, out_held, diagnostic);
    close(folder_fd);
    return error;
}

bool gpu_lock_share(struct gpu_lock *lock)
{
    if (lock_now(lock->fd, GPU_LOCK_SHARED) != 0) {
        gpu_lock_release(lock);
        return false;
    }
    return true;
}

void gpu_lock_release(struct gpu_lock *lock)
{
    descriptor_close(&lock->fd);
}
