/* sandbox_cgroup_find.c: see sandbox_cgroup_find.h. */
#include "sandbox/sandbox_cgroup_find.h"

#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINE_BYTES = 3 * CGROUP_PATH_BYTES, OWN_GROUP = 1, FIRST_ANCESTOR, TYPE_BYTES = 32 };

/* One line of mountinfo, as far as it matters here. */
struct mount_line {
    char root[CGROUP_PATH_BYTES];  /* which folder of the file system is mounted */
    char point[CGROUP_PATH_BYTES]; /* where */
    char type[TYPE_BYTES];         /* "cgroup2" */
    char options[CGROUP_PATH_BYTES];
};

/* Is the word in a list? */
static bool list_has(const char *list, const char *separators, const char *word)
{
    size_t length = strlen(word);

    while (*list != '\0') {
        size_t item = strcspn(list, separators);
        if (item == length && strncmp(list, word, length) == 0) {
            return true;
        }
        list += item;
        list += strspn(list, separators);
    }
    return false;
}

/* Finds the mounted hierarchy of a version 1 controller, or with NULL that of cgroup 2. */
static bool find_mount(const char *controller, struct mount_line *out_mount)
{
    char line[LINE_BYTES];
    bool found = false;
    FILE *mounts = fopen("/proc/self/mountinfo", "re");

    if (mounts == NULL) {
        return false;
    }
    while (!found && fgets(line, sizeof line, mounts) != NULL) {
        /* "36 35 98:0 /root /point options ... - type source options" */
        const char *tail = strstr(line, " - ");
        if (tail == NULL ||
            sscanf(line, "%*s %*s %*s %4095s %4095s", out_mount->root, out_mount->point) != 2 ||
            sscanf(tail, " - %31s %*s %4095s", out_mount->type, out_mount->options) != 2) {
            continue;
        }
        found = controller == NULL ? strcmp(out_mount->type, "cgroup2") == 0
                                   : strcmp(out_mount->type, "cgroup") == 0 &&
                                         list_has(out_mount->options, ",", controller);
    }
    fclose(mounts);
    return found;
}

/* Reads this process's own group in a hierarchy; the lines are "number:controllers:path". */
static bool find_own_path(const char *controller, char out_path[CGROUP_PATH_BYTES])
{
    char line[LINE_BYTES];
    bool found = false;
    FILE *groups = fopen("/proc/self/cgroup", "re");

    if (groups == NULL) {
        return false;
    }
    while (!found && fgets(line, sizeof line, groups) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char *names = strchr(line, ':');
        char *path = names == NULL ? NULL : strchr(names + 1, ':');
        if (path == NULL || strlen(path + 1) >= CGROUP_PATH_BYTES) {
            continue;
        }
        *path = '\0';
        names++;
        found = controller == NULL ? *names == '\0' : list_has(names, ",", controller);
        if (found) {
            snprintf(out_path, CGROUP_PATH_BYTES, "%s", path + 1);
        }
    }
    fclose(groups);
    return found;
}

/* The folder of the own group: where the hierarchy is mounted, and the path below what is mounted.
 */
static bool find_own_folder(const char *controller, struct mount_line *out_mount,
                            char out_folder[CGROUP_PATH_BYTES])
{
    char path[CGROUP_PATH_BYTES];

    if (!find_mount(controller, out_mount) || !find_own_path(controller, path)) {
        return false;
    }
    const char *below = path;
    size_t root = strlen(out_mount->root);
    if (root > 1 && strncmp(path, out_mount->root, root) == 0) {
        below = path + root;
    }
    if (strcmp(below, "/") == 0 || text_starts_with(below, "/../")) {
        below = ""; /* the own group, or one outside of what is mounted: the mount's top */
    }
    int length = snprintf(out_folder, CGROUP_PATH_BYTES, "%s%s", out_mount->point, below);
    return length > 0 && length < CGROUP_PATH_BYTES;
}

bool cgroup_find_version_1(const char *controller, char out_folder[CGROUP_PATH_BYTES])
{
    struct mount_line mount;

    return find_own_folder(controller, &mount, out_folder);
}

