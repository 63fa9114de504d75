/* sandbox_judge.c: see sandbox_judge.h.
 *
 * A limit that the grader or the kernel enforced by killing is told as it is. Limits that only
 * refuse something (a task, memory, room for files) are told if the program failed afterwards: one
 * that copes with a refusal has ended well.
 */
#include "sandbox/sandbox_judge.h"

#include <signal.h>
#include <sys/wait.h>

static void set_limit(struct sandbox_end *end, enum sandbox_ending ending, uint64_t limit,
                      uint64_t reached)
{
    end->ending = ending;
    end->limit = limit;
    end->reached = reached;
}

static uint64_t at_least(uint64_t value, uint64_t minimum)
{
    return value > minimum ? value : minimum;
}

/* The end that the program's status tells. */
static void judge_status(const struct sandbox_limits *limits, const struct sandbox_facts *facts,
                         struct sandbox_end *end)
{
    if (WIFEXITED(facts->status)) {
        end->ending = SANDBOX_EXITED;
        end->exit_status = WEXITSTATUS(facts->status);
        return;
    }
    end->ending = SANDBOX_SIGNALLED;
    end->signal = WTERMSIG(facts->status);
    /* Anyone may send these signals, so the time counts too. The kernel enforces the limit by
     * counting ticks, which on a busy machine runs well ahead of the time that it reports. */
    bool by_time = end->signal == SIGXCPU || end->signal == SIGKILL;
    if (by_time && facts->cpu_ns >= limits->cpu_ns / 2) {
        set_limit(end, SANDBOX_CPU_LIMIT, limits->cpu_ns, at_least(facts->cpu_ns, limits->cpu_ns));
    }
    if (end->signal == SIGXFSZ) {
        set_limit(end, SANDBOX_FILE_LIMIT, limits->file_bytes,
                  at_least(facts->file_bytes, limits->file_bytes));
    }
}

static void judge_order(const struct sandbox_limits *limits, const struct sandbox_facts *facts,
                        struct sandbox_end *end)
{
    switch (facts->ordered) {
    case SANDBOX_WALL_LIMIT:
        set_limit(end, SANDBOX_WALL_LIMIT, limits->wall_ns, facts->wall_ns);
        end->use = facts->use;
        break;
    case SANDBOX_CPU_LIMIT:
        set_limit(end, SANDBOX_CPU_LIMIT, limits->cpu_ns, facts->cpu_ns);
        break;
    case SANDBOX_OUTPUT_LIMIT:
        set_limit(end, SANDBOX_OUTPUT_LIMIT, limits->output_bytes, facts->output_bytes);
        break;
    case SANDBOX_FILE_LIMIT:
        set_limit(end, SANDBOX_FILE_LIMIT, limits->file_bytes, facts->file_bytes);
        break;
    default:
        end->ending = facts->ordered;
        break;
    }
}

static uint64_t near_limit(const struct sandbox_limits *limits)
{
    return limits->memory_bytes / 8 * 7;
}

/* Was it this program's memory that ran out? A kill while the group was far from its limit was for
 * the machine's memory. */
static bool ran_out_of_memory(const struct sandbox_limits *limits,
                              const struct sandbox_facts *facts)
{
    bool killed = facts->memory_kills > 0 &&
                  (facts->peak_memory_bytes == 0 || facts->peak_memory_bytes >= near_limit(limits));

    /* Nobody tells that an allocation was refused; a failure within an eighth of the limit is read
     * as one. */
    return killed || facts->largest_process_bytes >= near_limit(limits);
}

/* Tasks cost memory of the kernel, which counts as the group's (cgroup v2), also for a while after
 * one was refused. So who is refused tasks all the time, and has no large process, ran out of tasks
 * first. */
static bool ran_out_of_tasks(const struct sandbox_limits *limits, const struct sandbox_facts *facts)
{
    return limits->processes != 0 && facts->tasks_refused > limits->processes &&
           facts->largest_process_bytes < near_limit(limits);
}

void sandbox_judge(const struct sandbox_limits *limits, const struct sandbox_facts *facts,
                   struct sandbox_end *out_end)
{
    struct sandbox_end end = {
        .wall_ns = facts->wall_ns,
        .cpu_ns = facts->cpu_ns,
        .peak_memory_bytes = facts->largest_process_bytes,
        .step_signals = facts->step_signals,
        .is_starved = facts->is_ordered && facts->is_starved,
    };

    if (facts->is_ordered) {
        judge_order(limits, facts, &end);
    } else {
        judge_status(limits, facts, &end);
    }
    bool failed =
        end.ending == SANDBOX_SIGNALLED || (end.ending == SANDBOX_EXITED && end.exit_status != 0);
    bool out_of_time = end.ending == SANDBOX_WALL_LIMIT || end.ending == SANDBOX_CPU_LIMIT;
    bool by_tasks = limits->processes != 0 && facts->tasks_refused > 0;
    if (failed && ran_out_of_memory(limits, facts) && !ran_out_of_tasks(limits, facts)) {
        uint64_t peak = at_least(facts->peak_memory_bytes, facts->largest_process_bytes);
        set_limit(&end, SANDBOX_MEMORY_LIMIT, limits->memory_bytes, peak);
    } else if (by_tasks && (failed || out_of_time || end.ending == SANDBOX_OUTPUT_LIMIT)) {
        set_limit(&end, SANDBOX_PROCESS_LIMIT, limits->processes,
                  at_least(facts->peak_tasks, limits->processes));
    } else if (facts->files_over && (failed || end.ending == SANDBOX_EXITED)) {
        set_limit(&end, SANDBOX_FILE_LIMIT, limits->file_bytes, facts->file_bytes);
    } else if (facts->output_bytes > limits->output_bytes && end.ending == SANDBOX_EXITED) {
        set_limit(&end, SANDBOX_OUTPUT_LIMIT, limits->output_bytes, facts->output_bytes);
    }
    *out_end = end;
}
