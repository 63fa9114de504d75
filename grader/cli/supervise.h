/* supervise.h: runs a task in a child process, and cleans up however the task ends.
 *
 *     gpugrade (supervisor)   makes the work folder, forwards signals, waits, removes it
 *       gpugrade (grader)     TMPDIR is that folder; dies with the supervisor
 *         compilers, device processes, sandboxes
 *
 * The supervisor adopts every descendant process that outlives its parent (child subreaper). So
 * after the grader has ended, even by a crash, it kills all remaining processes before it removes
 * the folder. If a supervisor itself is killed, the next run removes its folder
 * (base/work_folder.h).
 */
#ifndef GPUGRADE_CLI_SUPERVISE_H
#define GPUGRADE_CLI_SUPERVISE_H

#include "cli/grader_bounds.h"

/* Runs `task` in a child and returns the exit status for the command line: the task's result, 128 +
 * n if signal n ended it (SIGINT, SIGTERM, SIGHUP, SIGQUIT), EXIT_GRADER if the task crashed. The
 * task says what it does with supervise_stage(), which is shown on standard error if that is a
 * terminal and a second has passed: with the time since the start, in a line that is written again
 * each second. Before the task itself prints, it calls supervise_stage(stage_fd, ""). Must be
 * called before any thread is started.
 *
 * The task loads its oracle with `watch`; NULL: it loads none. The coursework is at fault if the
 * task ends inside a call of the oracle, by a signal or by exiting, or if a call takes longer than
 * the watch allows, for which the task is killed. This is reported, the result is EXIT_USAGE, and
 * watch->ended is the message.
 *
 * The task enters `bounds` (grader_bounds.h); NULL: it enters none. If the task ends because it
 * reached a bound, only `bounds` records that; the result is EXIT_SOME_FAILED. */
int supervise(int (*task)(void *context, int stage_fd), void *context, struct oracle_watch *watch,
              struct grader_bounds *bounds);

/* The same for a task that runs the user's own program in the foreground, where the program decides
 * what a signal means. Signals from the terminal (Ctrl-C) reach the task and the program directly;
 * signals from another process are passed on to the task. Each stage is a line of its own. Neither
 * signal makes the supervisor end the task, and the result is always the task's. */
int supervise_program(int (*task)(void *context, int stage_fd), void *context);

/* Says what the task does from now on; "": nothing that is worth a line, and what was shown of it
 * is erased. Without a supervisor it does nothing. Thread-safe. */
void supervise_stage(int stage_fd, const char *stage);

#endif
