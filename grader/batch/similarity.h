/* similarity.h: which students of a class have similar device code; pure.
 *
 *     marks of a program (model/device_code.h)
 *       - those of the template and of the reference solution: everyone may have them
 *       - those that many have: they come from the coursework, not from another student
 *     = a submission's own marks
 *
 * The similarity of two submissions is the share of the smaller one's own marks that the other one
 * has too, so adding code to hide a copy does not help. Pairs come from an inverted index, in which
 * only the rarest marks of the smaller one are looked up: another submission that has a share t of
 * its n marks has at least one of any floor((1 - t) n) + 1 of them (prefix filtering: Chaudhuri,
 * Ganti, Kaushik 2006, "A Primitive Operator for Similarity Joins in Data Cleaning"). The work
 * grows with the pairs that have a rare mark in common, not with the square of the class.
 *
 * A mark is common if more than LIKENESS_COMMON different contents have it, or a tenth of all if
 * that is more, but at most LIKENESS_COMMON_MAX. Moss drops what more than 10 programs have (option
 * -m, "the maximum number of times a given passage may appear before it is ignored", 10 by default;
 * theory.stanford.edu/~aiken/moss). Equal files count as one content, because they do not show what
 * is common.
 *
 * Treat a similarity as a lead, not as proof.
 */
#ifndef GPUGRADE_BATCH_SIMILARITY_H
#define GPUGRADE_BATCH_SIMILARITY_H

#include "base/arena.h"
#include "batch/store.h"

enum {
    LIKENESS_COMMON = 10,
    LIKENESS_COMMON_MAX = 100,
    LIKENESS_SMALLEST = 16,      /* own marks; smaller code is reported only for equal files */
    LIKENESS_LEAST_PERCENT = 80, /* lower similarities are not reported */
    LIKENESS_GROUP = 20, /* if more students have equal files, the first of them represents all:
                            the others are paired only with that one, and no one else with them */
};

struct similarity_input {
    const struct class_row *rows; /* [row_count]; those without content are not in any pair */
    size_t row_count;
    const struct store_code *codes; /* [code_count]; contents that no row has are ignored */
    size_t code_count;
    const struct device_code *known; /* [known_count] of the template and the reference solution */
    size_t known_count;
};

/* Finds the pairs of each program, most similar first, then by the number of shared marks, then by
 * rows; first < second. Equal files are a pair with similarity 1 if they have at least one own
 * mark. *out_pairs is allocated in the arena; its program names are those of the codes. */
void similarity_find(const struct similarity_input *input, struct arena *arena,
                     const struct class_pair **out_pairs, size_t *out_count);

#endif
