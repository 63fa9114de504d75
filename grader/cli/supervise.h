/* supervise.h: a task in a child process, with nothing left behind however it ends.
 *
 *     gpugrade (supervisor)   makes the work folder, forwards signals, waits, removes it
 *       gpugrade (grader)     TMPDIR is that folder; dies with the supervisor
 *         compilers, device processes, sandboxes
 *
 * The supervisor adopts every process that outlives its parent below it (child subreaper), so after
 * the grader has ended, also by a crash, whatever is left is killed before the folder goes. What
 * supervisors leave that are killed themselves, the next run removes (base/work_folder.h).
 */
#ifndef GPUGRADE_CLI_SUPERVISE_H
#define GPUGRADE_CLI_SUPERVISE_H

#include "cli/grader_bounds.h"

/* Runs `task` in a child and returns the exit status for the command line: the task's result, 128 +
 * n when signal n ended it (SIGINT, SIGTERM, SIGHUP, SIGQUIT), EXIT_GRADER if the task crashed.
 * What the task writes as lines to `stage_fd` is shown on standard error if that is a terminal and
 * a second has passed. Must be called before any thread is started.
 *
 * `watch` is what the task loads its oracle with; NULL: it loads none. A task that ends inside a
 * call of the oracle, by a signal or regularly, or that stays in one longer than the watch allows
 * (it is killed then), ended by a mistake of the coursework: this is said, the result is
 * EXIT_USAGE, and watch->ended is the sentence.
 *
 * `bounds` is what the task enters (grader_bounds.h); NULL: it enters none. A task that ends
 * because it reached one says so there and nowhere else; the result is EXIT_SOME_FAILED then. */
int supervise(int (*task)(void *context, int stage_fd), void *context, struct oracle_watch *watch,
              struct grader_bounds *bounds);

/* The same for a task that runs its user's own program in the foreground: the program decides what
 * a signal means. What the terminal sends (Ctrl-C) has reached the task and the program already,
 * and what another process sends is handed to the task; neither ends it here, and the result is
 * always the task's. */
int supervise_program(int (*task)(void *context, int stage_fd), void *context);

#endif
