/* emit_summary.h: Markdown for $GITHUB_STEP_SUMMARY: the diagnostics are folded, the first is open.
 *
 *     gpugrade convert score.json --to summary >> "$GITHUB_STEP_SUMMARY"
 *
 * GitHub drops a summary that reaches 1 MiB, so there is room left for what else a step writes.
 */
#ifndef GPUGRADE_REPORT_PLATFORM_EMIT_SUMMARY_H
#define GPUGRADE_REPORT_PLATFORM_EMIT_SUMMARY_H

#include "report/platform/emit.h"

enum { EMIT_SUMMARY_BYTES_MAX = 1000 * 1000 };

emit_function emit_summary;

#endif
