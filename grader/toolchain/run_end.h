/* run_end.h: translates how a compiler or a program ended in the sandbox into the model's terms.
 *
 * Only facts decide who is to blame: the wait status, the wait statuses of a compiler's steps (nvcc
 * starts cicc, cudafe++ and g++, which starts cc1plus and as; jail_steps.h), what the control group
 * counted, processor time and memory. Printed text decides nothing: a source can make a compiler
 * print any text (#error, static_assert, an asm statement).
 *
 *   SIGXCPU, or SIGKILL after half of the processor time    the limit of processor time
 *   SIGXFSZ                                                 the limit of a file's size
 *   SIGKILL, and half of the memory was used                the limit of memory: the source needs
 *                                                           so much, not the machine has too little
 *   any other SIGKILL                                       the machine: its memory was full, or
 *                                                           someone killed the process
 *   anything else                                           the source: the tool's own message is
 *                                                           reported, also if a limit refused it
 *                                                           something, which is not counted
 *
 * If SIGKILL ends a student's program, that is the program's own failure, unless the control group
 * counted the kill. Without a control group, a machine whose memory is full leaves no other trace.
 * The counter oom_kill of /proc/vmstat is for the whole machine: kills of other work raise it too,
 * and a program can raise it with many processes, since each of them may use the whole limit
 * (SANDBOX_PER_PROCESS). What a program can cause itself is no excuse. A compiler's steps are known
 * and few, so if one of them is killed, the machine is to blame.
 */
#ifndef GPUGRADE_TOOLCHAIN_RUN_END_H
#define GPUGRADE_TOOLCHAIN_RUN_END_H

#include "model/observation.h"
#include "sandbox/sandbox.h"

#include <stdbool.h>

/* Translates the end of a program. */
struct program_end run_end(const struct sandbox_end *end);

/* Translates the end of a tool, including what ended its steps. *out_by_machine: it was killed, and
 * neither its source nor one of its limits is the reason. */
struct program_end run_end_of_tool(const struct sandbox_end *end,
                                   const struct sandbox_limits *limits, bool *out_by_machine);

#endif
