#include "scan.h"

void exclusiveScan(const int *d_in, int *d_out, int n)
{
    /* TODO 1: scan blocks, then the sums of the blocks. */
}

void compactPositive(const int *d_in, int n, int *d_out, int *d_count)
{
    /* TODO 2: a scan of flags says where each element goes. */
}
