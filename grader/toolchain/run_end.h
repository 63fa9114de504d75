/* run_end.h: how a compiler or a program ended in the sandbox, in the words of the model.
 *
 * Who is to blame is read off facts alone: the wait status, the wait statuses of a compiler's steps
 * (nvcc starts cicc, cudafe++ and g++, that starts cc1plus and as; jail_steps.h), what the control
 * group counted, processor time and memory. What is printed decides nothing: a source can have any
 * text printed (#error, static_assert, an asm statement).
 *
 *   SIGXCPU, or SIGKILL after half of the processor time    the limit of processor time
 *   SIGXFSZ                                                 the limit of a file
 *   SIGKILL, and half of the memory was used                the limit of memory: a source that
 *                                                           needs so much, not what is free
 *   any other SIGKILL                                       the machine: its memory was full, or
 *                                                           somebody killed it
 *   anything else                                           the source: the tool's own words are
 *                                                           told, also where a limit refused it
 *                                                           something, which nobody counts
 *
 * A student's program that SIGKILL ends has ended by a signal, which is its own failure, unless the
 * control group counted the kill. Where there is no control group, a machine whose memory is full
 * leaves no other trace: the counter oom_kill of /proc/vmstat is of the whole machine, so it rises
 * by other work's kills too, and a program can make it rise by many processes, each of which may
 * have all of the limit (SANDBOX_PER_PROCESS). What a program can bring about is no excuse. A
 * compiler's steps are known and few, so theirs is the machine's.
 */
#ifndef GPUGRADE_TOOLCHAIN_RUN_END_H
#define GPUGRADE_TOOLCHAIN_RUN_END_H

#include "model/observation.h"
#include "sandbox/sandbox.h"

#include <stdbool.h>

/* Translates. */
struct program_end run_end(const struct sandbox_end *end);

/* Translates the end of a tool, with what ended its steps. *out_by_machine: it was killed, and
 * neither its source nor a limit of its own is the reason. */
struct program_end run_end_of_tool(const struct sandbox_end *end,
                                   const struct sandbox_limits *limits, bool *out_by_machine);

#endif
