/* run_end.c: see run_end.h. */
#include "toolchain/run_end.h"

#include <string.h>

enum ending run_refusal(const struct text *printed)
{
    static const struct {
        const char *phrase;
        enum ending ending;
    } rows[] = {
        {"out of memory", ENDING_MEMORY_LIMIT},
        {"std::bad_alloc", ENDING_MEMORY_LIMIT},
        {"memory exhausted", ENDING_MEMORY_LIMIT},
        {"Cannot allocate memory", ENDING_MEMORY_LIMIT},
        {"File size limit exceeded", ENDING_FILE_LIMIT},
        {"No space left on device", ENDING_FILE_LIMIT},
        {"CPU time limit exceeded", ENDING_CPU_LIMIT},
        {"Resource temporarily unavailable", ENDING_PROCESS_LIMIT},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strstr(printed->bytes, rows[i].phrase) != NULL) {
            return rows[i].ending;
        }
    }
    return ENDING_EXITED;
}

/* The value of a limit that was refused, as far as one may be. */
static uint64_t limit_of(const struct sandbox_limits *limits, enum ending refusal)
{
    switch (refusal) {
    case ENDING_MEMORY_LIMIT:
        return limits->memory_bytes;
    case ENDING_FILE_LIMIT:
        return limits->file_bytes;
    case ENDING_CPU_LIMIT:
        return limits->cpu_ns;
    case ENDING_PROCESS_LIMIT:
        return limits->processes;
    default:
        return 0;
    }
}

struct program_end run_end(const struct sandbox_end *end, const struct sandbox_limits *limits,
                           enum ending refusal)
{
    static const enum ending endings[] = {
        [SANDBOX_EXITED] = ENDING_EXITED,
        [SANDBOX_SIGNALLED] = ENDING_SIGNALLED,
        [SANDBOX_WALL_LIMIT] = ENDING_WALL_LIMIT,
        [SANDBOX_CPU_LIMIT] = ENDING_CPU_LIMIT,
        [SANDBOX_MEMORY_LIMIT] = ENDING_MEMORY_LIMIT,
        [SANDBOX_PROCESS_LIMIT] = ENDING_PROCESS_LIMIT,
        [SANDBOX_OUTPUT_LIMIT] = ENDING_OUTPUT_LIMIT,
        [SANDBOX_FILE_LIMIT] = ENDING_FILE_LIMIT,
        [SANDBOX_STOPPED] = ENDING_STOPPED,
    };
    struct program_end result = {
        .ending = endings[end->ending],
        .exit_status = end->exit_status,
        .signal = end->signal,
        .limit = end->limit,
        .reached = end->reached,
    };
    bool failed = end->ending == SANDBOX_SIGNALLED ||
                  (end->ending == SANDBOX_EXITED && end->exit_status != 0);

    if (refusal != ENDING_EXITED && failed) {
        result.ending = refusal;
        result.limit = limit_of(limits, refusal);
        result.reached = refusal == ENDING_MEMORY_LIMIT ? end->peak_memory_bytes : 0;
    }
    return result;
}
