/* run_facts.h: what a store keeps of a report in addition to its archive; pure. */
#ifndef GPUGRADE_BATCH_RUN_FACTS_H
#define GPUGRADE_BATCH_RUN_FACTS_H

#include "base/text.h"
#include "model/report.h"

/* Appends where the run took place, on one line: "emulated H200; sandbox A, cgroup v2; CUDA
 * 13.0". */
void run_machine(const struct report *report, struct text *out);

/* The code with this id ("W02"), CODE_NONE for ""; false if there is none. */
bool code_find(const char *id, enum code *out_code);

/* The status with this name; false if there is none. */
bool status_find(const char *name, enum status *out_status);

#endif
