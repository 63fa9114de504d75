/* pseudonym.h: names for people and submissions in reports that are shown to others.
 *
 * A pseudonym is a hash of the secret key of a store and the name: the same in each report of that
 * store, different in the next store. Without the key, it cannot be found by trying names. It does
 * not depend on the seed, because the seed is in every report.
 */
#ifndef GPUGRADE_BATCH_PSEUDONYM_H
#define GPUGRADE_BATCH_PSEUDONYM_H

#include <stdbool.h>

enum { PSEUDONYM_KEY_BYTES = 65, PSEUDONYM_BYTES = 32, PSEUDONYM_WORDS_BYTES = 40 };

/* Gets a random key, 64 digits, from the operating system; false if that fails. */
bool pseudonym_key(char out_key[PSEUDONYM_KEY_BYTES]);

/* "KIND-3f9a1c0b7e2d" for a name; `kind` is "student" or "work". */
void pseudonym_make(const char *key, const char *kind, const char *name,
                    char out_pseudonym[PSEUDONYM_BYTES]);

/* "calm heron" for a student on a leaderboard; with a number "calm heron 482017". There are 4,096
 * pairs of words, and a million numbers. */
void pseudonym_words(const char *secret, const char *student, bool with_number,
                     char out_words[PSEUDONYM_WORDS_BYTES]);

#endif
