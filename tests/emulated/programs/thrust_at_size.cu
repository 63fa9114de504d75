// Algorithms of thrust, at sizes that fill many tiles and end within one.
#include "../kernel_program.h"

#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include <algorithm>
#include <numeric>
#include <vector>

struct by_last_digit {
    __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

struct is_odd {
    __host__ __device__ bool operator()(int a) const { return (a & 1) != 0; }
};

static bool is_same(const thrust::device_vector<int> &device, const std::vector<int> &host)
{
    std::vector<int> copy(device.size());
    thrust::copy(device.begin(), device.end(), copy.begin());
    return copy == host;
}

static void try_all(int n)
{
    std::vector<int> values(n), sums(n), odd;
    for (int i = 0; i < n; i++) {
        values[i] = (int)input_value(i);
    }
    std::partial_sum(values.begin(), values.end(), sums.begin());
    std::copy_if(values.begin(), values.end(), std::back_inserter(odd), is_odd());
    thrust::device_vector<int> in(values.begin(), values.end()), out(n);

    bool sum = thrust::reduce(in.begin(), in.end()) == sums.back();
    thrust::inclusive_scan(in.begin(), in.end(), out.begin());
    bool scan = is_same(out, sums);
    out.resize(thrust::copy_if(in.begin(), in.end(), out.begin(), is_odd()) - out.begin());
    bool select = is_same(out, odd);
    out = in;
    thrust::stable_sort(out.begin(), out.end(), by_last_digit());
    std::vector<int> merged = values;
    std::stable_sort(merged.begin(), merged.end(), by_last_digit());
    bool merge = is_same(out, merged);
    thrust::sort(in.begin(), in.end());
    std::sort(values.begin(), values.end());
    bool radix = is_same(in, values);
    thrust::device_vector<int> keys(n), counts(n);
    auto end = thrust::reduce_by_key(in.begin(), in.end(), thrust::constant_iterator<int>(1),
                                     keys.begin(), counts.begin());
    bool runs = thrust::reduce(counts.begin(), end.second) == n;
    in.resize(thrust::unique(in.begin(), in.end()) - in.begin());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    bool unique = is_same(in, values);
    printf("%d: %d %d %d %d %d %d %d\n", n, sum, scan, select, merge, radix, runs, unique);
}

int main()
{
    try_all(20000);
    try_all(1000000);
    return 0;
}
