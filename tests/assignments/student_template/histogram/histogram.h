/* histogram.h: what the exercise and the given main program agree on. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

/* d_bins[v] = how many of the n elements are v, for v from 0 to 255. */
void histogram(const unsigned char *d_in, int n, unsigned int *d_bins);

#endif
