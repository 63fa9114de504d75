#include "sort.h"

void sortKeys(unsigned int *d_keys, int n)
{
    /* TODO: sort by compare-and-exchange steps, a kernel for each. */
}
