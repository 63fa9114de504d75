/* trial_launches.h: forgives mistakes of trial launches that are due to their block width alone.
 *
 * A whole program may try its tiled kernel with another block width. In that launch, which is not
 * judged, the kernel may read shared memory that no thread wrote, or threads may race. So each such
 * launch is first made once on a snapshot, before it runs on the program's own data. What is found
 * then is removed from the findings on that data. Out-of-bounds accesses stay: on a real GPU they
 * end the program's work. If the judged launch makes the same mistake, its own samples show it.
 */
#ifndef GPUGRADE_SESSION_TRIAL_LAUNCHES_H
#define GPUGRADE_SESSION_TRIAL_LAUNCHES_H

#include "session/connection.h"

/* How many launches of different geometry are made on a snapshot; further ones are not forgiven. */
enum { TRIAL_LAUNCHES_MAX = 12 };

/* Starts zeroed. */
struct trial_launches {
    struct launch_geometry seen[TRIAL_LAUNCHES_MAX]; /* [seen_count] */
    size_t seen_count;
    struct finding *findings; /* [finding_count] */
    size_t finding_count, finding_capacity;
};

/* Records the mistakes of a held launch with another block width. Adds nothing for a geometry that
 * was seen before, or on a device that finds nothing. Errors: those of the connection; losing the
 * device is not an error. */
enum error trial_launches_note(struct trial_launches *misfits, struct connection *connection,
                               const char *launch_id, const struct held_launch *held,
                               struct diagnostic *diagnostic);

/* Removes the mistakes of such launches from what a run found on the program's own data. */
void trial_launches_forgive(const struct trial_launches *misfits, struct arena *arena,
                            struct program_activity *activity);

#endif
