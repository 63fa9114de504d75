/* sort.h: what the exercise and the given main program agree on. Given: do not change it. */
#ifndef SORT_H
#define SORT_H

/* Sorts n keys in device memory, in place, the smallest one first. Any 32 bits may be a key, and
 * keys may be equal. n is any number from 1 to 65536. */
void sortKeys(unsigned int *d_keys, int n);

#endif
