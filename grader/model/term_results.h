/* term_results.h: the results of several courseworks together: plain structs, filled by
 * batch/term_totals.h, read by the emitters of report/class/.
 *
 * A term consists of parts with weights, and a part of courseworks with weights. A share is a mark
 * divided by what it is out of: 0 to 1, more with a bonus.
 */
#ifndef GPUGRADE_MODEL_TERM_RESULTS_H
#define GPUGRADE_MODEL_TERM_RESULTS_H

#include "model/class_results.h"

struct term_coursework {
    const char *folder; /* RESULTS, as the file of the term names it */
    size_t part;
    double weight;    /* in its part, > 0 */
    const char *page; /* file name of the page on its class */
    const struct class_results *results;
};

struct term_part {
    const char *title;
    double weight; /* in the term, > 0 */
    size_t best;   /* how many courseworks count, the best ones of a student; 0: all */
};

struct term {
    const char *title;
    double out_of;                 /* what totals are out of, > 0 */
    const struct term_part *parts; /* [part_count] */
    size_t part_count;
    struct term_coursework *courseworks; /* [coursework_count], those of a part together */
    size_t coursework_count;
};

enum term_state {
    TERM_MISSING, /* nothing handed in, or not in that class: a share of 0 */
    TERM_MARK,
    TERM_OPEN,    /* there is no mark yet */
    TERM_EXCUSED, /* there is none, and none is wanted */
};

/* What one student has in one coursework. */
struct term_cell {
    enum term_state state;
    size_t row;    /* in the coursework's results; SIZE_MAX: not in that class */
    double share;  /* MARK, MISSING; else 0 */
    bool is_taken; /* the total has it; false: it is dropped, or has no share */
};

struct term_student {
    const char *student; /* the key in the first coursework that has them */
    const char *name, *email;
    const struct term_cell *cells; /* [coursework_count] */
    double total;                  /* out of term->out_of */
    bool has_total;                /* false: nothing counts yet, or all is excused */
    bool is_complete;              /* no cell is OPEN */
};

struct term_results {
    const struct term *term;
    const struct term_student *students; /* [student_count] by key */
    size_t student_count;
};

#endif
