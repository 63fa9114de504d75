/* work_folder.c: see work_folder.h. */
#include "base/work_folder.h"

#include "base/file.h"
#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER_MODE = 0711, ATTEMPTS = 16 };

static const char prefix[] = "gpugrade-work-";
static const char pattern[] = "XXXXXX";

static const char *parent_folder(void)
{
    const char *parent = getenv("TMPDIR");

    return parent == NULL || parent[0] != '/' ? "/tmp" : parent;
}

/* Makes a folder and locks it; *out_fd is -1 if another run took it for one that is left. */
static bool make_locked(char *path, int *out_fd)
{
    struct stat status;

    *out_fd = -1;
    if (mkdtemp(path) == NULL) {
        return false;
    }
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return errno == ENOENT;
    }
    /* Where folders cannot be locked, nobody can lock it and remove it either. */
    bool is_taken = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    bool is_there = fstat(fd, &status) == 0 && status.st_nlink > 0;
    if (is_taken || !is_there) {
        close(fd);
        return true;
    }
    if (fchmod(fd, FOLDER_MODE) != 0) {
        int cause = errno;
        rmdir(path);
        close(fd);
        errno = cause;
        return false;
    }
    *out_fd = fd;
    return true;
}

enum error work_folder_make(struct arena *arena, struct work_folder *out_folder,
                            struct diagnostic *diagnostic)
{
    const char *parent = parent_folder();

    for (int i = 0; i < ATTEMPTS; i++) {
        struct work_folder folder = {
            .path = arena_printf(arena, "%s/%s%s", parent, prefix, pattern),
        };
        if (!make_locked(folder.path, &folder.lock_fd)) {
            break;
        }
        if (folder.lock_fd >= 0) {
            *out_folder = folder;
            return ERROR_NONE;
        }
    }
    diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                   "cannot create a folder in %s: %s; set TMPDIR to a folder with space", parent,
                   strerror(errno));
    return ERROR_IO;
}

bool work_folder_remove(struct work_folder *folder)
{
    bool removed = folder_remove(folder->path);

    close(folder->lock_fd);
    folder->lock_fd = -1;
    return removed;
}

/* Only their owners can rename or remove folders in here. */
static bool is_safe_parent(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 &&
           ((status.st_mode & (S_IWGRP | S_IWOTH)) == 0 || (status.st_mode & S_ISVTX) != 0);
}

/* True if the folder is as work_folder_make() makes it. */
static bool is_own(int fd)
{
    struct stat status;

    if (fstat(fd, &status) != 0 || status.st_uid != geteuid()) {
        return false;
    }
    return (status.st_mode & 07777) == FOLDER_MODE || (status.st_mode & 07777) == 0700;
}

static void remove_if_stale(int parent_fd, const char *parent, const char *name)
{
    int fd = openat(parent_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct text path;

    if (fd < 0) {
        return;
    }
    if (is_own(fd) && flock(fd, LOCK_EX | LOCK_NB) == 0) {
        text_init(&path);
        text_printf(&path, "%s/%s", parent, name);
        folder_remove(path.bytes);
        text_release(&path);
    }
    close(fd);
}

void work_folder_remove_stale(void)
{
    const char *parent = parent_folder();
    int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = fd < 0 || !is_safe_parent(fd) ? NULL : fdopendir(fd);

    if (entries == NULL) {
        if (fd >= 0) {
            close(fd);
        }
        return;
    }
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        if (text_starts_with(entry->d_name, prefix) &&
            strlen(entry->d_name) == strlen(prefix) + strlen(pattern)) {
            remove_if_stale(fd, parent, entry->d_name);
        }
    }
    closedir(entries);
}
