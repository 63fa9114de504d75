/* score_change.h: what changed between two scores of one submission.
 *
 *     changed since the last check:
 *        FAIL -> PASS  correct, tiled         0 -> 20
 *        FAIL          race-free, tiled       now R01, was W02
 *     score 62 -> 82 of 85
 */
#ifndef GPUGRADE_REPORT_SCORE_SCORE_CHANGE_H
#define GPUGRADE_REPORT_SCORE_SCORE_CHANGE_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "base/text.h"
#include "report/terminal/report_terminal.h"

/* What is compared of one criterion. */
struct score_row {
    const char *id, *title;
    const char *status; /* "passed", as in the score file */
    const char *code;   /* the cause's name, "shared_race"; "" for none */
    double points;
};

struct score_summary {
    const struct score_row *rows; /* [row_count] */
    size_t row_count;
    double score, measurable;
};

/* Reads a score file (schema gpugrade/score/v1). Everything lives in the arena. Errors:
 * ERROR_SYNTAX, if it is not one. */
enum error score_summary_read(struct arena *arena, const char *bytes, size_t length,
                              struct score_summary *out_summary, struct diagnostic *diagnostic);

/* Appends what changed from one score to the next; "nothing changed" if nothing did. */
void score_change(const struct score_summary *before, const struct score_summary *after,
                  const struct terminal_style *style, struct text *out);

#endif
