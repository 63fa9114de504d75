/* jail_landlock.c: see jail_landlock.h.
 *
 * The constants are the kernel's (include/uapi/linux/landlock.h), copied because headers of older
 * systems lack the newer ones. Each version of the interface adds rights, and may only be asked for
 * what it knows:
 *
 *   1  files (linux 5.13)   2  moving between folders (5.19)   3  truncate (6.2)
 *   4  TCP (6.7)            5  ioctl on devices (6.10)         6  signals, abstract sockets (6.12)
 *
 * What a version lacks is denied by the filter of system calls instead, where it matters.
 */
#include "sandbox/jail/jail_landlock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

enum { RULE_PATH_BENEATH = 1 };

enum access_right {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_FOLDER = 1 << 3,
    MAKE_CHARACTER_DEVICE = 1 << 6,
    MAKE_SOCKET = 1 << 9,
    MAKE_BLOCK_DEVICE = 1 << 11,
    ALL_OF_VERSION_1 = (1 << 13) - 1,
    MOVE_BETWEEN_FOLDERS = 1 << 13, /* version 2 */
    TRUNCATE = 1 << 14,             /* version 3 */
    IOCTL_ON_DEVICE = 1 << 15,      /* version 5 */
};
enum { TCP_BIND_AND_CONNECT = 3, ABSTRACT_SOCKETS_AND_SIGNALS = 3 };

struct ruleset_attributes {
    uint64_t files;  /* version 1 */
    uint64_t net;    /* version 4 */
    uint64_t scoped; /* version 6 */
};

struct path_beneath {
    uint64_t allowed;
    int32_t parent_fd;
} __attribute__((packed));

static const uint64_t file_rights = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_ON_DEVICE;
static const uint64_t read_rights = EXECUTE | READ_FILE | READ_FOLDER;

/* Of /proc, what honest programs ask about themselves and the processors. */
static const char *const proc_files[] = {
    "/proc/self/fd",     "/proc/self/maps", "/proc/self/stat", "/proc/self/statm",
    "/proc/self/status", "/proc/cpuinfo",   "/proc/meminfo",
};

static int make_ruleset(uint64_t version, struct ruleset_attributes *out_attributes)
{
    struct ruleset_attributes attributes = {.files = ALL_OF_VERSION_1};
    size_t bytes = offsetof(struct ruleset_attributes, net);

    attributes.files |= version >= 2 ? MOVE_BETWEEN_FOLDERS : 0;
    attributes.files |= version >= 3 ? TRUNCATE : 0;
    attributes.files |= version >= 5 ? IOCTL_ON_DEVICE : 0;
    if (version >= 4) {
        attributes.net = TCP_BIND_AND_CONNECT;
        bytes = offsetof(struct ruleset_attributes, scoped);
    }
    if (version >= 6) {
        attributes.scoped = ABSTRACT_SOCKETS_AND_SIGNALS;
        bytes = sizeof attributes;
    }
    *out_attributes = attributes;
    return (int)syscall(SYS_landlock_create_ruleset, &attributes, bytes, 0);
}

/* Allows a path; one that does not exist here, or that the program's user could not reach anyway,
 * needs no rule. */
static bool allow(int ruleset, const char *path, uint64_t rights)
{
    struct stat status;
    struct path_beneath rule = {.allowed = rights};

    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0) {
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES;
    }
    bool good = fstat(rule.parent_fd, &status) == 0;
    if (good && !S_ISDIR(status.st_mode)) {
        rule.allowed &= file_rights;
    }
    good = good && syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0) == 0;
    int cause = errno;
    close(rule.parent_fd);
    errno = cause;
    return good;
}

bool jail_landlock_apply(const struct jail_job *job)
{
    struct ruleset_attributes attributes;

    if (job->landlock == 0) {
        return true;
    }
    int ruleset = make_ruleset(job->landlock, &attributes);
    bool good = ruleset >= 0;
    uint64_t write_rights = attributes.files & ~(uint64_t)(MAKE_CHARACTER_DEVICE | MAKE_SOCKET |
                                                           MAKE_BLOCK_DEVICE | IOCTL_ON_DEVICE);
    for (size_t i = 0; good && i < sizeof proc_files / sizeof proc_files[0]; i++) {
        good = allow(ruleset, proc_files[i], READ_FILE | READ_FOLDER);
    }
    for (size_t i = 0; good && i + 1 < job->option_count; i += 2) {
        enum jail_option option = jail_option_of(job->options[i]);
        if (option == JAIL_OPTION_READ) {
            good = allow(ruleset, job->options[i + 1], read_rights);
        } else if (option == JAIL_OPTION_WRITE) {
            good = allow(ruleset, job->options[i + 1], write_rights);
        }
    }
    good = good && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    int cause = errno;
    if (ruleset >= 0) {
        close(ruleset);
    }
    errno = cause;
    return good;
}
