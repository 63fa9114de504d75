/* sandbox_judge.h: decides how a run ended from what was seen of it. No side effects. */
#ifndef GPUGRADE_SANDBOX_SANDBOX_JUDGE_H
#define GPUGRADE_SANDBOX_SANDBOX_JUDGE_H

#include "sandbox/sandbox.h"

/* What was seen. */
struct sandbox_facts {
    bool is_ordered;                /* the grader had it killed, for this reason: */
    enum sandbox_ending ordered;    /* not EXITED or SIGNALLED */
    bool is_starved;                /* ... STOPPED, as it got no processor (program_clock.h) */
    int status;                     /* of the program, as waitpid gives it */
    uint64_t step_signals;          /* see struct sandbox_end */
    enum program_use use;           /* of the program's own time, at WALL_LIMIT */
    uint64_t wall_ns;               /* without the time that the clock was held */
    uint64_t cpu_ns;                /* of all processes where that is known, else of the program */
    uint64_t largest_process_bytes; /* 0: unknown */
    uint64_t peak_memory_bytes;     /* of all processes together; 0: unknown */
    uint64_t memory_kills;          /* processes that the kernel killed for memory */
    uint64_t tasks_refused;         /* where they are counted */
    uint64_t peak_tasks;            /* 0: unknown */
    uint64_t file_bytes;            /* what was written in all */
    bool files_over;                /* see sandbox_files.h */
    uint64_t output_bytes;          /* of the longer output, as far as it was read */
};

void sandbox_judge(const struct sandbox_limits *limits, const struct sandbox_facts *facts,
                   struct sandbox_end *out_end);

#endif
