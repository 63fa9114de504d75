#include "sort.h"

#include <thrust/device_ptr.h>
#include <thrust/sort.h>

void sortKeys(unsigned int *d_keys, int n)
{
    thrust::device_ptr<unsigned int> keys(d_keys);
    thrust::sort(keys, keys + n);
}
