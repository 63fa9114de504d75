/* date.h: moments as text, read and written.
 *
 *     2026-11-20T23:59:00+01:00    RFC 3339, as rubrics have it
 *     2026-04-26 17:34:00.861 Z    with blanks, as exports of learning platforms have it
 *     2026-04-26 17:34:00 UTC
 *
 * The zone is part of a moment: text without one is rejected; nothing is guessed. Years are 1970 to
 * 9999, in the Gregorian calendar; a leap second is the second after it.
 */
#ifndef GPUGRADE_BASE_DATE_H
#define GPUGRADE_BASE_DATE_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* Reads a moment as seconds since 1970, fractions cut off; seconds may be left out. Blanks around
 * are accepted. False for everything else. */
bool date_read(const char *text, int64_t *out_seconds);

/* Appends a moment in UTC: "2026-11-20T22:59:00Z". */
void date_append(struct text *out, int64_t seconds);

#endif
