/* sandbox_cgroup.c: see sandbox_cgroup.h.
 *
 * Nothing is believed of a folder because of its name: a group is made there, its limits are set,
 * a child joins it, and it is removed. Files of the kernel are small; each is read whole.
 */
#include "sandbox/sandbox_cgroup.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "sandbox/sandbox_cgroup_find.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The helper and bubblewrap are in the group too, and must not be what is refused. */
#define HELPER_BYTES (UINT64_C(16) << 20)
enum { HELPER_TASKS_A = 2, HELPER_TASKS = 1 };
enum { NAME_TRIES = 1000, REMOVE_TRIES = 2000, REMOVE_PAUSE_MS = 5, KERNEL_FILE_BYTES = 8192 };

static const char name_prefix[] = "gpugrade-";

/* Reads a file of the kernel whole; false if it is not there or empty. */
static bool read_kernel_file(const char *folder, const char *name, char out[KERNEL_FILE_BYTES])
{
    char path[CGROUP_PATH_BYTES];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);

    if (length < 0 || (size_t)length >= sizeof path) {
        return false;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return false;
    }
    ssize_t got = read(fd, out, KERNEL_FILE_BYTES - 1);
    close(fd);
    out[got < 0 ? 0 : got] = '\0';
    return got > 0;
}

static uint64_t read_number(const char *folder, const char *name)
{
    char bytes[KERNEL_FILE_BYTES];

    return read_kernel_file(folder, name, bytes) ? strtoull(bytes, NULL, 10) : 0;
}

/* Reads the number behind a word at the start of a line. */
static uint64_t read_keyed(const char *folder, const char *name, const char *key)
{
    char bytes[KERNEL_FILE_BYTES];
    size_t length = strlen(key);

    if (!read_kernel_file(folder, name, bytes)) {
        return 0;
    }
    for (const char *line = bytes; line != NULL && *line != '\0';) {
        if (strncmp(line, key, length) == 0 && line[length] == ' ') {
            return strtoull(line + length + 1, NULL, 10);
        }
        line = strchr(line, '\n');
        line = line == NULL ? NULL : line + 1;
    }
    return 0;
}

static int open_in(const char *folder, const char *name)
{
    char path[CGROUP_PATH_BYTES];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);

    if (length < 0 || (size_t)length >= sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    return open(path, O_WRONLY | O_CLOEXEC);
}

static bool write_text(const char *folder, const char *name, const char *text)
{
    int fd = open_in(folder, name);
    if (fd < 0) {
        return false;
    }
    bool good = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    int cause = errno;
    close(fd);
    errno = cause;
    return good;
}

static bool write_number(const char *folder, const char *name, uint64_t number)
{
    char text[32];

    snprintf(text, sizeof text, "%" PRIu64, number);
    return write_text(folder, name, text);
}

/* Adds up `count` fields of a process's stat from field `first` on (proc(5); the 2nd is its name);
 * 0 if it is not there. */
static uint64_t add_stat_fields(uint64_t pid, int first, int count)
{
    char folder[64];
    char bytes[KERNEL_FILE_BYTES];
    uint64_t sum = 0;

    snprintf(folder, sizeof folder, "/proc/%" PRIu64, pid);
    if (!read_kernel_file(folder, "stat", bytes)) {
        return 0;
    }
    char *at = strrchr(bytes, ')');
    for (int field = 3; field < first + count && at != NULL; field++) {
        at = strchr(at + 1, ' ');
        sum += at != NULL && field >= first ? strtoull(at, NULL, 10) : 0;
    }
    return sum;
}

/* When a process was started, in ticks since the machine's start; 0 if it is not there. */
static uint64_t start_of_process(uint64_t pid)
{
    enum { STARTTIME = 22 };

    return add_stat_fields(pid, STARTTIME, 1);
}

