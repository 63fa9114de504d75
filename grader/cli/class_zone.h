/* class_zone.h: the zone of times that name none: of a roster, of a new due time. RESULTS remembers
 * the one that --zone named last. */
#ifndef GPUGRADE_CLI_CLASS_ZONE_H
#define GPUGRADE_CLI_CLASS_ZONE_H

#include "base/date.h"
#include "batch/store.h"

/* Reads what follows --zone; NULL for NULL. Error: ERROR_RANGE, which is usage. */
enum error zone_read(struct arena *arena, const char *word, const struct date_zone **out_zone,
                     struct diagnostic *diagnostic);

/* Where *zone is NULL, it becomes the zone that RESULTS remembers, if there is one. Errors:
 * ERROR_RANGE (this system does not know it), those of the store. */
enum error class_zone_find(struct arena *arena, struct store *store, const struct date_zone **zone,
                           struct diagnostic *diagnostic);

/* Makes RESULTS remember what followed --zone, and says so if it was another one before. NULL
 * changes nothing. */
enum error class_zone_keep(struct arena *arena, struct store *store, const char *word,
                           struct diagnostic *diagnostic);

#endif
