/* class_zone.c: see class_zone.h. */
#include "cli/class_zone.h"

#include "cli/console.h"

#include <string.h>

enum error zone_read(struct arena *arena, const char *word, const struct date_zone **out_zone,
                     struct diagnostic *diagnostic)
{
    struct date_zone *zone = arena_alloc(arena, sizeof *zone);

    if (word != NULL && !date_zone_read(word, zone)) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "--zone takes an offset such as +01:00, UTC, or a name such as "
                       "Europe/Berlin that this system knows; got '%.100s'",
                       word);
        return ERROR_RANGE;
    }
    *out_zone = word == NULL ? NULL : zone;
    return ERROR_NONE;
}

enum error class_zone_find(struct arena *arena, struct store *store, const struct date_zone **zone,
                           struct diagnostic *diagnostic)
{
    const char *kept = "";

    if (*zone != NULL) {
        return ERROR_NONE;
    }
    enum error error = store_zone(store, arena, &kept, diagnostic);
    return error != ERROR_NONE || kept[0] == '\0' ? error
                                                  : zone_read(arena, kept, zone, diagnostic);
}

enum error class_zone_keep(struct arena *arena, struct store *store, const char *word,
                           struct diagnostic *diagnostic)
{
    const char *kept = "";

    if (word == NULL) {
        return ERROR_NONE;
    }
    enum error error = store_zone(store, arena, &kept, diagnostic);
    if (error != ERROR_NONE || strcmp(kept, word) == 0) {
        return error;
    }
    if (kept[0] != '\0') {
        console_complain("--zone: times without a zone are of %s from now on, no longer of %s; "
                         "what was read before stays as it is",
                         word, kept);
    }
    return store_put_zone(store, word, diagnostic);
}