/* What a process has used, with the children that it waited for, in ticks. */
static uint64_t ticks_of_process(uint64_t pid)
{
    enum { UTIME = 14, FIELDS = 4 /* utime, stime, cutime, cstime */ };

    return add_stat_fields(pid, UTIME, FIELDS);
}

/* Process numbers mean something within one namespace only. */
static uint64_t process_namespace(void)
{
    struct stat status;

    return stat("/proc/self/ns/pid", &status) == 0 ? (uint64_t)status.st_ino : 0;
}

/* Kills a process of a group of cgroup 1, which has no kill of its own. Between reading its number
 * and holding it, it may have become another process: so the name of its group is looked at. */
static void kill_member(const char *group, long pid)
{
    char folder[64];
    char bytes[KERNEL_FILE_BYTES];

    int fd = (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
    if (fd < 0) {
        return;
    }
    snprintf(folder, sizeof folder, "/proc/%ld", pid);
    if (read_kernel_file(folder, "cgroup", bytes) && strstr(bytes, path_name(group)) != NULL) {
        syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0);
    }
    close(fd);
}

static void kill_members(const char *group)
{
    char bytes[KERNEL_FILE_BYTES];
    char *at = bytes;

    if (write_text(group, "cgroup.kill", "1") || !read_kernel_file(group, "cgroup.procs", bytes)) {
        return;
    }
    /* A list that is cut ends within a number; the next round reads the rest. */
    for (char *end = strchr(at, '\n'); end != NULL; end = strchr(at, '\n')) {
        long pid = strtol(at, NULL, 10);
        if (pid > 1) {
            kill_member(group, pid);
        }
        at = end + 1;
    }
}

/* The kernel frees a group some time after its last process. */
static void remove_group(const char *group)
{
    for (int i = 0; i < REMOVE_TRIES; i++) {
        if (rmdir(group) == 0 || errno != EBUSY) {
            return;
        }
        kill_members(group);
        poll(NULL, 0, REMOVE_PAUSE_MS);
    }
}

/* Is it the name of a group whose grader is gone? */
static bool is_stale(const char *name)
{
    char *rest = NULL;
    uint64_t parts[3]; /* namespace, process, start */

    if (!text_starts_with(name, name_prefix)) {
        return false;
    }
    const char *at = name + sizeof name_prefix - 1;
    for (size_t i = 0; i < 3; i++) {
        parts[i] = strtoull(at, &rest, 10);
        if (rest == at || *rest != '-') {
            return false;
        }
        at = rest + 1;
    }
    return parts[0] == process_namespace() && start_of_process(parts[1]) != parts[2];
}

static void remove_stale(const char *folder)
{
    char path[CGROUP_PATH_BYTES];
    DIR *groups = opendir(folder);

    if (groups == NULL) {
        return;
    }
    for (struct dirent *entry = readdir(groups); entry != NULL; entry = readdir(groups)) {
        int length = snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (length > 0 && (size_t)length < sizeof path && is_stale(entry->d_name)) {
            remove_group(path);
        }
    }
    closedir(groups);
}

