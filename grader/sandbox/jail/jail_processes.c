/* jail_processes.c: see jail_processes.h. The owner of a folder in /proc is not the process's user
 * when the process may not be looked into, so the file `status` is read. */
#include "sandbox/jail/jail_processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct process_status {
    pid_t pid, parent;
    uid_t real_uid;
    uint64_t threads;
    bool is_dead; /* it waits for its parent to notice */
    bool is_stopped;
};

/* Reads a small file of /proc as text; false if it is gone. */
static bool read_small(const char *path, char *out_text, size_t capacity)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);

    if (file < 0) {
        return false;
    }
    ssize_t length = read(file, out_text, capacity - 1);
    close(file);
    out_text[length < 0 ? 0 : length] = '\0';
    return length > 0;
}

/* The number after a line's name, or `otherwise`. A process's own name, the first line, holds no
 * line feed: the kernel escapes it. */
static unsigned long number_of(const char *text, const char *name, unsigned long otherwise)
{
    const char *line = strstr(text, name);

    return line == NULL ? otherwise : strtoul(line + strlen(name), NULL, 10);
}

static bool read_status(pid_t pid, struct process_status *out_status)
{
    char path[64];
    char text[4096];

    snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
    if (!read_small(path, text, sizeof text)) {
        return false;
    }
    *out_status = (struct process_status){
        .pid = pid,
        .parent = (pid_t)number_of(text, "\nPPid:\t", 0),
        .real_uid = (uid_t)number_of(text, "\nUid:\t", (unsigned long)(uid_t)-1),
        .threads = number_of(text, "\nThreads:\t", 0),
        .is_dead = strstr(text, "\nState:\tZ") != NULL || strstr(text, "\nState:\tX") != NULL,
        .is_stopped = strstr(text, "\nState:\tT") != NULL || strstr(text, "\nState:\tt") != NULL,
    };
    return true;
}

/* The next process of an open /proc; false at its end. */
static bool next_process(DIR *processes, struct process_status *out_status)
{
    for (struct dirent *entry = readdir(processes); entry != NULL; entry = readdir(processes)) {
        long pid = strtol(entry->d_name, NULL, 10);
        if (pid > 0 && read_status((pid_t)pid, out_status)) {
            return true;
        }
    }
    return false;
}

uint64_t jail_tasks_count(uint64_t uid)
{
    bool counts_all = uid == 0 && getpid() == 1;
    uid_t wanted = uid == 0 ? getuid() : (uid_t)uid;
    struct process_status status;
    uint64_t tasks = 0;
    DIR *processes = opendir("/proc");

    if (processes == NULL) {
        return 0;
    }
    while (next_process(processes, &status)) {
        tasks += counts_all || status.real_uid == wanted ? status.threads : 0;
    }
    closedir(processes);
    return tasks;
}

bool jail_slot_is_busy(uid_t uid)
{
    struct process_status status;
    bool found = false;
    DIR *processes = opendir("/proc");

    if (processes == NULL) {
        return false;
    }
    while (!found && next_process(processes, &status)) {
        found = (status.real_uid == uid || status.real_uid == uid + 1) && !status.is_dead &&
                status.pid != getpid();
    }
    closedir(processes);
    return found;
}

/* Processes that descend from this one; more than a program may have are not looked for at once. */
enum { DESCENDANTS_MAX = 1024 };
struct descendants {
    pid_t pids[DESCENDANTS_MAX]; /* [count] */
    size_t count;
};

static bool is_known(const struct descendants *known, pid_t pid)
{
    for (size_t i = 0; i < known->count; i++) {
        if (known->pids[i] == pid) {
            return true;
        }
    }
    return false;
}

/* Goes through all processes once. True if it found descendants that were not known. */
static bool find_and_signal(struct descendants *known, int signal, bool *any)
{
    size_t before = known->count;
    struct process_status status;
    DIR *processes = opendir("/proc");

    while (processes != NULL && known->count < DESCENDANTS_MAX &&
           next_process(processes, &status)) {
        if ((status.parent != getpid() && !is_known(known, status.parent)) ||
            is_known(known, status.pid)) {
            continue;
        }
        known->pids[known->count++] = status.pid;
        if (!status.is_dead && (signal != SIGSTOP || !status.is_stopped)) {
            kill(status.pid, signal);
            *any = true;
        }
    }
    if (processes != NULL) {
        closedir(processes);
    }
    return known->count > before;
}

bool jail_descendants_signal(int signal)
{
    struct descendants known = {.count = 0};
    bool any = false;

    /* Children have higher numbers than their parents, but where the numbers began anew. */
    while (find_and_signal(&known, signal, &any)) {
    }
    return any;
}
