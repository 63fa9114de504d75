#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>
#include <mutex>
#include <atomic>
#include <optional>
#include <regex>
using namespace std;
struct CudaDeleter { void operator()(void *p) const { cudaFree(p); } };
template <typename T> using DevicePtr = unique_ptr<T[], CudaDeleter>;
template <typename T> DevicePtr<T> make_device(size_t n)
{
    T *p = nullptr;
    if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess) throw runtime_error("cudaMalloc");
    return DevicePtr<T>(p);
}
__global__ void saxpy(int n, float a, const float *x, float *y) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] += a * x[i]; }
int main(int argc, char *argv[])
{
    mt19937 gen(42);
    uniform_int_distribution<int> pick(0, 9);
    vector<float> x(1000), y(1000, 1.0f);
    generate(x.begin(), x.end(), [&] { return static_cast<float>(gen() % 10); });
    auto dx = make_device<float>(x.size()); auto dy = make_device<float>(y.size());
    auto t0 = chrono::high_resolution_clock::now();
    cudaMemcpy(dx.get(), x.data(), x.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dy.get(), y.data(), y.size() * sizeof(float), cudaMemcpyHostToDevice);
    saxpy<<<(1000 + 255) / 256, 256>>>(1000, 2.0f, dx.get(), dy.get());
    cudaMemcpy(y.data(), dy.get(), y.size() * sizeof(float), cudaMemcpyDeviceToHost);
    auto t1 = chrono::high_resolution_clock::now();
    double ms = chrono::duration<double, milli>(t1 - t0).count();
    auto us = chrono::duration_cast<chrono::microseconds>(t1 - t0).count();
    cout << fixed << setprecision(2) << accumulate(y.begin(), y.end(), 0.0) << ' ' << (ms >= 0 && us >= 0) << endl;
    sort(y.begin(), y.end(), greater<float>());
    cout << y.front() << " " << y.back() << " " << count(y.begin(), y.end(), 1.0f) << '\n';
    unordered_map<string, int> words; set<int> seen;
    stringstream ss("the gpu and the cpu");
    for (string w; ss >> w;) words[w]++;
    cout << words["the"] << words.size() << setw(5) << setfill('.') << 7 << "\n";
    atomic<int> total{0}; mutex m;
    thread t([&] { lock_guard<mutex> g(m); total += 3; });
    t.join();
    optional<int> o = total.load();
    cout << o.value_or(0) << " " << regex_match("abc12", regex("[a-z]+[0-9]+")) << endl;
    try { throw runtime_error("caught"); } catch (const exception &e) { cerr << "" ; cout << e.what() << endl; }
    return 0;
}

/* exit status 0, findings: none
10248.00 1
19.00 1.00 99
24....7
3 1
caught
*/
