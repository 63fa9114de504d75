/* kernel_pattern.c: see kernel_pattern.h. Of several `*` only the last one that was passed is ever
 * stretched: what the ones before it took can stay. */
#include "model/kernel_pattern.h"

#include <stddef.h>

bool kernel_pattern_matches(const char *pattern, const char *name)
{
    const char *behind_star = NULL; /* in the pattern */
    const char *stretched = NULL;   /* how far into the name that star reaches */

    while (*name != '\0') {
        if (*pattern == '*') {
            behind_star = ++pattern;
            stretched = name;
        } else if (*pattern == *name) {
            pattern++;
            name++;
        } else if (behind_star != NULL) {
            pattern = behind_star;
            name = ++stretched;
        } else {
            return false;
        }
    }
    while (*pattern == '*') {
        pattern++;
    }
    return *pattern == '\0';
}
