// Algorithms of cub for the whole device, at sizes that fill many tiles and end within one.
#include "../kernel_program.h"

#include <cub/cub.cuh>

#include <algorithm>
#include <numeric>
#include <vector>

struct is_less {
    __device__ bool operator()(int a, int b) const { return a < b; }
};

struct is_odd {
    __device__ bool operator()(int a) const { return (a & 1) != 0; }
};

// Calls an algorithm for the size of its scratch memory, then for its result.
template <typename Algorithm> static void run(Algorithm algorithm)
{
    void *scratch = nullptr;
    size_t bytes = 0;
    CHECK(algorithm(scratch, bytes));
    CHECK(cudaMalloc(&scratch, bytes));
    CHECK(algorithm(scratch, bytes));
    CHECK(cudaFree(scratch));
}

static std::vector<int> fetch(const int *device, size_t count)
{
    std::vector<int> host(count);
    CHECK(cudaMemcpy(host.data(), device, count * sizeof(int), cudaMemcpyDeviceToHost));
    return host;
}

static void try_all(int n)
{
    int *in = new_input<int>(n), *out = new_output<int>(n), *lengths = new_output<int>(n);
    int *count = new_output<int>(1);
    std::vector<int> values = fetch(in, n), sorted = values, sums(n), odd;
    std::sort(sorted.begin(), sorted.end());
    std::partial_sum(values.begin(), values.end(), sums.begin());
    std::copy_if(values.begin(), values.end(), std::back_inserter(odd), [](int i) { return i & 1; });

    run([&](void *scratch, size_t &bytes) {
        return cub::DeviceReduce::Sum(scratch, bytes, in, count, n);
    });
    bool sum = fetch(count, 1)[0] == sums.back();
    run([&](void *scratch, size_t &bytes) {
        return cub::DeviceScan::InclusiveSum(scratch, bytes, in, out, n);
    });
    bool scan = fetch(out, n) == sums;
    run([&](void *scratch, size_t &bytes) {
        return cub::DeviceSelect::If(scratch, bytes, in, out, count, n, is_odd());
    });
    bool select = fetch(out, odd.size()) == odd && fetch(count, 1)[0] == (int)odd.size();
    run([&](void *scratch, size_t &bytes) {
        return cub::DeviceRadixSort::SortKeys(scratch, bytes, in, out, n);
    });
    bool radix = fetch(out, n) == sorted;
    run([&](void *scratch, size_t &bytes) {
        return cub::DeviceMergeSort::SortKeys(scratch, bytes, in, n, is_less());
    });
    bool merge = fetch(in, n) == sorted;
    run([&](void *scratch, size_t &bytes) {
        return cub::DeviceRunLengthEncode::Encode(scratch, bytes, in, out, lengths, count, n);
    });
    std::vector<int> runs = fetch(lengths, fetch(count, 1)[0]);
    bool encode = std::accumulate(runs.begin(), runs.end(), 0) == n && runs.size() <= 251;
    printf("%d: %d %d %d %d %d %d\n", n, sum, scan, select, radix, merge, encode);
}

int main()
{
    try_all(20000);
    try_all(1000000);
    return 0;
}
