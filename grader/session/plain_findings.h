/* plain_findings.h: what a plain run showed, as findings and remarks for its user. */
#ifndef GPUGRADE_SESSION_PLAIN_FINDINGS_H
#define GPUGRADE_SESSION_PLAIN_FINDINGS_H

#include "model/report.h"
#include "session/plain_run.h"

/* Fills findings and remarks, in the arena. Findings: what the device saw; launches that failed
 * and that the program never asked about (errors); other calls of that kind (warnings: whether the
 * program looked at what they returned is not known); launches beyond the deadline; what the
 * emulated device does not know; a crash. Remarks: errors that the program asked for, and what
 * explains the run. */
void plain_findings(struct arena *arena, const struct plain_config *config,
                    const struct plain_run *run, struct report *report);

#endif
