/* term_totals.h: from the marks of several courseworks to the totals of a term. Pure.
 *
 *     share   = mark / what it is out of
 *     part    = mean of the shares that count, by the weights of the courseworks
 *     total   = mean of the parts, by their weights, times out_of
 *
 * Nothing handed in is a share of 0. A coursework for which there is no mark yet, or from which the
 * student is excused, does not count, nor does a part without any that counts: the others weigh
 * more then. Of a part with "best" only so many courseworks count, those with the largest shares;
 * of equal ones, the first.
 *
 * A student of one class is the same as one of another class if the key is the same, or else the
 * e-mail address, whatever the case of its letters.
 */
#ifndef GPUGRADE_BATCH_TERM_TOTALS_H
#define GPUGRADE_BATCH_TERM_TOTALS_H

#include "base/arena.h"
#include "model/term_results.h"

/* Every coursework has its results, without pseudonyms. Allocates in the arena; keeps `term`. */
void term_totals(const struct term *term, struct arena *arena, struct term_results *out_results);

#endif
