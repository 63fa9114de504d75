/* pseudonym.h: names for people and submissions in reports that leave the room.
 *
 * A pseudonym is a hash of the secret key of a store and the name: the same in each report of that
 * store, another one in the next store, and nobody without the key finds it by trying names. It
 * does not come from the seed, which stands in every report.
 */
#ifndef GPUGRADE_BATCH_PSEUDONYM_H
#define GPUGRADE_BATCH_PSEUDONYM_H

#include <stdbool.h>

enum { PSEUDONYM_KEY_BYTES = 65, PSEUDONYM_BYTES = 32 };

/* Draws a key, 64 digits, from the kernel; false if it gives none. */
bool pseudonym_key(char out_key[PSEUDONYM_KEY_BYTES]);

/* "KIND-3f9a1c0b7e2d" of a name; `kind` is "student" or "work". */
void pseudonym_make(const char *key, const char *kind, const char *name,
                    char out_pseudonym[PSEUDONYM_BYTES]);

#endif
