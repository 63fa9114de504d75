/* plain_findings.h: turns the result of a plain run into findings and remarks for its user. */
#ifndef GPUGRADE_SESSION_PLAIN_FINDINGS_H
#define GPUGRADE_SESSION_PLAIN_FINDINGS_H

#include "model/report.h"
#include "session/plain_run.h"

/* Fills findings and remarks, in the arena. Findings: what the device saw; failed launches that the
 * program never checked (errors); other failed calls (warnings, because it is not known whether the
 * program checked what they returned); launches that exceeded the deadline; what the emulated
 * device does not support; a crash. Remarks: errors that the program did check, and what explains
 * the run. */
void plain_findings(struct arena *arena, const struct plain_config *config,
                    const struct plain_run *run, struct report *report);

#endif
