/* run_json.h: the result of `gpugrade run`, schema gpugrade/run/v1 (rubrics/run.schema.json). */
#ifndef GPUGRADE_REPORT_SCORE_RUN_JSON_H
#define GPUGRADE_REPORT_SCORE_RUN_JSON_H

#include "base/text.h"
#include "model/run_report.h"

/* Appends the result as indented JSON. Keys come in a fixed order; if the program does the same
 * again, only "machine" and "seconds" differ. */
void run_json(const struct run_report *report, struct text *out);

#endif
