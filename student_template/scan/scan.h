/* scan.h: what the exercise and the given main program agree on. Given: do not change it.
 *
 * All pointers are to device memory. n is any number from 1 to 2^20. Sums of int may wrap around.
 */
#ifndef SCAN_H
#define SCAN_H

/* d_out[i] = d_in[0] + ... + d_in[i - 1], and d_out[0] = 0. Both arrays have n elements. */
void exclusiveScan(const int *d_in, int *d_out, int n);

/* Writes the elements of d_in that are above 0 to the start of d_out, in the order they have in
 * d_in, and how many there are to *d_count. Both arrays have n elements. What the other elements of
 * d_out hold in the end does not matter. */
void compactPositive(const int *d_in, int n, int *d_out, int *d_count);

#endif
