/* pair_folder.h: pages that show similar submissions side by side.
 *
 *     DIR/index.html     the pairs, most similar first
 *         pair-N.html    both sources, with what they share marked
 */
#ifndef GPUGRADE_CLI_PAIR_FOLDER_H
#define GPUGRADE_CLI_PAIR_FOLDER_H

#include "batch/store.h"
#include "model/rubric.h"

/* A class whose students are shown. */
struct pair_class {
    struct store *store;
    const struct rubric *rubric; /* the store's */
    const struct class_results *results;
    const char *folder; /* as the user names it */
};

/* Writes the pages on the pairs of classes[0], and, unless classes[1].store is NULL, on those of a
 * student of it and one of the other class. Only their owner can read them. At most 1000 pages:
 * *out_left_out is how many more there are. DIR must be empty or not exist yet. Errors: ERROR_RANGE
 * (DIR is not empty; blames usage), ERROR_IO, and those of the store. */
enum error pair_folder_write(const char *folder, const struct pair_class classes[2],
                             size_t *out_written, size_t *out_left_out,
                             struct diagnostic *diagnostic);

#endif