/* Makes a group with a name of its own; "" in out_path on failure. */
static bool make_group(const char *folder, char out_path[CGROUP_PATH_BYTES])
{
    uint64_t number = clock_now_ns();

    for (int i = 0; i < NAME_TRIES; i++, number++) {
        int length =
            snprintf(out_path, CGROUP_PATH_BYTES, "%s/%s%" PRIu64 "-%ld-%" PRIu64 "-%" PRIx64,
                     folder, name_prefix, process_namespace(), (long)getpid(),
                     start_of_process((uint64_t)getpid()), number);
        if (length < 0 || length >= CGROUP_PATH_BYTES) {
            break;
        }
        if (mkdir(out_path, 0755) == 0) {
            return true;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    out_path[0] = '\0';
    return false;
}

static bool limit_memory(const char *group, bool is_unified, uint64_t bytes)
{
    uint64_t limit = 0;

    if (__builtin_add_overflow(bytes, HELPER_BYTES, &limit) || limit > INT64_MAX) {
        limit = INT64_MAX;
    }
    /* Without accounting of swap these files are absent; then there is no swap to be bounded, or
     * nothing that could bound it. */
    if (is_unified) {
        write_number(group, "memory.swap.max", 0);
        return write_number(group, "memory.max", limit);
    }
    bool good = write_number(group, "memory.limit_in_bytes", limit);
    write_number(group, "memory.memsw.limit_in_bytes", limit);
    return good;
}

static bool limit_tasks(const char *group, uint64_t tasks)
{
    return tasks == 0 || write_number(group, "pids.max", tasks);
}

/* Can a process join it, as a helper will? */
static bool can_join(const char *group)
{
    int status = 0;
    int fd = open_in(group, "cgroup.procs");

    if (fd < 0) {
        return false;
    }
    pid_t child = fork();
    if (child == 0) {
        _exit(write(fd, "0", 1) == 1 ? 0 : 1);
    }
    close(fd);
    if (child < 0) {
        return false;
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

enum wanted { MEMORY = 1, TASKS = 2 };

/* Does a group below this folder bound what is wanted? */
static bool works_in(const char *folder, bool is_unified, enum wanted wanted)
{
    char group[CGROUP_PATH_BYTES];

    if (!make_group(folder, group)) {
        return false;
    }
    bool good = ((wanted & MEMORY) == 0 || limit_memory(group, is_unified, HELPER_BYTES)) &&
                ((wanted & TASKS) == 0 || limit_tasks(group, 4)) && can_join(group);
    remove_group(group);
    return good;
}

/* Keeps a folder, or "" if nothing works there. */
static bool adopt(const char *folder, bool is_unified, enum wanted wanted, char *out, size_t room)
{
    remove_stale(folder);
    bool good = works_in(folder, is_unified, wanted) && strlen(folder) < room;
    snprintf(out, room, "%s", good ? folder : "");
    return good;
}

static bool detect_unified(struct sandbox *sandbox)
{
    char folder[CGROUP_PATH_BYTES];

    for (unsigned i = 0; cgroup_find_unified(i, folder); i++) {
        if (folder[0] != '\0' && adopt(folder, true, (enum wanted)(MEMORY | TASKS),
                                       sandbox->memory_group, sizeof sandbox->memory_group)) {
            snprintf(sandbox->tasks_group, sizeof sandbox->tasks_group, "%s", folder);
            sandbox->bound = SANDBOX_CGROUP2;
            return true;
        }
    }
    return false;
}

void sandbox_cgroup_detect(struct sandbox *sandbox)
{
    char folder[CGROUP_PATH_BYTES];

    sandbox->bound = SANDBOX_PER_PROCESS;
    sandbox->memory_group[0] = sandbox->tasks_group[0] = '\0';
    if (detect_unified(sandbox)) {
        return;
    }
    if (cgroup_find_version_1("memory", folder) &&
        adopt(folder, false, MEMORY, sandbox->memory_group, sizeof sandbox->memory_group)) {
        sandbox->bound = SANDBOX_CGROUP1;
    }
    if (cgroup_find_version_1("pids", folder)) {
        adopt(folder, false, TASKS, sandbox->tasks_group, sizeof sandbox->tasks_group);
    }
}

/* Makes one group, opens its list of processes. */
static bool open_group(struct arena *arena, const char *folder, const char **out_path, int *out_fd)
{
    char path[CGROUP_PATH_BYTES];

    if (!make_group(folder, path)) {
        return false;
    }
    *out_path = arena_strdup(arena, path);
    *out_fd = open_in(path, "cgroup.procs");
    return *out_fd >= 0;
}

enum error sandbox_group_make(struct arena *arena, const struct sandbox *sandbox,
                              const struct sandbox_limits *limits, struct sandbox_group *out_group,
                              int out_fds[2], struct diagnostic *diagnostic)
{
    struct sandbox_group group = {
        .is_unified = sandbox->bound == SANDBOX_CGROUP2,
        .helper_tasks = sandbox->tier == SANDBOX_A ? HELPER_TASKS_A : HELPER_TASKS,
    };
    int fds[2] = {-1, -1};
    uint64_t tasks = limits->processes == 0 ? 0 : (uint64_t)limits->processes + group.helper_tasks;
    bool good = true;

    if (sandbox->memory_group[0] != '\0') {
        good = open_group(arena, sandbox->memory_group, &group.memory_path, &fds[0]) &&
               limit_memory(group.memory_path, group.is_unified, limits->memory_bytes);
    }
    if (good && group.is_unified) {
        group.tasks_path = group.memory_path;
    } else if (good && sandbox->tasks_group[0] != '\0') {
        good = open_group(arena, sandbox->tasks_group, &group.tasks_path, &fds[1]);
    }
    if (good && group.tasks_path != NULL) {
        good = limit_tasks(group.tasks_path, tasks);
    }
    if (!good) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot make a control group in %.900s: %s",
                       sandbox->memory_group[0] != '\0' ? sandbox->memory_group
                                                        : sandbox->tasks_group,
                       strerror(errno));
        descriptor_close(&fds[0]);
        descriptor_close(&fds[1]);
        sandbox_group_remove(&group);
        return ERROR_ENVIRONMENT;
    }
    *out_group = group;
    out_fds[0] = fds[0];
    out_fds[1] = fds[1];
    return ERROR_NONE;
}

static uint64_t less(uint64_t from, uint64_t amount)
{
    return from > amount ? from - amount : 0;
}

struct sandbox_group_counts sandbox_group_count(const struct sandbox_group *group)
{
    struct sandbox_group_counts counts = {0};
    const char *memory = group->memory_path;
    const char *tasks = group->tasks_path;

    if (memory != NULL && group->is_unified) {
        counts.memory_kills = read_keyed(memory, "memory.events", "oom_kill");
        counts.peak_memory_bytes = less(read_number(memory, "memory.peak"), HELPER_BYTES);
    } else if (memory != NULL) {
        counts.memory_kills = read_keyed(memory, "memory.oom_control", "oom_kill");
        counts.peak_memory_bytes =
            less(read_number(memory, "memory.max_usage_in_bytes"), HELPER_BYTES);
    }
    if (tasks != NULL) {
        counts.tasks_refused = read_keyed(tasks, "pids.events", "max");
        counts.peak_tasks = less(read_number(tasks, "pids.peak"), group->helper_tasks);
    }
    return counts;
}

uint64_t sandbox_group_cpu_ns(const struct sandbox_group *group)
{
    const char *path = group->memory_path != NULL ? group->memory_path : group->tasks_path;
    char bytes[KERNEL_FILE_BYTES];
    uint64_t ticks = 0;
    long ticks_per_s = sysconf(_SC_CLK_TCK);

    if (path == NULL) {
        return 0;
    }
    if (group->is_unified) {
        return read_keyed(path, "cpu.stat", "usage_usec") * 1000;
    }
    if (!read_kernel_file(path, "cgroup.procs", bytes) || ticks_per_s <= 0) {
        return 0;
    }
    char *at = bytes;
    for (char *end = strchr(at, '\n'); end != NULL; end = strchr(at, '\n')) {
        ticks += ticks_of_process(strtoull(at, NULL, 10));
        at = end + 1;
    }
    return ticks * (CLOCK_NS_PER_S / (uint64_t)ticks_per_s);
}

void sandbox_group_remove(struct sandbox_group *group)
{
    if (group->memory_path != NULL) {
        remove_group(group->memory_path);
    }
    if (group->tasks_path != NULL && group->tasks_path != group->memory_path) {
        remove_group(group->tasks_path);
    }
    group->memory_path = group->tasks_path = NULL;
}
