// The algorithms of thrust that students use most.
#include "../kernel_program.h"

#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/host_vector.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

struct square {
    __host__ __device__ int operator()(int x) const
    {
        return x * x;
    }
};

struct is_odd {
    __host__ __device__ bool operator()(int x) const
    {
        return x % 2 != 0;
    }
};

struct by_last_digit {
    __host__ __device__ bool operator()(int a, int b) const
    {
        return a % 10 < b % 10;
    }
};

int main()
{
    const int count = 3000;
    thrust::host_vector<int> host(count);
    for (int i = 0; i < count; i++) {
        host[i] = input_value(i);
    }
    thrust::device_vector<int> values = host, others(count), keys(300), sums(300);

    printf("sum %d, most %d\n", thrust::reduce(values.begin(), values.end()),
           (int)*thrust::max_element(values.begin(), values.end()));
    thrust::transform(values.begin(), values.end(), others.begin(), square());
    printf("squares %d, dot %d\n", thrust::reduce(others.begin(), others.end()),
           thrust::inner_product(values.begin(), values.end(), values.begin(), 0));
    printf("odd %d\n", (int)thrust::count_if(values.begin(), values.end(), is_odd()));
    auto end = thrust::copy_if(values.begin(), values.end(), others.begin(), is_odd());
    printf("copied %d, first %d\n", (int)(end - others.begin()), (int)others[0]);
    thrust::inclusive_scan(values.begin(), values.end(), others.begin());
    printf("inclusive %d", (int)others[count - 1]);
    thrust::exclusive_scan(values.begin(), values.end(), others.begin());
    printf(", exclusive %d\n", (int)others[count - 1]);

    thrust::sequence(others.begin(), others.end());
    thrust::sort_by_key(values.begin(), values.end(), others.begin());
    int wrong = 0;
    thrust::host_vector<int> sorted = values, places = others;
    for (int i = 0; i < count; i++) {
        wrong += sorted[i] != host[places[i]] || (i > 0 && sorted[i - 1] > sorted[i]);
    }
    printf("sorted by key: %d wrong\n", wrong);
    auto ends = thrust::reduce_by_key(values.begin(), values.end(),
                                      thrust::make_constant_iterator(1), keys.begin(), sums.begin());
    printf("values %d, of the first %d\n", (int)(ends.first - keys.begin()), (int)sums[0]);
    printf("unique %d\n", (int)(thrust::unique(values.begin(), values.end()) - values.begin()));

    thrust::device_vector<int> merged = host;
    thrust::stable_sort(merged.begin(), merged.end(), by_last_digit());
    printf("by digit: %d %d\n", (int)merged[0] % 10, (int)merged[count - 1] % 10);
    thrust::device_vector<float> reals(host.begin(), host.end());
    thrust::sort(reals.begin(), reals.end(), thrust::greater<float>());
    printf("floats: %g %g\n", (float)reals[0], (float)reals[count - 1]);
    return 0;
}
