#include <iostream>
#include <cmath>
#include <algorithm>
#include <cstdlib>
using namespace std;

__host__ __device__ float both(float x, int k) { return max(min(x, 4.0f), pow(x, k)) + abs(x); }
__global__ void math(double *out, int n, float f, double d, long l, unsigned u) {
    out[0] = max(f, d);
    out[1] = min(n, 3);
    out[2] = max(l, 5L);
    out[3] = min(u, 7u);
    out[4] = abs(-n) + abs(-f) + abs(-d);
    out[5] = pow(f, 2) + pow(2, n) + pow(d, 0.5) + pow(f, f);
    out[6] = sqrt(f) + sqrt(d) + sqrt((float)n);
    out[7] = both(f, 3);
    out[8] = floor(f) + ceil(d) + round(f) + fabs(-f) + fmod(d, 2.0);
    out[9] = exp(f) + log(d) + sin(d) + cos(f) + tanh(f);
    out[10] = max(1.0f, f) + fmaxf(f, 2) + fmin(d, 3.0) + min(2.5, d);
    out[11] = isnan(f) + isinf(d) + isfinite(f) + signbit(-f);
    out[12] = std::abs(-f) + std::sqrt(f) + std::pow(d, 2.0);
}
int main() {
    double h[13], *d;
    cudaMalloc(&d, sizeof(h));
    math<<<1, 1>>>(d, 3, 1.5f, 2.25, 4, 9);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    cout.precision(5);
    for (int i = 0; i < 13; i++) cout << h[i] << endl;
    cout << both(1.5f, 3) << " " << max(1, 2) << " " << min(2.0, 1.0) << " " << abs(-3) << " "
         << abs(-2.5) << " " << pow(2, 10) << " " << sqrt(2) << endl;
}
/* exit status 0, findings: none
2.25
3
5
7
6.75
13.587
4.4568
4.875
7.75
7.0466
8
2
7.7872
4.875 2 1 3 2.5 1024 1.4142
*/
