/* emit_csv.h: one submission as a table of a header and a row, with the columns that
 * `gpugrade report --format csv` has for a class (report/class/class_csv.h), by the same code. So
 * scores that were made one by one can be put below each other.
 *
 * The last part of the submission's name stands for the student, as nothing else is known of one;
 * what only a class knows is empty or 0: name, email, section, when it was handed in, lateness.
 */
#ifndef GPUGRADE_REPORT_PLATFORM_EMIT_CSV_H
#define GPUGRADE_REPORT_PLATFORM_EMIT_CSV_H

#include "report/platform/emit.h"

emit_function emit_csv;

#endif
