/* roster.h: who is in the class: a CSV that a person wrote or a learning platform exported.
 *
 * Columns are recognised by their names, in whatever order, case and number; unknown ones are left
 * alone. Read are a plain list (id, name, email), Canvas' gradebook, Moodle's participants and
 * grading worksheet, Gradescope's roster, and what GitHub Classroom calls roster and grades. The
 * roster is personal data: it is read here, and kept in the store alone.
 */
#ifndef GPUGRADE_BATCH_ROSTER_H
#define GPUGRADE_BATCH_ROSTER_H

#include "batch/class_draft.h"
#include "batch/class_known.h"

struct roster {
    struct class_person *people; /* [count] in their order */
    size_t count;
    const char *unread_time;  /* what stands in the place of a moment (date.h), an example */
    size_t unread_time_count; /* how often something else stands there */
};

/* Reads a roster. The key of a person is the id, else the SIS id, login, email, Canvas id, Moodle
 * id or name, whatever there is first. Lines without any of them are no persons. Errors:
 * ERROR_NOT_FOUND, ERROR_IO, ERROR_SYNTAX, ERROR_RANGE (two lines with one key), blaming usage. */
enum error roster_read(struct arena *arena, const char *path, struct roster *out_roster,
                       struct diagnostic *diagnostic);

/* Finds whose the entries are. What says something decides, the absence of it nothing:
 *
 *     the roster     by Canvas, Moodle or GitHub identity, id, email, and then by name, as long as
 *                    only one person has it
 *     the link       the submission was somebody's of a roster before, or says nothing of itself
 *     who is known   as by a roster, among all that have been in one
 *     the export     else
 *
 * Those found get the person's key, name and address. The time is the export's, else the roster's,
 * else the one known of the submission, else of the person. `known` NULL: nothing. A person whose
 * key has changed gets `before`. There are remarks on entries that are nobody's, on those that get
 * another owner, on what is kept, on what has gone, and on times that cannot be read. Each entry
 * has a name of its own: class_draft_name(). */
void roster_apply(struct roster *roster, const struct class_known *known,
                  struct class_draft *draft);

#endif
