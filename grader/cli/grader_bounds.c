/* grader_bounds.c: see grader_bounds.h. */
#include "cli/grader_bounds.h"

#include "base/json.h"
#include "base/sanitized.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* What a handler of signals can reach: of this process, which grades one submission. */
static struct grader_bounds *bounds_here;
static const struct oracle_watch *watch_here;

struct grader_bounds *grader_bounds_new(void)
{
    struct grader_bounds *bounds =
        mmap(NULL, sizeof *bounds, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (bounds == MAP_FAILED) {
        abort();
    }
    return bounds;
}

void grader_bounds_free(struct grader_bounds *bounds)
{
    if (bounds != NULL) {
        munmap(bounds, sizeof *bounds);
    }
}

enum code grader_bounds_code(const struct grader_bounds *bounds)
{
    switch (atomic_load(&bounds->reached)) {
    case BOUND_MEMORY:
        return CODE_GRADER_MEMORY;
    case BOUND_TIME:
        return CODE_GRADER_TIME;
    default:
        return CODE_NONE;
    }
}

/* Memory was refused to whoever calls abort(): that is told apart from a mistake of ours. */
static void end_without_memory(int number)
{
    (void)number;
    if (errno == ENOMEM && (watch_here == NULL || !oracle_watch_is_inside(watch_here))) {
        atomic_store(&bounds_here->reached, BOUND_MEMORY);
        _exit(EXIT_FAILURE);
    }
}

/* The data of this process, as RLIMIT_DATA counts it; 0 if that cannot be read. */
static uint64_t data_bytes(void)
{
    static const char key[] = "VmData:";
    FILE *status = fopen("/proc/self/status", "re");
    char line[256];
    uint64_t kilobytes = 0;

    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (strncmp(line, key, sizeof key - 1) == 0) {
            kilobytes = strtoull(line + sizeof key - 1, NULL, 10);
        }
    }
    if (status != NULL) {
        fclose(status);
    }
    return kilobytes * 1024;
}

static void *allocate_or_end(size_t bytes)
{
    void *memory = malloc(bytes);

    if (memory == NULL) {
        abort();
    }
    return memory;
}

static void bind_memory(uint64_t bytes)
{
    cJSON_Hooks hooks = {.malloc_fn = allocate_or_end, .free_fn = free};
    struct sigaction action = {.sa_handler = end_without_memory};
    struct rlimit limit;

    if (IS_SANITIZED || getrlimit(RLIMIT_DATA, &limit) != 0) {
        return;
    }
    bytes += data_bytes();
    sigaction(SIGABRT, &action, NULL);
    cJSON_InitHooks(&hooks); /* it would leave out what it has no memory for */
    if (limit.rlim_cur > bytes) {
        limit.rlim_cur = bytes;
        setrlimit(RLIMIT_DATA, &limit);
    }
}

void grader_bounds_enter(struct grader_bounds *bounds, const struct limits *limits,
                         const struct oracle_watch *watch)
{
    bounds_here = bounds;
    watch_here = watch;
    atomic_store(&bounds->cpu_ns, limits->grader_cpu_ns);
    bind_memory(limits->grader_memory_bytes);
}
