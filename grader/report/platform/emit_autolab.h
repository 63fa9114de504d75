/* emit_autolab.h: what an Autolab autograder prints: text, a line with stages ("Formatted
 * feedback"), and in the last line the scores, with nothing behind it ("Guide for lab authors").
 *
 *     62 of 85 points that were measured, 15 were not
 *     ...
 *     {"_presentation":"semantic","stages":["criteria","not measured here"],...}
 *     {"scores":{"compile":5,"correct.tiled":20}}
 *
 * The problems of the assessment are named as the criteria, by id; each gets the exact points. What
 * was skipped, or is the grader's fault, gets no score: Autolab leaves it open. It rejects scores
 * without any problem, and then gives 0 to all, so where nothing could be measured the first one
 * alone has 0. Autolab puts quotes around every word before a colon, inside strings too, so no
 * string here has a colon; and no line of text starts like JSON. */
#ifndef GPUGRADE_REPORT_PLATFORM_EMIT_AUTOLAB_H
#define GPUGRADE_REPORT_PLATFORM_EMIT_AUTOLAB_H

#include "report/platform/emit.h"

emit_function emit_autolab;

#endif
