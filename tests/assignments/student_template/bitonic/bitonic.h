/* bitonic.h: what the exercise and the given main program agree on. */
#ifndef BITONIC_H
#define BITONIC_H

/* Sorts n numbers in place, the smallest first, in one block and in shared memory. n is a power of
 * two from 2 to 2048. */
void bitonicSort(int *d_data, int n);

#endif
