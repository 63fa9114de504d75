/* jail_sweep.c: see jail_sweep.h.
 *
 * kill(-1) is one step for the kernel: every process that the caller may signal gets the signal,
 * and none can fork past it. As the twin of a slot's user the caller may signal that slot's
 * processes and no other.
 */
#include "sandbox/jail/jail_sweep.h"

#include "base/file.h"
#include "sandbox/jail/jail_processes.h"
#include "sandbox/jail/jail_user.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SWEEP_ROUNDS_MAX = 5000, SWEEP_PAUSE_MS = 2 };

static const char *const shared_folders[] = {"/tmp", "/var/tmp", "/dev/shm", "/run/lock"};

bool jail_sweep_processes(uid_t uid)
{
    for (int round = 0; round < SWEEP_ROUNDS_MAX; round++) {
        kill(-1, SIGKILL);
        if (!jail_slot_is_busy(uid)) {
            return true;
        }
        poll(NULL, 0, SWEEP_PAUSE_MS);
    }
    return false;
}

/* Removes the user's entries of a folder; folders only, if files are to stay. */
static bool remove_entries_of(uid_t uid, const char *folder, bool keeps_files)
{
    char path[PATH_MAX];
    struct stat status;
    DIR *entries = opendir(folder);

    if (entries == NULL) {
        return false;
    }
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        bool is_entry = strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
        if (is_entry && length > 0 && (size_t)length < sizeof path && lstat(path, &status) == 0 &&
            status.st_uid == uid && (S_ISDIR(status.st_mode) || !keeps_files)) {
            folder_remove(path);
        }
    }
    closedir(entries);
    return true;
}

void jail_sweep_files(uid_t uid)
{
    pid_t child = fork();

    if (child == 0) {
        if (jail_become_slot(uid)) {
            for (size_t i = 0; i < sizeof shared_folders / sizeof shared_folders[0]; i++) {
                remove_entries_of(uid, shared_folders[i], false);
            }
        }
        _exit(0);
    }
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
}

bool jail_give_folder(uid_t uid, const char *path)
{
    struct stat status;

    if (!jail_join_slot_group(uid)) {
        return false;
    }
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    bool good = folder >= 0 && fstat(folder, &status) == 0;
    if (good && status.st_uid != getuid()) {
        errno = EPERM;
        good = false;
    }
    good = good && fchown(folder, (uid_t)-1, (gid_t)uid) == 0 && fchmod(folder, 0770) == 0;
    int cause = errno;
    if (folder >= 0) {
        close(folder);
    }
    errno = cause;
    return good;
}

bool jail_clear_folder(uid_t uid, const char *path)
{
    return jail_become_twin(uid) && jail_become_slot(uid) && remove_entries_of(uid, path, true);
}
