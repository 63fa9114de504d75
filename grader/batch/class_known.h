/* class_known.h: what RESULTS know about a class: who is who, and who handed in what, and when.
 *
 * What an export or a roster once said stays valid until another one says something else. If it is
 * only missing later (no roster, a missing column or line, another layout of the folder), it is
 * kept. store_known() reads it, roster_apply() decides.
 */
#ifndef GPUGRADE_BATCH_CLASS_KNOWN_H
#define GPUGRADE_BATCH_CLASS_KNOWN_H

#include "batch/class_list.h"

struct class_known_student {
    struct class_person person; /* `submitted`: from a roster, else of the last submission */
    bool in_roster;             /* the current one */
    bool was_in_roster;         /* some roster, maybe the current one, had this person */
};

struct class_known_submission {
    const char *submission;
    const char *student; /* key */
    int64_t submitted;   /* 0: not known */
    bool is_gone;        /* it was missing when the class was last read */
};

struct class_known {
    const struct class_known_student *students; /* [student_count] by key */
    size_t student_count;
    const struct class_known_submission *submissions; /* [submission_count] by name */
    size_t submission_count;
};

/* NULL if there is none. */
const struct class_known_student *class_known_student(const struct class_known *known,
                                                      const char *student);
const struct class_known_submission *class_known_submission(const struct class_known *known,
                                                            const char *submission);

#endif
