/* printed_terminal.h: what the programs of a submission printed, on a screen.
 *
 *     printed by tiled:
 *        | C(0,0) = 12
 *        | Occupancy: 1.0000
 *        and 1234 more bytes
 */
#ifndef GPUGRADE_REPORT_TERMINAL_PRINTED_TERMINAL_H
#define GPUGRADE_REPORT_TERMINAL_PRINTED_TERMINAL_H

#include "base/text.h"
#include "report/terminal/report_terminal.h"

enum { PRINTED_LINES_MAX = 40 };

/* Appends the beginning of each output: at most PRINTED_LINES_MAX lines, each cut where the screen
 * ends. Bytes that are not printable are escaped. */
void terminal_printed(const struct report *report, const struct terminal_style *style,
                      struct text *out);

#endif
