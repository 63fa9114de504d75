/* sandbox_slot.c: see sandbox_slot.h. */
#include "sandbox/sandbox_slot.h"

#include <dirent.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { ENTRY_BYTES = 16384 };

/* Is the whole range mapped? The lines of a map are "inside outside count". */
static bool range_is_mapped(const char *map_path)
{
    const unsigned long range = (unsigned long)JAIL_SLOTS * JAIL_USERS_PER_SLOT;
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
        mapped = inside <= JAIL_FIRST_UID && count >= JAIL_FIRST_UID + range - inside;
    }
    fclose(map);
    return mapped;
}

bool sandbox_slot_available(void)
{
    return geteuid() == 0 && range_is_mapped("/proc/self/uid_map") &&
           range_is_mapped("/proc/self/gid_map");
}

/* Does somebody on this machine have that number? */
static bool has_a_name(uint32_t id)
{
    char text[ENTRY_BYTES];
    struct passwd user;
    struct passwd *found_user = NULL;
    struct group group;
    struct group *found_group = NULL;

    getpwuid_r(id, &user, text, sizeof text, &found_user);
    if (found_user != NULL) {
        return true;
    }
    getgrgid_r(id, &group, text, sizeof text, &found_group);
    return found_group != NULL;
}

/* Gives the slot's name to the socket; false if another grader has it. */
static bool claim(int fd, uint32_t uid)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    /* The first byte stays 0: a name that is in no folder. */
    int length = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "gpugrade-slot-%lu",
                          (unsigned long)uid);
    return bind(fd, (const struct sockaddr *)&address,
                (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) == 0;
}

/* What a grader sees of other networks of this machine, whose lists of names it does not see. */
struct surroundings {
    uint32_t first_slot;      /* where the search begins */
    bool is_used[JAIL_SLOTS]; /* by a process of another network */
};

/* Looks for processes of the range in other networks. Where they cannot be looked into, they are of
 * this container, and what is left of an earlier holder here. */
static void scan_other_namespaces(struct surroundings *out)
{
    char path[sizeof "/proc//ns/net" + sizeof((struct dirent *)0)->d_name];
    struct stat own, other;
    DIR *processes = opendir("/proc");

    *out = (struct surroundings){0};
    if (processes == NULL || stat("/proc/self/ns/net", &own) != 0) {
        if (processes != NULL) {
            closedir(processes);
        }
        return;
    }
    out->first_slot = (uint32_t)(own.st_ino % JAIL_SLOTS);
    for (struct dirent *entry = readdir(processes); entry != NULL; entry = readdir(processes)) {
        snprintf(path, sizeof path, "/proc/%s", entry->d_name);
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9' || stat(path, &other) != 0 ||
            other.st_uid < JAIL_FIRST_UID) {
            continue;
        }
        uint32_t slot = (other.st_uid - JAIL_FIRST_UID) / JAIL_USERS_PER_SLOT;
        snprintf(path, sizeof path, "/proc/%s/ns/net", entry->d_name);
        if (slot < JAIL_SLOTS && stat(path, &other) == 0 && other.st_ino != own.st_ino) {
            out->is_used[slot] = true;
        }
    }
    closedir(processes);
}

enum error sandbox_slot_take(int *out_fd, uint32_t *out_uid, struct diagnostic *diagnostic)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct surroundings around;

    if (fd < 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot create a socket for a slot: %s",
                       strerror(errno));
        return ERROR_ENVIRONMENT;
    }
    scan_other_namespaces(&around);
    for (uint32_t i = 0; i < JAIL_SLOTS; i++) {
        uint32_t slot = (around.first_slot + i) % JAIL_SLOTS;
        uint32_t uid = JAIL_FIRST_UID + slot * JAIL_USERS_PER_SLOT;
        /* Names are looked up last: it may ask a server. */
        if (around.is_used[slot] || !claim(fd, uid)) {
            continue;
        }
        if (!has_a_name(uid) && !has_a_name(uid + 1)) {
            *out_fd = fd;
            *out_uid = uid;
            return ERROR_NONE;
        }
        close(fd); /* a socket has one name for life */
        fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    }
    if (fd >= 0) {
        close(fd);
    }
    diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                   "all %d users of the sandbox are in use; wait until other graders have finished",
                   (int)JAIL_SLOTS);
    return ERROR_ENVIRONMENT;
}
