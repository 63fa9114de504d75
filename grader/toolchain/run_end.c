/* run_end.c: see run_end.h. */
#include "toolchain/run_end.h"

#include <signal.h>
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

/* Is one of the lines this word and nothing else? A shell says so of what it had started. */
static bool has_line(const struct text *printed, const char *word)
{
    size_t length = strlen(word);

    for (const char *line = printed->bytes; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n' ? 1 : 0;
        if (strncmp(line, word, length) == 0 && (line[length] == '\n' || line[length] == '\0')) {
            return true;
        }
        if (*line == '\0') {
            return false;
        }
    }
    return false;
}

bool run_was_killed(const struct sandbox_end *end, const struct sandbox_limits *limits,
                    const struct text *printed)
{
    bool by_signal = end->ending == SANDBOX_SIGNALLED && end->signal == SIGKILL;
    bool by_child = end->ending == SANDBOX_EXITED && end->exit_status != 0 &&
                    (strstr(printed->bytes, "died due to signal 9") != NULL ||
                     strstr(printed->bytes, "Killed signal terminated program") != NULL ||
                     has_line(printed, "Killed"));

    /* The limit of processor time kills as well. */
    return (by_signal || by_child) && end->cpu_ns < limits->cpu_ns / 2;
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
