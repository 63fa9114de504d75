/* launch_case.h: sends a case to a program and waits for its launch.
 *
 * The program reads shapes and launches once for each. Its harness marks where the student's part
 * begins and ends (cudaProfilerStart and Stop). A launch counts between the marks, and the end mark
 * ends a case. A student who forges a mark only loses by it: a launch outside its case is not seen.
 * A program without input has one case, from its start to its end.
 *
 * Where a call is judged, the case is one call: its begin, an announcement for each operand, its
 * end (model/gpugrade.h). Calls of other functions are of no interest. Every mark is a claim of the
 * program: they must come in that order, each once.
 */
#ifndef GPUGRADE_SESSION_LAUNCH_CASE_H
#define GPUGRADE_SESSION_LAUNCH_CASE_H

#include "session/connection.h"

/* What a program did next. */
enum case_step {
    CASE_READY,    /* it begins the call: all operands are in connection.announced */
    CASE_LAUNCH,   /* it launches the observed kernel: the launch is held */
    CASE_OVER,     /* it has finished the case */
    CASE_DISORDER, /* its marks are out of order: walk.disorder */
    CASE_GONE      /* it has closed its channel, or is stopped */
};

/* A case that a program works on. */
struct case_walk {
    struct connection *connection;
    const struct rubric_launch *launch;
    bool in_region;       /* between the marks; of a call once it is ready */
    bool is_announcing;   /* the call has begun and is not ready yet */
    bool in_other;        /* a call of another function has begun */
    uint32_t announced;   /* operands so far, a bit each */
    const char *disorder; /* what is wrong with its marks */
};

/* Starts a case: what the program does from now on belongs to it. */
struct case_walk case_start(struct connection *connection, const struct rubric_launch *launch);

/* Takes an event of the program; true if that is a step of its case. Notes the addresses of
 * operands in the connection. */
bool case_take(struct case_walk *walk, const struct connection_event *event,
               enum case_step *out_step);

/* Lets the program continue to the next step of its case; *out_launch is filled at CASE_LAUNCH.
 * Errors: those of connection_resume. */
enum error case_next(struct case_walk *walk, struct held_launch *out_launch,
                     enum case_step *out_step, struct diagnostic *diagnostic);

/* The same for a session that holds a launch: a call that is ready goes on, with inputs for the
 * case of the observation, whose parameters and block are set. Marks out of order are as if the
 * program had gone. So no step is CASE_READY or CASE_DISORDER. */
enum error case_next_launch(struct case_walk *walk, const struct observation *observation,
                            struct held_launch *out_launch, enum case_step *out_step,
                            struct diagnostic *diagnostic);

/* The same, but continues to the launch with the number in the session's configuration. */
enum error case_next_numbered(struct case_walk *walk, const struct observation *observation,
                              struct held_launch *out_launch, enum case_step *out_step,
                              struct diagnostic *diagnostic);

/* Writes one line of numbers, the case as the program reads it; nothing for a program without
 * input. */
void case_send(struct connection *connection, const struct rubric_launch *launch,
               const int64_t *parameters);

/* The name, or the pattern, of the kernels that a session observes for a launch. */
const char *case_kernel(const struct session_config *config, const struct rubric_launch *launch);

/* The block width that a launch must have for these parameters, in elements (those without a unit
 * are enough). If the rubric does not say, the width that the session knows from an earlier run; 0:
 * not known yet. */
int64_t case_block_width(const struct session_config *config, const struct rubric_launch *launch,
                         const int64_t *parameters);

/* Takes the block width from the first launch of a run (then *block is 0); it must be an allowed
 * one. Later launches must have the same width. Sets the observation's block, or its failure. */
void case_learn_block(struct arena *arena, const struct rubric_launch *launch,
                      const struct held_launch *held, int64_t *block,
                      struct observation *observation);

/* The threads of a launch, of all its blocks; UINT64_MAX: too many to count. */
uint64_t case_threads(const struct launch_geometry *geometry);

#endif
