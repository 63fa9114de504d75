#include "totals.h"

void totals(const int *d_in, int *d_out, int n)
{
    /* step 1: write it */
}
