/* class_ranks.h: who is where on the board of a class, and under which name; pure.
 *
 * On the board is who has a value and a mark that counts: not who is excused or too late. Values
 * that different GPUs measured are never compared: each GPU has places of its own. Equal values
 * share a place, and the next place is left out. Among themselves they are in the order of their
 * made-up names, which says nothing about who they are.
 */
#ifndef GPUGRADE_BATCH_CLASS_RANKS_H
#define GPUGRADE_BATCH_CLASS_RANKS_H

#include "base/arena.h"
#include "model/class_results.h"

/* Gives each of `rows` [results->row_count], which are those of the results, its alias and its
 * place, and fills results->board. `secret` is what names are made from (pseudonym_words): the same
 * secret gives a student the same name in each class. Where two of a class would have the same,
 * each gets a number. */
void class_ranks(struct class_results *results, struct class_row *rows, const char *secret,
                 struct arena *arena);

#endif
