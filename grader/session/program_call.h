/* program_call.h: whole programs that are judged as one call each; session_run_launch uses it for
 * launches whose call is "main".
 *
 *   secret inputs -> files in the program's folder -> it runs -> it hands over its result ->
 *   what it did is counted -> it ends
 *
 * Each probe of a case is a run of its own.
 */
#ifndef GPUGRADE_SESSION_PROGRAM_CALL_H
#define GPUGRADE_SESSION_PROGRAM_CALL_H

#include "session/session.h"

/* Runs the cases until one of them ends badly. Errors: those of the connection. */
enum error program_call_run(const struct session_config *config, struct arena *arena, size_t launch,
                            const struct drawn_case *cases, size_t case_count,
                            struct launch_run *out_run, struct diagnostic *diagnostic);

#endif
