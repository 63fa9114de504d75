/* machine_cores.c: see machine_cores.h. */
#include "base/machine_cores.h"

#include "base/text.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

/* Reads the next word of a file as a number above 0; "max" and -1, no limit, are none. */
static bool read_limit(FILE *file, long long *out)
{
    char word[32];

    return fscanf(file, "%31s", word) == 1 && text_to_integer(word, 1, LLONG_MAX, out);
}

/* The least of `cores` and the quota over the period; both in one file if `period_name` is NULL. */
static size_t quota_cores(const char *folder, const char *quota_name, const char *period_name,
                          size_t cores)
{
    const char *names[2] = {quota_name, period_name};
    FILE *files[2] = {NULL, NULL};
    long long quota, period;

    for (size_t i = 0; i < 2; i++) {
        char path[PATH_MAX];
        bool fits = names[i] != NULL &&
                    snprintf(path, sizeof path, "%s/%s", folder, names[i]) < (int)sizeof path;
        files[i] = fits ? fopen(path, "re") : NULL;
    }
    FILE *second = period_name == NULL ? files[0] : files[1];
    if (files[0] != NULL && second != NULL && read_limit(files[0], &quota) &&
        read_limit(second, &period)) {
        size_t allowed = (size_t)(quota / period + (quota % period != 0));
        cores = allowed < cores ? allowed : cores;
    }
    for (size_t i = 0; i < 2; i++) {
        if (files[i] != NULL) {
            fclose(files[i]);
        }
    }
    return cores;
}

size_t machine_group_cores(const char *root, const char *own, size_t otherwise)
{
    char folder[PATH_MAX];
    size_t root_length = strlen(root);
    size_t cores = otherwise;

    if (snprintf(folder, sizeof folder, "%s/cpu", root) < (int)sizeof folder) {
        cores = quota_cores(folder, "cpu.cfs_quota_us", "cpu.cfs_period_us", cores);
    }
    if (snprintf(folder, sizeof folder, "%s%s", root, own) >= (int)sizeof folder) {
        return cores;
    }
    for (;;) {
        cores = quota_cores(folder, "cpu.max", NULL, cores);
        char *end = strrchr(folder, '/');
        if (end == NULL || (size_t)(end - folder) < root_length) {
            return cores;
        }
        *end = '\0';
    }
}

/* The path of this process's control group of version 2; "" where it has none. */
static void own_group(char *path, size_t path_bytes)
{
    FILE *file = fopen("/proc/self/cgroup", "re");
    char line[PATH_MAX];

    path[0] = '\0';
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "0::/", 4) == 0) {
            snprintf(path, path_bytes, "%s", line + 3);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
}

size_t machine_cores(void)
{
    cpu_set_t set;
    char own[PATH_MAX];
    size_t cores = sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;

    own_group(own, sizeof own);
    return machine_group_cores("/sys/fs/cgroup", own, cores < 1 ? 1 : cores);
}
