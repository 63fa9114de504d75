#ifndef TOTALS_H
#define TOTALS_H
/* d_out[i] = d_in[0] + ... + d_in[i] */
void totals(const int *d_in, int *d_out, int n);
#endif
