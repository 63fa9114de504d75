/* run_end.c: see run_end.h. */
#include "toolchain/run_end.h"

#include <signal.h>

/* A shell's status for a command that a signal ended. nvcc starts its steps through one and hands
 * its status on; no step of nvcc's ends with it by itself. */
enum { SHELL_STATUS_OF_SIGNAL = 128 };

/* A compiler that has this share of the memory that it may have was not killed for what others
 * use, and if it fails, then for want of memory. The largest ordinary files (Thrust, CUB) need a
 * third of it. One that aborts was refused a larger piece: a table that doubles has up to three
 * times its size while it grows. */
enum { MUCH_MEMORY_PART = 2, ABORTED_MEMORY_PART = 4 };

struct program_end run_end(const struct sandbox_end *end)
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

    static const enum ending_use uses[] = {
        [PROGRAM_COMPUTES] = ENDING_COMPUTED,
        [PROGRAM_IS_SERVED] = ENDING_SERVED,
        [PROGRAM_WAITS] = ENDING_WAITED,
    };
    bool is_wall = end->ending == SANDBOX_WALL_LIMIT;

    return (struct program_end){
        .ending = endings[end->ending],
        .use = is_wall ? uses[end->use] : ENDING_USE_UNKNOWN,
        .exit_status = end->exit_status,
        .signal = end->signal,
        .limit = end->limit,
        .reached = end->reached,
    };
}

static uint64_t bit_of(int signal)
{
    return signal > 0 && signal < 64 ? UINT64_C(1) << signal : 0;
}

/* What ended the tool or a step of it. */
static uint64_t signals_of(const struct sandbox_end *end)
{
    if (end->ending == SANDBOX_SIGNALLED) {
        return end->step_signals | bit_of(end->signal);
    }
    return end->step_signals | bit_of(end->exit_status - SHELL_STATUS_OF_SIGNAL);
}

static void set_limit(struct program_end *end, enum ending ending, uint64_t limit, uint64_t reached)
{
    end->ending = ending;
    end->limit = limit;
    end->reached = reached;
}

struct program_end run_end_of_tool(const struct sandbox_end *end,
                                   const struct sandbox_limits *limits, bool *out_by_machine)
{
    struct program_end result = run_end(end);
    bool failed = end->ending == SANDBOX_SIGNALLED ||
                  (end->ending == SANDBOX_EXITED && end->exit_status != 0);
    uint64_t signals = failed ? signals_of(end) : 0;
    bool was_killed = (signals & bit_of(SIGKILL)) != 0;
    uint64_t part = (signals & bit_of(SIGABRT)) != 0 ? ABORTED_MEMORY_PART : MUCH_MEMORY_PART;
    bool has_much = end->peak_memory_bytes >= limits->memory_bytes / part;
    /* Ticks, by which the kernel enforces the limit, run ahead of the time that it reports. */
    bool had_time = end->cpu_ns < limits->cpu_ns / 2;

    *out_by_machine = false;
    if ((signals & bit_of(SIGXCPU)) != 0 || (was_killed && !had_time)) {
        set_limit(&result, ENDING_CPU_LIMIT, limits->cpu_ns, end->cpu_ns);
    } else if ((signals & bit_of(SIGXFSZ)) != 0) {
        set_limit(&result, ENDING_FILE_LIMIT, limits->file_bytes, 0);
    } else if (failed && has_much) {
        /* Nobody reports that memory was refused. A table that doubles is refused while there is
         * room yet, so how much a compiler has then is a matter of chance. */
        set_limit(&result, ENDING_MEMORY_LIMIT, limits->memory_bytes, end->peak_memory_bytes);
    } else {
        *out_by_machine = was_killed;
    }
    return result;
}
