/* line_fix.h: a line of the submission that should change.
 *
 *     3 -     int i = threadidx.x;      before
 *     3 +     int i = threadIdx.x;      after
 *
 * A compiler proposes it, or it is a fix that was tried (submission/fix_trial.h). Whoever makes one
 * has compared `before` with the submission's own file. */
#ifndef GPUGRADE_MODEL_LINE_FIX_H
#define GPUGRADE_MODEL_LINE_FIX_H

#include <stddef.h>

struct line_fix {
    const char *file; /* relative to the submission */
    int line;         /* from 1 */
    /* The whole line without its end; well-formed UTF-8, no control characters but tabs. */
    const char *before; /* NULL: `after` is a new line that follows this one */
    const char *after;  /* NULL: the line is removed */
};

enum { FIX_LINES_MAX = 3 }; /* that one fix changes together */

/* Lines that change together, in any order; new lines after the same one in their own. */
struct line_fixes {
    struct line_fix lines[FIX_LINES_MAX]; /* [count] */
    size_t count;
};

#endif
