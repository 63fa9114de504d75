/* run_sources.h: the sources that findings of a run name, for showing their lines. */
#ifndef GPUGRADE_CLI_RUN_SOURCES_H
#define GPUGRADE_CLI_RUN_SOURCES_H

#include "base/arena.h"
#include "model/report.h"

/* Reads each file that a place of a finding names, once, as long as it is text; files that are not
 * there are left out. A remark tells of sources that are newer than the program. Everything lives
 * in the arena. */
void run_sources_read(struct arena *arena, const char *program, struct report *report);

#endif
