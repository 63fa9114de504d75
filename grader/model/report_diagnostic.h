/* report_diagnostic.h: one root cause as it is shown: what is wrong, where, what was seen, what
 * follows from it, what to do next.
 *
 *     error[R01]: shared array `Bs` is read while other threads ...     code, message
 *       --> a.cu:31:13                                                 file, line, column
 *        |
 *     27 |         Bs[ty][tx] = B[i];
 *        |         ---------- written by thread (3,5)                  marks
 *     31 |             sum += As[ty][k] * Bs[k][tx];
 *        |                                ^^^^^^^^^ read by thread (3,0)
 *        = fix:                                                        lines that should change
 *     27 -         Bs[ty][tx] = B[i];
 *     27 +         Bs[ty][tx] = B[j];
 *        = seen:    in 8 of 8 shapes, 26336 pairs                      notes
 *        = again:   gpugrade check . --only race-free.tiled
 *
 * Every emitter that shows more than a status shows these, and adds no text of its own. Texts are
 * well-formed UTF-8 and may contain text of the submission: emitters escape them.
 */
#ifndef GPUGRADE_MODEL_REPORT_DIAGNOSTIC_H
#define GPUGRADE_MODEL_REPORT_DIAGNOSTIC_H

#include "model/finding.h"
#include "model/line_fix.h"

#include <stdbool.h>
#include <stddef.h>

/* In the order in which they are shown. */
enum note_kind {
    NOTE_EXPECTED, /* expected and got, with absolute, relative and ulp error */
    NOTE_SEEN,     /* how often, in which shapes, block, thread */
    NOTE_SO,       /* a criterion that fails because of this */
    NOTE_ALSO,     /* criteria with the same cause */
    NOTE_NOTE,     /* something else worth knowing */
    NOTE_HINT,     /* the next step */
    NOTE_AGAIN,    /* the command that repeats just this */
    NOTE_EXPLAIN,  /* the command that shows more */
    NOTE_KINDS
};

struct diagnostic_note {
    enum note_kind kind;
    const char *text; /* without the kind's word */
};

/* What is underlined in one line. */
struct diagnostic_mark {
    const char *file; /* relative to the submission */
    int line;         /* from 1 */
    int column;       /* from 1, in bytes; 0: the whole line */
    int end;          /* the column after the mark; 0: of the name at `column` */
    bool is_primary;
    const char *label; /* "" for none */
};

struct report_diagnostic {
    enum severity severity;
    enum code code; /* CODE_NONE: the grader or the machine failed */
    const char *message;
    const char *file;                    /* "" where there is none */
    int line, column;                    /* 0 where unknown */
    const struct diagnostic_mark *marks; /* [mark_count] */
    size_t mark_count;
    const struct diagnostic_note *notes; /* [note_count], in the order of their kinds */
    size_t note_count;
    const struct line_fix *fixes; /* [fix_count] the change that a compiler proposes;
                                     FIX_LINES_MAX at most */
    size_t fix_count;
    const size_t *verdicts; /* [verdict_count] indices of the report's verdicts that fail for this,
                               directly or as a consequence; the first one is the cause's own */
    size_t verdict_count;
    const struct finding *finding; /* what was seen; NULL: nothing with a place */
};

/* "result", "seen", "so", "also", "note", "hint", "again", "explain" */
const char *note_kind_name(enum note_kind kind);

/* The end of a note of kind ALSO whose criteria do not look at this, but cannot be graded until it
 * is fixed. */
extern const char note_blocked_end[];

#endif
