/* program_clock.h: how much of the elapsed time is charged to a program.
 *
 * A limit of wall time must mean the same on a busy machine. So no time is charged while the
 * program wanted a processor and got none (the run delay of schedstat), or while the device that it
 * waits for worked or got no processor. A program that sleeps, waits for a lock or computes pays in
 * full: what it computes is always charged, even where its own threads compete for processors.
 *
 *     of a slice of time:  computed by the program | starved | the device worked | anything else
 *     charged:             yes                     | no      | no, up to a bound | yes
 *
 * How the charged time was spent shows why a program did not finish.
 */
#ifndef GPUGRADE_SANDBOX_PROGRAM_CLOCK_H
#define GPUGRADE_SANDBOX_PROGRAM_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* More threads than a program may have; any beyond this are ignored. */
enum { TASK_TIMES_MAX = 256 };

/* How long a thread has computed, and waited for a processor. */
struct task_time {
    pid_t task;
    uint64_t cpu_ns, delay_ns;
};

struct task_times {
    struct task_time tasks[TASK_TIMES_MAX];
    size_t count;
};

struct program_clock {
    uint64_t since_ns;    /* when it was read or started last; 0: it stands still */
    uint64_t slice_ns;    /* run since the last look */
    bool was_held;        /* it stood still in that slice: the device may have worked for others */
    uint64_t charged_ns;  /* by looks so far, of it: */
    uint64_t computed_ns; /* ... what the program computed */
    uint64_t served_ns;   /* ... while the device worked, past the bound */
    uint64_t starved_ns, device_ns;    /* not charged */
    struct task_times program, device; /* at the last look */
};

/* Starts it, or lets it go on; and stops it. */
void program_clock_start(struct program_clock *clock, uint64_t now_ns);
void program_clock_stop(struct program_clock *clock, uint64_t now_ns);

/* What is charged if nothing that has passed since the last look was starved. */
uint64_t program_clock_most_ns(const struct program_clock *clock, uint64_t now_ns);

/* How most of the charged time was spent. */
enum program_use {
    PROGRAM_COMPUTES,  /* it was on a processor */
    PROGRAM_IS_SERVED, /* the device worked for it */
    PROGRAM_WAITS,     /* neither: it slept, or waited for a lock, a process or input */
};

enum program_use program_clock_use(const struct program_clock *clock);

/* Divides the time since the last look; the times are those of all threads of the program, and of
 * the device it waits for (none: an empty list). */
void program_clock_look(struct program_clock *clock, uint64_t now_ns,
                        const struct task_times *program, const struct task_times *device);

/* Appends the threads of a process; of one that is gone there are none. */
void task_times_read(pid_t process, struct task_times *times);

/* Appends the threads of a process and of all that descend from it. */
void task_times_read_tree(pid_t process, struct task_times *times);

#endif
