/* line_fix.h: a line of the submission that a compiler would write in another way.
 *
 *     3 -     int i = threadidx.x;      before
 *     3 +     int i = threadIdx.x;      after
 *
 * Whoever makes one has compared `before` with the submission's own file. */
#ifndef GPUGRADE_MODEL_LINE_FIX_H
#define GPUGRADE_MODEL_LINE_FIX_H

struct line_fix {
    const char *file;           /* relative to the submission */
    int line;                   /* from 1 */
    const char *before, *after; /* the whole line without its end; well-formed UTF-8, no control
                                   characters but tabs */
};

enum { FIX_LINES_MAX = 3 }; /* that one message changes together */

#endif