static bool open_file(const char *folder, const char *name, const char *mode, FILE **out_file)
{
    char path[CGROUP_PATH_BYTES];
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);

    *out_file = length > 0 && length < CGROUP_PATH_BYTES ? fopen(path, mode) : NULL;
    return *out_file != NULL;
}

/* Does a list of controllers name both? */
static bool names_both(const char *folder, const char *name)
{
    char line[LINE_BYTES] = "";
    FILE *file;

    if (!open_file(folder, name, "re", &file)) {
        return false;
    }
    bool got = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    return got && list_has(line, " \n", "memory") && list_has(line, " \n", "pids");
}

static bool put_line(const char *folder, const char *name, const char *line)
{
    FILE *file;

    if (!open_file(folder, name, "we", &file)) {
        return false;
    }
    bool good = fputs(line, file) >= 0;
    return fclose(file) == 0 && good;
}

static bool enable_both(const char *folder)
{
    return names_both(folder, "cgroup.controllers") &&
           put_line(folder, "cgroup.subtree_control", "+memory +pids");
}

static bool is_own_program(long pid, const struct stat *own)
{
    char path[64];
    struct stat status;

    snprintf(path, sizeof path, "/proc/%ld/exe", pid);
    return pid > 0 && stat(path, &status) == 0 && status.st_dev == own->st_dev &&
           status.st_ino == own->st_ino;
}

/* Moves the processes of a group into `leaf`; if `moves` is false it only looks whether all of them
 * run gpugrade. */
static bool move_own(const char *folder, const char *leaf, bool moves)
{
    char line[64];
    struct stat own;
    bool good = stat("/proc/self/exe", &own) == 0;
    FILE *processes;

    if (!open_file(folder, "cgroup.procs", "re", &processes)) {
        return false;
    }
    while (good && fgets(line, sizeof line, processes) != NULL) {
        good = is_own_program(strtol(line, NULL, 10), &own) &&
               (!moves || put_line(leaf, "cgroup.procs", line));
    }
    fclose(processes);
    return good;
}

/* A group with processes cannot hand controllers down. If all of them are gpugrade's, they go into
 * a group below, which ends with the own group. */
static bool prepare_own_group(const char *folder)
{
    char leaf[CGROUP_PATH_BYTES];

    if (names_both(folder, "cgroup.subtree_control") || enable_both(folder)) {
        return true;
    }
    int length = snprintf(leaf, sizeof leaf, "%s/graders", folder);
    if (length < 0 || length >= CGROUP_PATH_BYTES || !names_both(folder, "cgroup.controllers") ||
        !move_own(folder, folder, false) || (mkdir(leaf, 0755) != 0 && errno != EEXIST)) {
        return false;
    }
    return move_own(folder, leaf, true) && enable_both(folder);
}

/* The ancestor that is `levels` above; false above the mount. */
static bool find_ancestor(const struct mount_line *mount, unsigned levels,
                          char folder[CGROUP_PATH_BYTES])
{
    for (; levels > 0; levels--) {
        char *slash = strrchr(folder, '/');
        if (slash == NULL || (size_t)(slash - folder) < strlen(mount->point)) {
            return false;
        }
        *slash = '\0';
    }
    return true;
}

bool cgroup_find_unified(unsigned index, char out_folder[CGROUP_PATH_BYTES])
{
    struct mount_line mount;
    bool qualifies = false;

    if (index < OWN_GROUP) {
        const char *given = getenv("GPUGRADE_CGROUP");
        qualifies = given != NULL && given[0] == '/' && strlen(given) < CGROUP_PATH_BYTES &&
                    (names_both(given, "cgroup.subtree_control") || enable_both(given));
        snprintf(out_folder, CGROUP_PATH_BYTES, "%s", qualifies ? given : "");
        return true;
    }
    if (!find_own_folder(NULL, &mount, out_folder) ||
        !find_ancestor(&mount, index - OWN_GROUP, out_folder)) {
        return false;
    }
    qualifies = index < FIRST_ANCESTOR ? prepare_own_group(out_folder)
                                       : names_both(out_folder, "cgroup.subtree_control");
    if (!qualifies) {
        out_folder[0] = '\0';
    }
    return true;
}
