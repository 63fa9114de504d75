/* roster.h: who is in the class: a CSV that a person wrote or a learning platform exported.
 *
 * Columns are recognised by their names, in any order, case and number; unknown ones are ignored.
 * It reads a plain list (id, name, email), Canvas' gradebook, Moodle's participants and grading
 * worksheet, Gradescope's roster, and what GitHub Classroom calls roster and grades. The roster is
 * personal data: it is read here and kept only in the store.
 */
#ifndef GPUGRADE_BATCH_ROSTER_H
#define GPUGRADE_BATCH_ROSTER_H

#include "batch/class_draft.h"
#include "batch/class_known.h"

struct roster {
    struct class_person *people; /* [count] in the order of the file */
    size_t count;
    const char *unread_time;  /* an example of a time that date.h cannot read */
    size_t unread_time_count; /* how many such times there are */
};

/* Reads a roster. The key of a person is the first of these that is there: id, SIS id, login,
 * email, Canvas id, Moodle id, name. Lines without any of them are skipped. Errors:
 * ERROR_NOT_FOUND, ERROR_IO, ERROR_SYNTAX, ERROR_RANGE (two lines with one key), blaming usage. */
enum error roster_read(struct arena *arena, const struct roster_source *source,
                       struct roster *out_roster, struct diagnostic *diagnostic);

/* Finds the owner of each entry. The first of these that gives an answer decides; missing data
 * decides nothing:
 *
 *     the roster     by Canvas, Moodle or GitHub identity, id, email, and then by name, if only one
 *                    person has it
 *     the link       the earlier owner of the submission, if that was a person of a roster or the
 *                    entry has only a name
 *     known people   everyone who has ever been in a roster, matched as in the roster
 *     the export     otherwise
 *
 * Entries with an owner get the person's key, name and address. The time comes from the export,
 * else the roster, else what is known of the submission, else of the person. `known` NULL: nothing
 * is known. A person whose key has changed gets `before`. Remarks are added for entries without an
 * owner in the roster, entries that change their owner, what is kept, what is missing, and times
 * that cannot be read. Call class_draft_name() first: each entry needs a unique name. */
void roster_apply(struct roster *roster, const struct class_known *known,
                  struct class_draft *draft);

#endif
