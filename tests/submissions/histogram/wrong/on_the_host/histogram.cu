#include "histogram.h"

#include <vector>

void histogram(const unsigned char *d_in, int n, unsigned int *d_bins)
{
    std::vector<unsigned char> values(n);
    std::vector<unsigned int> bins(256);
    cudaMemcpy(values.data(), d_in, n, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        bins[values[i]]++;
    }
    cudaMemcpy(d_bins, bins.data(), 256 * sizeof(unsigned int), cudaMemcpyHostToDevice);
}
