/* run_terminal.h: the result of `gpugrade run` on a screen, as a sanitizer prints it.
 *
 *     error[R01]: in `reduce`: ...
 *      --> reduce.cu:11:13
 *        |
 *     11 |             part[t] += part[t + s];
 *        |             ^^^^^^^ written by thread (0,0)
 *        = seen:    896 times in reduce
 *        = explain: gpugrade explain R01
 *
 *     gpugrade run: 1 finding (1 race) in 4 launches on the emulated H200
 */
#ifndef GPUGRADE_REPORT_TERMINAL_RUN_TERMINAL_H
#define GPUGRADE_REPORT_TERMINAL_RUN_TERMINAL_H

#include "base/text.h"
#include "model/run_report.h"
#include "report/terminal/report_terminal.h"

/* Appends findings, remarks and one line that sums up; without findings only that line. Unless
 * verbose, it shows only the first findings and says how many follow. */
void run_terminal(const struct run_report *report, const struct terminal_style *style,
                  struct text *out);

#endif
