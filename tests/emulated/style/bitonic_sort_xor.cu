#include <algorithm>
#include <iostream>
#include <cstdlib>
static const size_t N = 128;
__device__ inline void swap(int &a, int &b) { int t = a; a = b; b = t; }
__global__ void bitonic_sort_step(int *dev_values, int j, int k) {
    unsigned int i = threadIdx.x + blockDim.x * blockIdx.x, ixj = i ^ j;
    if (ixj > i) {
        if ((i & k) == 0) { if (dev_values[i] > dev_values[ixj]) swap(dev_values[i], dev_values[ixj]); }
        if ((i & k) != 0) { if (dev_values[i] < dev_values[ixj]) { int temp = dev_values[i]; dev_values[i] = dev_values[ixj]; dev_values[ixj] = temp; } }
    }
}
int main() {
    int *values = new int[N], *d; for (size_t i = 0; i < N; ++i) values[i] = (i * 7919) % 1009;
    cudaMalloc(&d, N * sizeof(*d)); cudaMemcpy(d, values, N * sizeof(int), cudaMemcpyHostToDevice);
    dim3 blocks(4, 1), threads(N / 4, 1);
    for (int k = 2; k <= N; k <<= 1) for (int j = k >> 1; j > 0; j = j >> 1) bitonic_sort_step<<<blocks, threads>>>(d, j, k);
    cudaMemcpy(values, d, N * sizeof(int), cudaMemcpyDeviceToHost);
    std::cout << std::boolalpha << std::is_sorted(values, values + N) << ' ' << values[0] << ' ' << values[N - 1] << std::endl;
    std::swap(values[0], values[1]); delete[] values; cudaFree(d);
}
/* exit status 0, findings: none
true 0 1005
*/
