/* sort.h: what the exercise and the given main program agree on. */
#ifndef SORT_H
#define SORT_H

/* Sorts n keys in place, the smallest first; n is 1 or more. */
void sortKeys(unsigned int *d_keys, int n);

#endif
