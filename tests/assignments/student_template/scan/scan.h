/* scan.h: what the exercise and the given main program agree on. */
#ifndef SCAN_H
#define SCAN_H

/* d_out[i] = the sum of the elements before i; n is 1 or more. */
void exclusiveScan(const int *d_in, int *d_out, int n);

/* The elements above 0 in their order, and how many there are; the rest of d_out is free. */
void compactPositive(const int *d_in, int n, int *d_out, int *d_count);

#endif
