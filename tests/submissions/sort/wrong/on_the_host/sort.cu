#include "sort.h"

#include <algorithm>
#include <vector>

void sortKeys(unsigned int *d_keys, int n)
{
    std::vector<unsigned int> keys(n);
    cudaMemcpy(keys.data(), d_keys, n * sizeof(unsigned int), cudaMemcpyDeviceToHost);
    std::sort(keys.begin(), keys.end());
    cudaMemcpy(d_keys, keys.data(), n * sizeof(unsigned int), cudaMemcpyHostToDevice);
}
