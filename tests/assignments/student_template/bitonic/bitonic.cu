#include "bitonic.h"

void bitonicSort(int *d_data, int n)
{
    /* TODO: one launch of one block, n / 2 threads. */
}
