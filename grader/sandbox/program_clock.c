/* program_clock.c: see program_clock.h. */
#include "sandbox/program_clock.h"

#include "base/clock.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the device may work for a program in all, in processor time of its busiest thread. */
#define DEVICE_MOST_NS (UINT64_C(60) * CLOCK_NS_PER_S)

/* A process and its parent. */
struct kin {
    pid_t process, parent;
    bool is_in; /* it descends from the one that is asked for */
};

enum { KIN_MAX = 4096, LINE_BYTES = 512 };

void program_clock_start(struct program_clock *clock, uint64_t now_ns)
{
    if (clock->since_ns == 0) {
        clock->since_ns = now_ns;
    }
}

/* Adds to the slice what has passed. */
static void pass(struct program_clock *clock, uint64_t now_ns)
{
    if (clock->since_ns != 0 && now_ns > clock->since_ns) {
        clock->slice_ns += now_ns - clock->since_ns;
        clock->since_ns = now_ns;
    }
}

void program_clock_stop(struct program_clock *clock, uint64_t now_ns)
{
    pass(clock, now_ns);
    clock->since_ns = 0;
    clock->was_held = true;
}

uint64_t program_clock_most_ns(const struct program_clock *clock, uint64_t now_ns)
{
    uint64_t open_ns =
        clock->since_ns != 0 && now_ns > clock->since_ns ? now_ns - clock->since_ns : 0;

    return clock->charged_ns + clock->slice_ns + open_ns;
}

/* How much a list of threads has grown. */
struct growth {
    uint64_t cpu_ns;                     /* of all together */
    uint64_t most_cpu_ns, most_delay_ns; /* of one */
};

static uint64_t more(uint64_t now, uint64_t then)
{
    return now > then ? now - then : 0;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static struct growth growth_of(const struct task_times *now, const struct task_times *then)
{
    struct growth growth = {0};

    for (size_t i = 0; i < now->count; i++) {
        struct task_time before = {0};
        for (size_t k = 0; k < then->count; k++) {
            before = then->tasks[k].task == now->tasks[i].task ? then->tasks[k] : before;
        }
        uint64_t cpu_ns = more(now->tasks[i].cpu_ns, before.cpu_ns);
        growth.cpu_ns += cpu_ns;
        growth.most_cpu_ns = most(growth.most_cpu_ns, cpu_ns);
        growth.most_delay_ns =
            most(growth.most_delay_ns, more(now->tasks[i].delay_ns, before.delay_ns));
    }
    return growth;
}

void program_clock_look(struct program_clock *clock, uint64_t now_ns,
                        const struct task_times *program, const struct task_times *device)
{
    struct growth own = growth_of(program, &clock->program);
    struct growth other = growth_of(device, &clock->device);

    pass(clock, now_ns);
    if (clock->was_held || clock->device.count == 0) {
        other = (struct growth){0};
    }
    uint64_t left_ns = more(clock->slice_ns, own.cpu_ns);
    uint64_t starved_ns = least(left_ns, most(own.most_delay_ns, other.most_delay_ns));
    left_ns -= starved_ns;
    uint64_t worked_ns = least(left_ns, other.most_cpu_ns);
    uint64_t device_ns = least(worked_ns, more(DEVICE_MOST_NS, clock->device_ns));
    clock->charged_ns += clock->slice_ns - starved_ns - device_ns;
    clock->computed_ns += least(clock->slice_ns, own.cpu_ns);
    clock->served_ns += worked_ns - device_ns;
    clock->starved_ns += starved_ns;
    clock->device_ns += device_ns;
    clock->slice_ns = 0;
    clock->was_held = false;
    clock->program = *program;
    clock->device = *device;
}

enum program_use program_clock_use(const struct program_clock *clock)
{
    uint64_t half_ns = clock->charged_ns / 2;

    if (clock->computed_ns >= half_ns) {
        return PROGRAM_COMPUTES;
    }
    return clock->served_ns >= half_ns ? PROGRAM_IS_SERVED : PROGRAM_WAITS;
}

/* Reads the first line of a file below /proc. */
static bool read_line(const char *path, char out[LINE_BYTES])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0) {
        return false;
    }
    ssize_t got = read(fd, out, LINE_BYTES - 1);
    close(fd);
    out[got < 0 ? 0 : got] = '\0';
    return got > 0;
}

/* The number that a folder's entry is; 0: it is none. */
static pid_t entry_number(const struct dirent *entry)
{
    long number = strtol(entry->d_name, NULL, 10);

    return number > 0 && number <= INT32_MAX ? (pid_t)number : 0;
}

/* Appends a thread: "cpu delay slices", in ns. */
static void read_task(const char *folder, pid_t task, struct task_times *times)
{
    char path[2 * LINE_BYTES];
    char line[LINE_BYTES];
    char *end;

    snprintf(path, sizeof path, "%s/%d/schedstat", folder, (int)task);
    if (times->count == TASK_TIMES_MAX || !read_line(path, line)) {
        return;
    }
    struct task_time *time = &times->tasks[times->count++];
    time->task = task;
    time->cpu_ns = strtoull(line, &end, 10);
    time->delay_ns = strtoull(end, NULL, 10);
}

void task_times_read(pid_t process, struct task_times *times)
{
    char folder[LINE_BYTES];

    snprintf(folder, sizeof folder, "/proc/%d/task", (int)process);
    DIR *tasks = process > 0 ? opendir(folder) : NULL;
    for (const struct dirent *entry; tasks != NULL && (entry = readdir(tasks)) != NULL;) {
        pid_t task = entry_number(entry);
        if (task != 0) {
            read_task(folder, task, times);
        }
    }
    if (tasks != NULL) {
        closedir(tasks);
    }
}

/* "pid (name) state parent ...", where the name may hold anything. */
static pid_t parent_of(pid_t process)
{
    char path[LINE_BYTES];
    char line[LINE_BYTES];

    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    const char *behind = read_line(path, line) ? strrchr(line, ')') : NULL;
    return behind != NULL && strlen(behind) > 4 ? (pid_t)strtol(behind + 4, NULL, 10) : 0;
}

static size_t list_processes(struct kin *kin)
{
    DIR *processes = opendir("/proc");
    size_t count = 0;

    for (const struct dirent *entry;
         processes != NULL && count < KIN_MAX && (entry = readdir(processes)) != NULL;) {
        pid_t process = entry_number(entry);
        if (process != 0) {
            kin[count++] = (struct kin){.process = process, .parent = parent_of(process)};
        }
    }
    if (processes != NULL) {
        closedir(processes);
    }
    return count;
}

/* Marks the children of a process; there are no circles. */
static void mark_children(struct kin *kin, size_t count, pid_t process)
{
    for (size_t i = 0; i < count; i++) {
        kin[i].is_in = kin[i].is_in || kin[i].parent == process;
    }
}

void task_times_read_tree(pid_t process, struct task_times *times)
{
    struct kin *kin = process > 0 ? calloc(KIN_MAX, sizeof *kin) : NULL;
    size_t count = kin == NULL ? 0 : list_processes(kin);

    task_times_read(process, times);
    mark_children(kin, count, process);
    for (size_t i = 0; i < count;) {
        if (!kin[i].is_in) {
            i++;
            continue;
        }
        const pid_t found = kin[i].process;
        task_times_read(found, times);
        kin[i] = kin[--count];
        mark_children(kin, count, found);
        i = 0;
    }
    free(kin);
}
