/* emit_vpl.h: a score as the output of an evaluation in Moodle's VPL (Virtual Programming Lab), to
 * be printed by vpl_execution as it is:
 *
 *     Comment :=>>-Score: 62 of 85 points that were measured, 15 were not
 *     <|--
 *     -compile: passed, 5 of 5 points
 *     -race-free, tiled: failed, 0 of 10 points
 *     error[R01]: shared array `Bs` is read while other threads still write it
 *       at exercise1_tiled.cu:31:13
 *     --|>
 *
 *     Grade :=>>72.94118
 *
 * What VPL's proposedcomment() and result_to_html() make of it: a line behind "Comment :=>>", and
 * each line between <|-- and --|>, is a comment; one that starts with - is the title of those below
 * it, "file:line" becomes a link to the student's line. The grade is the last line that starts with
 * "Grade :=>>". Every foreign line is made harmless by escape_vpl_line, so none can be such a line.
 *
 * The grade is what was earned of what this machine could measure, in percent, 100 at most (points
 * on top cannot lead beyond). VPL wants it between the activity's two marks, which only its scripts
 * know (VPL_GRADEMIN, VPL_GRADEMAX): docker/vpl puts it there. No grade is printed where the grader
 * or the machine failed at a criterion, or where nothing was measured: nobody gets less, or more,
 * for what is not his fault.
 */
#ifndef GPUGRADE_REPORT_PLATFORM_EMIT_VPL_H
#define GPUGRADE_REPORT_PLATFORM_EMIT_VPL_H

#include "report/platform/emit.h"

emit_function emit_vpl;

#endif
