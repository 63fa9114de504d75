/* emit_sarif.h: a score as a log of static analysis, SARIF 2.1.0 (OASIS), which editors and code
 * hosts show at the lines.
 *
 *     runs[0].tool.driver         gpugrade, its version, a rule for each code that is in the log
 *     runs[0].automationDetails   "gpugrade/<coursework>/", so that logs of one coursework compare
 *     runs[0].invocations[0]      executionSuccessful is false where the grader or the machine
 *                                 failed; what failed is a notification there, not a result
 *     runs[0].results             diagnostics (error, warning), then remarks (note); a note too is
 *                                 what the emulated device does not know, which is nobody's mistake
 *
 * A rule is a code: its id ("R01"), name, title, and the page of `gpugrade explain` where the score
 * points to it (a course may want no hints). The id of the rule of remarks is "remark". Results
 * hold the diagnostic with its notes; secondary marks are related locations. Files are URIs
 * relative to the submission, or behind path_prefix to the repository. Code hosts refuse a whole
 * log for one result without a file: what has none, as a failure for a hidden shape, is shown at
 * line 1 of a file that the score names for the same launch, or else for anything, or else of
 * "whole-submission". A file outside of the submission (a header of the toolkit) has no URI: its
 * place stands in the message, and the result is shown as one without a file.
 *
 * Columns count bytes of UTF-8, as nvcc counts them, and a score holds no sources to convert them
 * by. SARIF knows no such unit; `columnKind` is the nearest one, unicodeCodePoints, which is the
 * same wherever only ASCII stands before the column, and the run's property "columnUnit" says so.
 *
 * The fingerprint "gpugrade/v1" is made of code, file, first criterion and the message without its
 * numbers: the same in every run and wherever the lines move. Equal ones are numbered.
 */
#ifndef GPUGRADE_REPORT_PLATFORM_EMIT_SARIF_H
#define GPUGRADE_REPORT_PLATFORM_EMIT_SARIF_H

#include "report/platform/emit.h"

emit_function emit_sarif;

#endif
