/* sandbox_slot.c: see sandbox_slot.h. */
#include "sandbox/sandbox_slot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is the whole range mapped? The lines of a map are "inside outside count". */
static bool range_is_mapped(const char *map_path)
{
    char line[128];
    bool mapped = false;

    FILE *map = fopen(map_path, "re");
    if (map == NULL) {
        return false;
    }
    while (!mapped && fgets(line, sizeof line, map) != NULL) {
        char *rest = line;
        unsigned long inside = strtoul(rest, &rest, 10);
        (void)strtoul(rest, &rest, 10);
        unsigned long count = strtoul(rest, &rest, 10);
        mapped = inside <= SANDBOX_FIRST_UID && count >= SANDBOX_FIRST_UID + SANDBOX_SLOTS - inside;
    }
    fclose(map);
    return mapped;
}

bool sandbox_slot_available(void)
{
    return geteuid() == 0 && range_is_mapped("/proc/self/uid_map") &&
           range_is_mapped("/proc/self/gid_map");
}

/* Opens the lock file of this machine. In /tmp, where others may write, a file of another user or a
 * link is refused. */
static int open_lock_file(void)
{
    static const char *const paths[] = {"/run/gpugrade-slots", "/tmp/gpugrade-slots"};
    struct stat status;

    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        int fd = open(paths[i], O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0) {
            continue;
        }
        if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid()) {
            return fd;
        }
        close(fd);
        errno = EPERM;
    }
    return -1;
}

enum error sandbox_slot_take(int *out_fd, uint32_t *out_uid, struct diagnostic *diagnostic)
{
    int fd = open_lock_file();

    if (fd < 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "cannot open /run/gpugrade-slots: %s; root needs a folder /run or /tmp that "
                       "it can write",
                       strerror(errno));
        return ERROR_ENVIRONMENT;
    }
    /* Locks of an open file description, so that threads of one grader exclude each other too. */
    for (uint32_t slot = 0; slot < SANDBOX_SLOTS; slot++) {
        struct flock lock = {
            .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)slot, .l_len = 1};
        if (fcntl(fd, F_OFD_SETLK, &lock) == 0) {
            *out_fd = fd;
            *out_uid = SANDBOX_FIRST_UID + slot;
            return ERROR_NONE;
        }
    }
    close(fd);
    diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                   "all %d users of the sandbox are in use; let other graders finish first",
                   (int)SANDBOX_SLOTS);
    return ERROR_ENVIRONMENT;
}
