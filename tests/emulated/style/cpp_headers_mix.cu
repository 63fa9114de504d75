#include <iostream>
#include <vector>
#include <chrono>
#include <algorithm>
#include <random>
#include <iomanip>
#include <memory>
#include <functional>
#include <numeric>
#include <string>
#include <sstream>
#include <map>
#include <cmath>
#include <cassert>
#include <array>
#include <tuple>
#include <fstream>
#include <thread>
#include <limits>

using std::vector; using std::cout; using std::endl;

__global__ void saxpy(int n, float a, const float *x, float *y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = a * x[i] + y[i];
}
int main()
{
    const int n = 1 << 10;
    vector<float> x(n), y(n, 2.0f);
    std::iota(x.begin(), x.end(), 0.f);
    std::mt19937 gen(42);
    cout << gen() << endl;
    auto start = std::chrono::high_resolution_clock::now();
    float *dx, *dy;
    cudaMalloc(&dx, n * sizeof(float));
    cudaMalloc(&dy, n * sizeof(float));
    auto del = [](float *p) { cudaFree(p); };
    std::unique_ptr<float, decltype(del)> guard(dx, del);
    std::shared_ptr<float> other(dy, [](float *p) { cudaFree(p); });
    cudaMemcpy(dx, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    saxpy<<<4, 64>>>(n, 2.0f, dx, dy);
    cudaMemcpy(y.data(), dy, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::function<float(float, float)> f = [](float a, float b) { return std::max(a, b); };
    float best = std::accumulate(y.begin(), y.end(), 0.f, f);
    auto stop = std::chrono::high_resolution_clock::now();
    assert((stop - start).count() > 0);
    std::map<std::string, int> m{{"a", 1}, {"b", 2}};
    std::ostringstream s; s << std::setw(10) << std::fixed << std::setprecision(3) << best;
    cout << s.str() << " " << m["b"] << " " << std::get<1>(std::make_tuple(1, 'c')) << endl;
    std::sort(y.begin(), y.end(), std::greater<float>());
    cout << y.front() << ' ' << y.back() << ' ' << std::numeric_limits<float>::epsilon() << '\n';
}
/* exit status 0, findings: none
1608637542
  2048.000 2 c
2048 2 1.19209e-07
*/
