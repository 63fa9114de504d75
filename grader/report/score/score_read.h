/* score_read.h: a score file (schema gpugrade/score/v1, rubrics/score.schema.json) as a report.
 *
 * For every report R and every emitter E of report/platform: E(score_read(report_json(R))) = E(R),
 * byte for byte. What a score file does not contain is empty in the report: sources,
 * outputs, profiles, device code, everything of the rubric except id, version and hash.
 */
#ifndef GPUGRADE_REPORT_SCORE_SCORE_READ_H
#define GPUGRADE_REPORT_SCORE_SCORE_READ_H

#include "base/arena.h"
#include "base/diagnostic.h"
#include "model/report.h"

/* Reads [length] bytes of a score file, which may come from anywhere: numbers, sums, names and
 * sizes are checked. `file` is for messages. Everything of the report lives in the arena, its
 * rubric and its criteria too. Errors: ERROR_SYNTAX with the place (the input's fault),
 * ERROR_UNSUPPORTED (another version of the schema). */
enum error score_read(struct arena *arena, const char *bytes, size_t length, const char *file,
                      struct report *out_report, struct diagnostic *diagnostic);

#endif
