#include <vector>

__global__ void collect(float *a, int n)
{
    std::vector<float> values;
    for (int i = 0; i < n; i++)
        values.push_back(a[i]);
    a[0] = values[0];
}
