/* progress.h: the progress of a batch as text: a bar that is redrawn on a terminal, a line for each
 * submission elsewhere, one line at the end. Pure. */
#ifndef GPUGRADE_BATCH_PROGRESS_H
#define GPUGRADE_BATCH_PROGRESS_H

#include "base/text.h"
#include "batch/batch_run.h"

/* Appends "[######......]  12/200  31/min  6 min left  3 failed", without a newline, at most
 * `columns` wide: with fewer columns the bar becomes shorter, then the last facts are dropped. */
void progress_bar(const struct batch_progress *progress, int columns, struct text *out);

/* Appends "graded   s_017  62/100  4.1 s" and a newline; for what could not be graded, or has
 * nothing to grade, also the reason. */
void progress_event(const struct batch_event *event, struct text *out);

/* Appends the summary of the batch, one line, and a newline. */
void progress_summary(const struct batch_progress *progress, struct text *out);

/* Appends a time in words: "41 s", "6 min", "2 h 05 min". */
void progress_append_time(double seconds, struct text *out);

#endif
