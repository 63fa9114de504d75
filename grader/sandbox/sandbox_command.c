/* sandbox_command.c: see sandbox_command.h and jail.h. */
#include "sandbox/sandbox_command.h"

#include "base/clock.h"
#include "sandbox/jail.h"
#include "sandbox/sandbox_files.h"
#include "sandbox/sandbox_hidden.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The system's folders besides /usr; on a merged system all of them are links into /usr. */
static const char *const system_folders[] = {"/bin",   "/sbin",  "/lib",
                                             "/lib32", "/lib64", "/libx32"};
static const char *const system_files[] = {"/etc/alternatives", "/etc/ld.so.cache"};
static const char *const devices[] = {"/dev/null", "/dev/zero", "/dev/full", "/dev/random",
                                      "/dev/urandom"};

/* Landlock keeps signals to the program's own processes since this version. */
enum { LANDLOCK_SCOPES_SIGNALS = 6 };

enum { TASKS_BEHIND_GROUP = 16 };

static void add(struct argument_list *list, const char *argument)
{
    arena_grow(list->arena, &list->items, &list->capacity, list->count + 2, sizeof *list->items);
    list->items[list->count++] = argument;
    list->items[list->count] = NULL;
}

static void add_number(struct argument_list *list, uint64_t number)
{
    add(list, arena_printf(list->arena, "%llu", (unsigned long long)number));
}

static void add_three(struct argument_list *list, const char *option, const char *source,
                      const char *target)
{
    add(list, option);
    add(list, source);
    add(list, target);
}

/* How many tasks the user of this process runs; RLIMIT_NPROC counts them all. */
static uint64_t tasks_of_user(void)
{
    uint64_t tasks = 0;
    DIR *processes = opendir("/proc");

    if (processes == NULL) {
        return 0;
    }
    for (struct dirent *entry = readdir(processes); entry != NULL; entry = readdir(processes)) {
        char path[300];
        struct stat status;
        if (entry->d_name[0] < '0' || entry->d_name[0] > '9') {
            continue;
        }
        /* The number of links of the folder of a process's tasks is their number plus two. */
        snprintf(path, sizeof path, "/proc/%s/task", entry->d_name);
        if (stat(path, &status) == 0 && status.st_uid == geteuid() && status.st_nlink > 2) {
            tasks += (uint64_t)status.st_nlink - 2;
        }
    }
    closedir(processes);
    return tasks;
}

/* The value for RLIMIT_NPROC. The helper that waits for the program is one more task. Where the
 * kernel counts other tasks of the user too, they are added: the limit is then only as good as
 * that count, but a program is never stopped by what its user does elsewhere at its start. */
static uint64_t task_limit(const struct sandbox *sandbox, const struct sandbox_spec *spec,
                           uint32_t uid)
{
    if (spec->limits.processes == 0) {
        return 0;
    }
    bool own_count = uid != 0 || (sandbox->tier == SANDBOX_A && sandbox->counts_per_namespace);
    /* A control group refuses first, since it counts refusals. */
    uint64_t room = sandbox->tasks_group[0] != '\0' ? TASKS_BEHIND_GROUP : 1;
    return spec->limits.processes + room + (own_count ? 0 : tasks_of_user());
}

static void add_option(struct argument_list *list, const char *name, uint64_t number)
{
    add(list, name);
    add_number(list, number);
}

static void add_path(struct argument_list *list, const char *name, const char *path)
{
    add(list, name);
    add(list, path);
}

/* Which rows of denied_calls.def count. */
static unsigned filter_scopes(const struct sandbox *sandbox, uint32_t uid)
{
    unsigned scopes = JAIL_SCOPE_ALWAYS;

    if (!sandbox->filters_calls) {
        return 0;
    }
    if (sandbox->tier == SANDBOX_A) {
        return scopes;
    }
    scopes |= JAIL_SCOPE_SHARED;
    if (uid == 0) {
        scopes |= JAIL_SCOPE_ONE_USER;
        scopes |= sandbox->landlock_abi < LANDLOCK_SCOPES_SIGNALS ? JAIL_SCOPE_SIGNALS : 0;
    }
    return scopes;
}

/* A folder of which not all may be read. */
struct partly {
    const char *folder;
    struct partly *next;
};

