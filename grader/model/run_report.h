/* run_report.h: what `gpugrade run` reports on one run of a program; emitters are pure functions of
 * it. */
#ifndef GPUGRADE_MODEL_RUN_REPORT_H
#define GPUGRADE_MODEL_RUN_REPORT_H

#include "model/observation.h"
#include "model/report.h"

struct run_report {
    const char *program;          /* as named on the command line */
    const char *const *arguments; /* [argument_count], those of the program */
    size_t argument_count;
    int exit_status;         /* of the program, if no signal ended it */
    int signal;              /* that ended the program; 0: none */
    const char *signal_name; /* "Segmentation fault"; "" if none */
    uint64_t launches;
    struct stream_totals streams;
    struct report seen; /* findings, remarks, sources, device, versions and seconds; it has no
                           rubric and no verdicts */
};

#endif
