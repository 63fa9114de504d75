/* trial_launches.h: what a whole program's launches do wrong only since their blocks do not fit.
 *
 * A program that tries its tiled kernel with blocks of another block width reads shared memory that
 * nobody wrote, or lets threads race: in that launch, which is not judged. So each such launch is
 * made once in a snapshot before it runs on the program's own data, and what is found then is taken
 * out of what the run found on that data. An access outside of an array stays: it ends the
 * program's work on a real GPU. What the judged launch does wrong as well is in its own samples.
 */
#ifndef GPUGRADE_SESSION_TRIAL_LAUNCHES_H
#define GPUGRADE_SESSION_TRIAL_LAUNCHES_H

#include "session/connection.h"

/* How many launches of different geometry are made in a snapshot; more are not forgiven. */
enum { TRIAL_LAUNCHES_MAX = 12 };

/* Zeroed at the start. */
struct trial_launches {
    struct launch_geometry seen[TRIAL_LAUNCHES_MAX]; /* [seen_count] */
    size_t seen_count;
    struct finding *findings; /* [finding_count] */
    size_t finding_count, finding_capacity;
};

/* Takes in what a held launch that does not fit will do; one of a geometry that was seen before, or
 * on a device that finds nothing, adds nothing. Errors: those of the connection; a device that is
 * lost is none. */
enum error trial_launches_note(struct trial_launches *misfits, struct connection *connection,
                               const char *launch_id, const struct held_launch *held,
                               struct diagnostic *diagnostic);

/* Takes what such launches did out of what a run found on the program's own data. */
void trial_launches_forgive(const struct trial_launches *misfits, struct arena *arena,
                            struct program_activity *activity);

#endif
