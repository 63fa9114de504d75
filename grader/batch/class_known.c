/* class_known.c: see class_known.h. */
#include "batch/class_known.h"

#include <stdlib.h>
#include <string.h>

static int compare_student(const void *key, const void *item)
{
    return strcmp(key, ((const struct class_known_student *)item)->person.student);
}

static int compare_submission(const void *key, const void *item)
{
    return strcmp(key, ((const struct class_known_submission *)item)->submission);
}

const struct class_known_student *class_known_student(const struct class_known *known,
                                                      const char *student)
{
    return known->student_count == 0 ? NULL
                                     : bsearch(student, known->students, known->student_count,
                                               sizeof *known->students, compare_student);
}

const struct class_known_submission *class_known_submission(const struct class_known *known,
                                                            const char *submission)
{
    return known->submission_count == 0
               ? NULL
               : bsearch(submission, known->submissions, known->submission_count,
                         sizeof *known->submissions, compare_submission);
}
