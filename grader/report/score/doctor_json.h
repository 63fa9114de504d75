/* doctor_json.h: what the doctor found as JSON, schema gpugrade/doctor/v1. */
#ifndef GPUGRADE_REPORT_SCORE_DOCTOR_JSON_H
#define GPUGRADE_REPORT_SCORE_DOCTOR_JSON_H

#include "base/text.h"
#include "model/doctor_report.h"

/* Appends the report as rubrics/doctor.schema.json describes it. */
void doctor_json(const struct doctor_report *report, struct text *out);

#endif