/* Allows the entries of a folder but those that are hidden, and lists those that hold hidden ones.
 * Links are passed over: what they lead to is allowed where it lies, or nowhere. */
static void add_entries(struct argument_list *list, const struct sandbox *sandbox,
                        const char *folder, struct partly **rest)
{
    DIR *stream = opendir(folder); /* which sets FD_CLOEXEC */

    if (stream == NULL) {
        return;
    }
    for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
        const char *path = arena_printf(list->arena, "%s/%s", folder, entry->d_name);
        struct stat status;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0 ||
            lstat(path, &status) != 0 || S_ISLNK(status.st_mode) ||
            sandbox_is_hidden(sandbox, path)) {
            continue;
        }
        if (sandbox_holds_hidden(sandbox, path)) {
            struct partly *partly = arena_alloc(list->arena, sizeof *partly);
            *partly = (struct partly){path, *rest};
            *rest = partly;
        } else {
            add_path(list, "--read", path);
        }
    }
    closedir(stream);
}

/* Allows a folder or file of the system. Landlock can only add: where a hidden folder is in it,
 * all that lies beside the way to that is allowed instead. */
static void add_readable(struct argument_list *list, const struct sandbox *sandbox,
                         const char *path)
{
    char *resolved = sandbox->hidden_count == 0 ? NULL : realpath(path, NULL);

    if (resolved == NULL ||
        (!sandbox_holds_hidden(sandbox, resolved) && !sandbox_is_hidden(sandbox, resolved))) {
        add_path(list, "--read", path);
    } else if (!sandbox_is_hidden(sandbox, resolved)) {
        struct partly first = {.folder = arena_strdup(list->arena, resolved)};
        struct partly *rest = &first;
        while (rest != NULL) {
            const char *folder = rest->folder;
            rest = rest->next;
            add_entries(list, sandbox, folder, &rest);
        }
    }
    free(resolved);
}

/* What the program may see where the machine's files are all there. */
static void add_landlock(struct argument_list *list, const struct sandbox *sandbox,
                         const struct sandbox_spec *spec)
{
    add_option(list, "--landlock", (uint64_t)sandbox->landlock_abi);
    add_readable(list, sandbox, "/usr");
    for (size_t i = 0; i < sizeof system_folders / sizeof system_folders[0]; i++) {
        add_readable(list, sandbox, system_folders[i]);
    }
    for (size_t i = 0; i < sizeof system_files / sizeof system_files[0]; i++) {
        add_path(list, "--read", system_files[i]);
    }
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        add_path(list, "--write", devices[i]);
    }
    for (size_t i = 0; i < spec->mount_count; i++) {
        add_path(list, spec->mounts[i].writable ? "--write" : "--read", spec->mounts[i].source);
    }
    if (spec->temporary_folder != NULL) {
        add_path(list, "--write", spec->temporary_folder);
    }
}

static void add_supervise(struct argument_list *list, const struct sandbox *sandbox,
                          const struct sandbox_spec *spec, uint32_t uid)
{
    const struct sandbox_limits *limits = &spec->limits;

    add(list, "supervise");
    add_option(list, "--uid", sandbox->tier == SANDBOX_A ? 0 : uid);
    add_option(list, "--cpu-seconds",
               limits->cpu_ns / CLOCK_NS_PER_S + (limits->cpu_ns % CLOCK_NS_PER_S != 0));
    add_option(list, "--data-bytes", limits->memory_bytes);
    add_option(list, "--tasks", task_limit(sandbox, spec, uid));
    add_option(list, "--file-bytes", limits->file_bytes);
    add_option(list, "--channel", spec->channel_fd >= 0 ? 1 : 0);
    add_option(list, "--filter", filter_scopes(sandbox, uid));
    add_option(list, "--watch", spec->watches_steps ? 1 : 0);
    if (sandbox->tier == SANDBOX_B && sandbox->landlock_abi > 0) {
        add_landlock(list, sandbox, spec);
    }
    add_path(list, "--folder", spec->folder);
    add(list, "--");
    for (size_t i = 0; spec->arguments[i] != NULL; i++) {
        add(list, spec->arguments[i]);
    }
}

