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
    pid_t pid;
    uid_t real_uid;
    uint64_t threads;
    bool is_dead; /* it waits for its parent to notice */
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
        .real_uid = (uid_t)number_of(text, "\nUid:\t", (unsigned long)(uid_t)-1),
        .threads = number_of(text, "\nThreads:\t", 0),
        .is_dead = strstr(text, "\nState:\tZ") != NULL || strstr(text, "\nState:\tX") != NULL,
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

bool jail_children_kill(void)
{
    char path[64];
    char list[4096];
    bool found = false;

    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    if (!read_small(path, list, sizeof list)) {
        return false;
    }
    char *rest = list;
    for (;;) {
        char *end = NULL;
        long pid = strtol(rest, &end, 10);
        /* A number at the very end of a full buffer may be cut; the next round sees it whole. */
        if (end == rest || *end != ' ' || pid <= 1) {
            return found;
        }
        kill((pid_t)pid, SIGKILL);
        found = true;
        rest = end;
    }
}
