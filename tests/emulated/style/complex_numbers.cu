#include <cuComplex.h>
#include <complex>
#include <iostream>
__device__ int mandel(cuFloatComplex c) { cuFloatComplex z = make_cuFloatComplex(0, 0); int k = 0; while (cuCabsf(z) < 2 && k < 100) { z = cuCaddf(cuCmulf(z, z), c); k++; } return k; }
__global__ void image(int *out, int w) { int x = threadIdx.x, y = blockIdx.x; out[y * w + x] = mandel(make_cuFloatComplex(-2 + 3.0f * x / w, -1 + 2.0f * y / w)); }
__global__ void dft(const cuDoubleComplex *in, cuDoubleComplex *out, int n) { int k = threadIdx.x; cuDoubleComplex s = make_cuDoubleComplex(0, 0); for (int t = 0; t < n; t++) { double a = -2 * 3.141592653589793 * k * t / n; s = cuCadd(s, cuCmul(in[t], make_cuDoubleComplex(cos(a), sin(a)))); } out[k] = cuCdiv(s, make_cuDoubleComplex(2, 0)); out[k] = cuCsub(cuConj(out[k]), make_cuDoubleComplex(0, 0)); }
int main()
{
    int *d, h[256]; cudaMalloc(&d, sizeof h); image<<<16, 16>>>(d, 16); cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    long s = 0; for (int v : h) s += v; std::cout << s << std::endl;
    const int n = 8; std::complex<double> x[n], y[n]; for (int i = 0; i < n; i++) x[i] = {double(i % 3), 0}; cuDoubleComplex *a, *b; cudaMalloc(&a, sizeof x); cudaMalloc(&b, sizeof y); cudaMemcpy(a, x, sizeof x, cudaMemcpyHostToDevice);
    dft<<<1, n>>>(a, b, n); cudaMemcpy(y, b, sizeof y, cudaMemcpyDeviceToHost); std::cout.precision(4); for (auto z : y) std::cout << (int)(z.real() * 1000) << "," << (int)(z.imag() * 1000) << " "; std::cout << cuCreal(make_cuDoubleComplex(3, 4)) + cuCabs(make_cuDoubleComplex(3, 4)) << "\n";
}

/* exit status 0, findings: none
8180
3500,0 -500,292 -499,1000 -500,-1707 -500,0 -499,1707 -500,-1000 -499,-292 8
*/
