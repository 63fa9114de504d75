/* similarity.h: whose device code is alike in a class; pure.
 *
 *     marks of a program (model/device_code.h)
 *       - those of the template and of the reference solution: everybody may have them
 *       - those that many have: what the coursework leads to, not one student to another
 *     = a submission's own marks
 *
 * Two are compared by what they share of the smaller one's own marks, so that code that was added
 * to hide a copy changes nothing. Pairs come from an inverted index, in which only the rarest marks
 * of the smaller one are looked up: who shares a part t of its n marks shares one of any
 * floor((1 - t) n) + 1 of them (prefix filtering: Chaudhuri, Ganti, Kaushik 2006, "A Primitive
 * Operator for Similarity Joins in Data Cleaning"). The work grows with the pairs that have a rare
 * mark in common, not with the square of the class.
 *
 * Common are marks that more than LIKENESS_COMMON different contents have, or a tenth of all where
 * that is more, but at most LIKENESS_COMMON_MAX. Moss drops what more than 10 programs have (option
 * -m, "the maximum number of times a given passage may appear before it is ignored", 10 unless told
 * otherwise; theory.stanford.edu/~aiken/moss). Equal files count as one content: they say nothing
 * on what is common.
 *
 * A similarity is a reason to look, not a verdict.
 */
#ifndef GPUGRADE_BATCH_SIMILARITY_H
#define GPUGRADE_BATCH_SIMILARITY_H

#include "base/arena.h"
#include "batch/store.h"

enum {
    LIKENESS_COMMON = 10,
    LIKENESS_COMMON_MAX = 100,
    LIKENESS_SMALLEST = 16, /* own marks; of less nothing is said, unless the files are equal */
    LIKENESS_LEAST_PERCENT = 80, /* of less nothing is said */
    LIKENESS_GROUP = 20, /* where more students have equal files, the first of them stands for all:
                            the others are paired with that one alone, and nobody else with them */
};

struct similarity_input {
    const struct class_row *rows; /* [row_count]; those without content are in no pair */
    size_t row_count;
    const struct store_code *codes; /* [code_count]; of contents in no row nothing is said */
    size_t code_count;
    const struct device_code *known; /* [known_count] of the template and the reference solution */
    size_t known_count;
};

/* Finds the pairs of each program, most alike first, then by what they share, then by rows; first <
 * second. Equal files are a pair with similarity 1 if one mark is their own. *out_pairs lives in
 * the arena; programs are those of the codes. */
void similarity_find(const struct similarity_input *input, struct arena *arena,
                     const struct class_pair **out_pairs, size_t *out_count);

#endif
