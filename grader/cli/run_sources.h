/* run_sources.h: reads the sources of a run: those that its findings name, to show their lines. */
#ifndef GPUGRADE_CLI_RUN_SOURCES_H
#define GPUGRADE_CLI_RUN_SOURCES_H

#include "base/arena.h"
#include "model/report.h"

/* Reads each file that a place of a finding names, once, if it is text; missing files are skipped.
 * Adds a remark for sources that are newer than the program. Everything lives in the arena. */
void run_sources_read(struct arena *arena, const char *program, struct report *report);

/* Adds a remark at the end, in the arena. */
void run_sources_remark(struct arena *arena, struct report *report, const char *message,
                        const char *file);

/* The first line of a source with a launch in a kernel or a device function; 0 if there is none. */
int run_sources_nested_launch(const char *path);

#endif