/* The system's programs and libraries, read only; links stay links. */
static void add_system(struct argument_list *list, const struct sandbox *sandbox)
{
    add_three(list, "--ro-bind", "/usr", "/usr");
    for (size_t i = 0; i < sandbox->hidden_count; i++) {
        const char *hidden = sandbox->hidden_folders[i];
        if (path_lies_in(hidden, "/usr")) {
            add(list, "--tmpfs");
            add(list, hidden);
            add(list, "--remount-ro");
            add(list, hidden);
        }
    }
    for (size_t i = 0; i < sizeof system_folders / sizeof system_folders[0]; i++) {
        char target[256];
        ssize_t length = readlink(system_folders[i], target, sizeof target - 1);
        if (length > 0) {
            add_three(list, "--symlink", arena_strndup(list->arena, target, (size_t)length),
                      system_folders[i]);
        } else {
            add_three(list, "--ro-bind-try", system_folders[i], system_folders[i]);
        }
    }
    for (size_t i = 0; i < sizeof system_files / sizeof system_files[0]; i++) {
        add_three(list, "--ro-bind-try", system_files[i], system_files[i]);
    }
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        add_three(list, "--dev-bind-try", devices[i], devices[i]);
    }
    add_three(list, "--symlink", "/proc/self/fd", "/dev/fd");
    add(list, "--proc");
    add(list, "/proc");
}

static void add_temporary(struct argument_list *list, const struct sandbox *sandbox,
                          const struct sandbox_spec *spec)
{
    if (spec->temporary_folder != NULL) {
        add_three(list, "--bind", spec->temporary_folder, "/tmp");
        return;
    }
    if (sandbox->sizes_tmpfs) {
        add(list, "--size");
        add_number(list, sandbox_files_room(spec->limits.file_bytes));
    }
    add(list, "--tmpfs");
    add(list, "/tmp");
}

/* Everything but what is named here is absent: the root is an empty folder in memory, which is made
 * read only when all is in its place. */
static void add_bubblewrap(struct argument_list *list, const struct sandbox *sandbox,
                           const struct sandbox_spec *spec)
{
    static const char *const options[] = {"--unshare-all", "--die-with-parent", "--as-pid-1"};

    add(list, sandbox->bwrap_path);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        add(list, options[i]);
    }
    add_system(list, sandbox);
    add_temporary(list, sandbox, spec);
    for (size_t i = 0; i < spec->mount_count; i++) {
        const struct sandbox_mount *mount = &spec->mounts[i];
        add_three(list, mount->writable ? "--bind" : "--ro-bind", mount->source, mount->target);
    }
    add(list, "--remount-ro");
    add(list, "/");
    add(list, "--");
    /* By descriptor: the helper may lie in a folder that the user of the sandbox cannot enter. */
    add(list, arena_printf(list->arena, "/proc/self/fd/%d", (int)JAIL_SELF_FD));
}

const char *const *sandbox_command(struct arena *arena, const struct sandbox *sandbox,
                                   const struct sandbox_spec *spec, uint32_t uid)
{
    struct argument_list list = {.arena = arena};

    add(&list, "gpugrade-jail");
    if (sandbox->tier == SANDBOX_A) {
        add(&list, "enter");
        add_number(&list, uid);
        add_bubblewrap(&list, sandbox, spec);
    }
    add_supervise(&list, sandbox, spec, uid);
    return list.items;
}

const char *const *sandbox_environment(struct arena *arena, const struct sandbox *sandbox,
                                       const struct sandbox_spec *spec)
{
    static const char *const plain[] = {"PATH=/usr/bin:/bin", NULL};
    static const char *const nothing[] = {NULL};
    const char *const *given = spec->environment == NULL ? plain : spec->environment;
    struct argument_list list = {.arena = arena};

    for (size_t i = 0; given[i] != NULL; i++) {
        add(&list, arena_printf(arena, "%c%s", JAIL_VARIABLE_MARK, given[i]));
    }
    if (sandbox->tier != SANDBOX_A && spec->temporary_folder != NULL) {
        add(&list, arena_printf(arena, "%cTMPDIR=%s", JAIL_VARIABLE_MARK, spec->temporary_folder));
    }
    return list.count == 0 ? nothing : list.items;
}

const char *sandbox_tier_name(enum sandbox_tier tier)
{
    static const char *const names[] = {"auto", "A", "B", "C"};

    return (unsigned)tier < sizeof names / sizeof names[0] ? names[tier] : "?";
}
