/* report_json.h: the score file, schema gpugrade/score/v1 (rubrics/score.schema.json). */
#ifndef GPUGRADE_REPORT_SCORE_REPORT_JSON_H
#define GPUGRADE_REPORT_SCORE_REPORT_JSON_H

#include "base/text.h"
#include "model/report.h"

/* Appends the score as indented JSON. Keys come in a fixed order; what varies between two runs with
 * the same seed is only in "measured", "machine" and "seconds". */
void report_json(const struct report *report, struct text *out);

#endif
