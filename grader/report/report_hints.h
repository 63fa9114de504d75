/* report_hints.h: removes from a report what its rubric does not want students to see (enum hints).
 *
 *   fix      everything
 *   explain  all but fixes that were tried; those of compilers are part of their messages
 *   locate   what was seen and where, expected and got. Not: the next step, what a wrong result
 *            looks like (a named mistake is an ordinary wrong result), pages to read
 *   none     which criterion fails, and the kind of its cause. Not: places, numbers, findings,
 *            maps, profiles, facts. What compilers say about the submission's own text is shown
 *            in full.
 */
#ifndef GPUGRADE_REPORT_REPORT_HINTS_H
#define GPUGRADE_REPORT_REPORT_HINTS_H

#include "base/arena.h"
#include "model/report.h"

/* Copies a report with only what may be shown; `hints` of the copy says how much that is, apart
 * from fixes. The copy's arrays live in the arena; everything else is shared with the original. */
void report_apply_hints(const struct report *report, enum hints hints, struct arena *arena,
                        struct report *out_report);

/* The same for a report of `run`, which has findings and no verdicts: with `none` each finding says
 * its kind of cause, and the remarks are those of compilers. `run` tries no fixes. */
void report_limit_findings(const struct report *report, enum hints hints, struct arena *arena,
                           struct report *out_report);

#endif
