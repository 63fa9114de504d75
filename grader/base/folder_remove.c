/* folder_remove.c: removes a tree that a hostile program may have made; see file.h. The jail helper
 * is built with this file too.
 *
 * Its depth stays at two: a folder that it finds inside a subfolder is moved up beside it and
 * removed later, so neither the depth of a tree nor the length of its paths matters.
 */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens a folder inside another one; one whose owner took the rights away gets them back. */
static int open_folder_at(int parent, const char *name)
{
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    struct stat status;

    if (fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(status.st_mode)) {
        errno = ENOTDIR;
        return -1;
    }
    if ((status.st_mode & 0700) != 0700 && fchmodat(parent, name, 0700, 0) != 0) {
        return -1;
    }
    return openat(parent, name, flags);
}

/* Moves the folder `name` of `folder` up into `top` under a name that is free there. */
static bool hoist_folder(int top, int folder, const char *name, uint64_t *counter)
{
    char target[64];

    /* Moving a folder rewrites its "..", so it must be writable. */
    int fd = open_folder_at(folder, name);
    if (fd >= 0) {
        close(fd);
    }
    for (int attempt = 0; attempt < 1000; attempt++) {
        snprintf(target, sizeof target, "gpugrade-removed-%llu", (unsigned long long)*counter);
        ++*counter;
        if (renameat2(folder, name, top, target, RENAME_NOREPLACE) == 0) {
            return true;
        }
        if (errno != EEXIST) {
            return false;
        }
    }
    return false;
}

/* Is this an entry to remove? Not the folder itself, not its parent. */
static bool is_entry(const char *name)
{
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0;
}

/* Empties the folder `name` of `top`: files are removed, folders are moved up into `top`. */
static void flatten_folder(int top, const char *name, uint64_t *counter)
{
    int fd = open_folder_at(top, name);
    DIR *entries = fd < 0 ? NULL : fdopendir(fd);

    if (entries == NULL) {
        if (fd >= 0) {
            close(fd);
        }
        return;
    }
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        if (is_entry(entry->d_name) && unlinkat(fd, entry->d_name, 0) != 0 &&
            (errno == EISDIR || errno == EPERM)) {
            hoist_folder(top, fd, entry->d_name, counter);
        }
    }
    closedir(entries);
}

/* Removes what can be removed in one pass over `top`; true if anything went away. */
static bool remove_entries(int top, uint64_t *counter)
{
    bool progress = false;
    int copy = openat(top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = copy < 0 ? NULL : fdopendir(copy);

    if (entries == NULL) {
        if (copy >= 0) {
            close(copy);
        }
        return false;
    }
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        if (!is_entry(entry->d_name)) {
            continue;
        }
        if (unlinkat(top, entry->d_name, 0) == 0) {
            progress = true;
            continue;
        }
        flatten_folder(top, entry->d_name, counter);
        if (unlinkat(top, entry->d_name, AT_REMOVEDIR) == 0) {
            progress = true;
        }
    }
    closedir(entries);
    return progress;
}

bool folder_remove(const char *path)
{
    uint64_t counter = 0;
    int top = open_folder_at(AT_FDCWD, path);

    if (top >= 0) {
        while (remove_entries(top, &counter)) {
        }
        close(top);
        return rmdir(path) == 0;
    }
    return unlink(path) == 0 || errno == ENOENT;
}
