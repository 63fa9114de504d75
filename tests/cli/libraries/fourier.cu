// fourier.cu: transforms of cuFFT: a row with two sums of what each gives. fourier.txt has those
// of an H200.
#include <cmath>
#include <cstdio>
#include <cufftXt.h>
#include <vector>
static unsigned seed = 1808449641u;
static double rnd()
{
    seed = seed * 1664525u + 1013904223u;
    return (int)(seed >> 16) % 2001 / 1000.0 - 1.0;
}
#define C(x)                                                                                       \
    do {                                                                                           \
        int s_ = (int)(x);                                                                         \
        if (s_)                                                                                    \
            printf("%s = %d\n", #x, s_);                                                           \
    } while (0)
template <class R> static R *up(size_t n)
{
    std::vector<R> h(n);
    for (auto &v : h)
        v = (R)rnd();
    R *d;
    cudaMalloc(&d, n * sizeof(R));
    cudaMemcpy(d, h.data(), n * sizeof(R), cudaMemcpyHostToDevice);
    return d;
}
template <class R> static void row(const char *name, int a, int b, int c, const R *d, size_t n)
{
    std::vector<R> h(n);
    cudaMemcpy(h.data(), d, n * sizeof(R), cudaMemcpyDeviceToHost);
    double s = 0, w = 0;
    for (size_t i = 0; i < n; i++) {
        s += (double)h[i] * (double)h[i];
        w += (double)h[i] * (double)(i % 17 + 1);
    }
    printf("%s %dx%dx%d %.8g %.8g\n", name, a, b, c, s, w);
}
int main()
{
    int dims[][3] = {{1, 1, 16}, {1, 1, 15}, {1, 1, 97}, {1, 12, 10},
                     {1, 7, 9},  {4, 6, 8},  {3, 5, 7},  {1, 1, 4096}};
    for (auto &q : dims) {
        int a = q[0], b = q[1], c = q[2];
        size_t n = (size_t)a * b * c, hn = (size_t)a * b * (c / 2 + 1);
        cufftHandle p;
#define PLAN(t)                                                                                    \
    (a > 1   ? cufftPlan3d(&p, a, b, c, t)                                                         \
     : b > 1 ? cufftPlan2d(&p, b, c, t)                                                            \
             : cufftPlan1d(&p, c, t, 1))
        {
            float *x = up<float>(2 * n), *y = up<float>(2 * n);
            C(PLAN(CUFFT_C2C));
            C(cufftExecC2C(p, (cufftComplex *)x, (cufftComplex *)y, -1));
            row("C2C", a, b, c, y, 2 * n);
            C(cufftExecC2C(p, (cufftComplex *)y, (cufftComplex *)y, 1));
            row("C2C back", a, b, c, y, 2 * n);
            C(cufftDestroy(p));
            cudaFree(x);
            cudaFree(y);
        }
        {
            double *x = up<double>(2 * n), *y = up<double>(2 * n);
            C(PLAN(CUFFT_Z2Z));
            C(cufftExecZ2Z(p, (cufftDoubleComplex *)x, (cufftDoubleComplex *)y, 1));
            row("Z2Z", a, b, c, y, 2 * n);
            C(cufftDestroy(p));
            cudaFree(x);
            cudaFree(y);
        }
        {
            float *x = up<float>(n), *y = up<float>(2 * hn);
            C(PLAN(CUFFT_R2C));
            C(cufftExecR2C(p, x, (cufftComplex *)y));
            row("R2C", a, b, c, y, 2 * hn);
            C(cufftDestroy(p));
            C(PLAN(CUFFT_C2R));
            C(cufftExecC2R(p, (cufftComplex *)y, x));
            row("C2R", a, b, c, x, n);
            C(cufftDestroy(p));
            cudaFree(x);
            cudaFree(y);
        }
        {
            double *x = up<double>(2 * hn);
            C(PLAN(CUFFT_D2Z));
            C(cufftExecD2Z(p, x, (cufftDoubleComplex *)x));
            row("D2Z in place", a, b, c, x, 2 * hn);
            C(cufftDestroy(p));
            C(PLAN(CUFFT_Z2D));
            C(cufftExecZ2D(p, (cufftDoubleComplex *)x, x));
            std::vector<double> h(2 * hn);
            cudaMemcpy(h.data(), x, 16 * hn, cudaMemcpyDeviceToHost);
            double s = 0;
            for (int r = 0; r < a * b; r++)
                for (int k = 0; k < c; k++)
                    s += h[(size_t)r * 2 * (c / 2 + 1) + k] * (k % 7 + 1);
            printf("Z2D in place %.8g\n", s);
            C(cufftDestroy(p));
            cudaFree(x);
        }
    }
    {
        float *x = up<float>(2 * 5 * 12 * 4), *y = up<float>(2 * 5 * 12 * 4);
        cufftHandle p;
        int n[1] = {12};
        C(cufftPlanMany(&p, 1, n, n, 5, 1, n, 1, 12, CUFFT_C2C, 5));
        C(cufftExecC2C(p, (cufftComplex *)x, (cufftComplex *)y, -1));
        row("many", 1, 1, 12, y, 2 * 5 * 12 * 4);
        C(cufftDestroy(p));
        int n2[2] = {5, 12};
        C(cufftPlanMany(&p, 2, n2, 0, 1, 0, 0, 1, 0, CUFFT_R2C, 4));
        C(cufftExecR2C(p, x, (cufftComplex *)y));
        row("many 2d r2c", 1, 5, 12, y, 2 * 4 * 5 * 7);
        C(cufftDestroy(p));
        int e[2] = {5, 14}, o[2] = {5, 7};
        long long sizes[2] = {5, 12}, from[2] = {5, 14}, to[2] = {5, 7};
        size_t bytes;
        for (int call = 0; call < 3; call++) { // the same plan by three calls
            if (call == 0)
                C(cufftPlanMany(&p, 2, n2, e, 1, 70, o, 1, 35, CUFFT_R2C, 4));
            else
                C(cufftCreate(&p));
            if (call == 1)
                C(cufftMakePlanMany64(p, 2, sizes, from, 1, 70, to, 1, 35, CUFFT_R2C, 4, &bytes));
            if (call == 2)
                C(cufftXtMakePlanMany(p, 2, sizes, from, 1, 70, CUDA_R_32F, to, 1, 35, CUDA_C_32F,
                                      4, &bytes, CUDA_C_32F));
            C(cufftExecR2C(p, x, (cufftComplex *)y));
            row("many padded", 1, 5, 12, y, 2 * 4 * 5 * 7);
            C(cufftDestroy(p));
        }
        C(cufftPlan1d(&p, 24, CUFFT_R2C, 4));
        C(cufftExecR2C(p, x, (cufftComplex *)y));
        row("batch", 1, 1, 24, y, 2 * 4 * 13);
        C(cufftDestroy(p));
        cudaFree(x);
        cudaFree(y);
    }
}
