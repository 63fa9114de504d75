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

/* A person, and when their submission came, where the roster tells that. */
struct roster_person {
    struct class_person person;
    int64_t submitted; /* seconds since 1970; 0: not told */
    const char
        *unread_time; /* what stands there instead of a moment (date.h); "" if nothing does */
};

struct roster {
    const struct roster_person *people; /* [count] in their order */
    size_t count;
};

/* Reads a roster. The key of a person is the id, else the SIS id, login, email, Canvas id, Moodle
 * id or name, whatever there is first. Lines without any of them are no persons. Errors:
 * ERROR_NOT_FOUND, ERROR_IO, ERROR_SYNTAX, ERROR_RANGE (two lines with one key), blaming usage. */
enum error roster_read(struct arena *arena, const char *path, struct roster *out_roster,
                       struct diagnostic *diagnostic);

/* Finds whose the entries are: by Canvas, Moodle or GitHub identity, id, email, and then by name,
 * as long as only one person has it. Those found get the person's key, name and address, and the
 * time if they have none; there is a remark on each of the others, and one on times that cannot be
 * read. */
void roster_apply(const struct roster *roster, struct class_draft *draft);

#endif
