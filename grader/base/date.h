/* date.h: moments as text, read and written.
 *
 *     2026-11-20T23:59:00+01:00              RFC 3339, as rubrics have it
 *     2026-04-26 17:34:00.861 Z              with blanks, as exports of learning platforms have it
 *     2026-04-26 17:34:00 UTC
 *     Friday, 20 November 2026, 10:00 PM     Moodle
 *     Nov 20, 2026 at 10:00pm                Canvas
 *
 * A moment has a zone. Where the text has none, the caller names one, or it is rejected; nothing is
 * guessed. Dates in digits alone are year, month, day. Months have English, German, French,
 * Spanish, Italian, Portuguese or Dutch names. Years are 1970 to 9999, in the Gregorian calendar; a
 * leap second is the second after it.
 */
#ifndef GPUGRADE_BASE_DATE_H
#define GPUGRADE_BASE_DATE_H

#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

/* The zone of texts that have none. */
struct date_zone {
    const char *name; /* of the system's zones, "Europe/Berlin"; NULL: an offset */
    int offset_s;     /* from UTC */
};

/* Reads "+01:00", "UTC" or a name of the system's zones, which is not copied. False for everything
 * else, and for a name that this system does not know. */
bool date_zone_read(const char *text, struct date_zone *out_zone);

/* Reads a moment as seconds since 1970, fractions cut off; seconds may be left out. Blanks around
 * are accepted. `zone` NULL: the text must have one. A zone by name changes the process's TZ for a
 * moment, so no other thread may use local times meanwhile. False for everything else. */
bool date_read_in(const char *text, const struct date_zone *zone, int64_t *out_seconds);

/* The same of a text with its zone. */
bool date_read(const char *text, int64_t *out_seconds);

/* Appends a moment in UTC: "2026-11-20T22:59:00Z". */
void date_append(struct text *out, int64_t seconds);

#endif
