// algebra.cu: calls of cuBLAS: a row with two sums of what each gives. algebra.txt has an H200's.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <vector>
static unsigned seed = 1;
static double rnd()
{
    seed = seed * 1664525u + 1013904223u;
    return (int)(seed >> 16) % 2001 / 1000.0 - 1.0;
}
template <class T> static T *up(size_t n)
{
    std::vector<T> h(n);
    for (auto &v : h)
        v = (T)(float)rnd();
    T *d;
    cudaMalloc(&d, n * sizeof(T));
    cudaMemcpy(d, h.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    return d;
}
template <class T> static void row(const char *name, const T *d, size_t n)
{
    std::vector<T> h(n);
    cudaMemcpy(h.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
    double s = 0, w = 0;
    for (size_t i = 0; i < n; i++) {
        s += (double)(float)h[i];
        w += (double)(float)h[i] * (double)(i % 17 + 1);
    }
    printf("%s %.10g %.10g\n", name, s, w);
}
#define C(x)                                                                                       \
    do {                                                                                           \
        int s_ = (int)(x);                                                                         \
        if (s_)                                                                                    \
            printf("%s = %d\n", #x, s_);                                                           \
    } while (0)
static cublasHandle_t h;
#define TYPE(T, P, p)                                                                              \
    static void run##P()                                                                           \
    {                                                                                              \
        const int n = 1000, m = 37, k = 29, q = 41;                                                \
        T *x = up<T>(3 * n), *y = up<T>(3 * n), *A = up<T>(50 * 50 * 4), *B = up<T>(50 * 50 * 4),  \
          *D = up<T>(50 * 50 * 4);                                                                 \
        T r, al = (T)1.5, be = (T)-0.5;                                                            \
        int ir;                                                                                    \
        C(cublas##P##asum(h, n, x, 2, &r));                                                        \
        printf(#P "asum %.7g\n", (double)r);                                                       \
        C(cublas##P##nrm2(h, n, x, 3, &r));                                                        \
        printf(#P "nrm2 %.7g\n", (double)r);                                                       \
        C(cublas##P##dot(h, n, x, 1, y, -2, &r));                                                  \
        printf(#P "dot %.5g\n", (double)r);                                                        \
        C(cublasI##p##amax(h, n, x, 1, &ir));                                                      \
        printf("I" #p "amax %d\n", ir);                                                            \
        C(cublasI##p##amin(h, n, x, 2, &ir));                                                      \
        printf("I" #p "amin %d\n", ir);                                                            \
        C(cublas##P##axpy(h, n, &al, x, -1, y, 2));                                                \
        row(#P "axpy", y, 3 * n);                                                                  \
        C(cublas##P##scal(h, n, &be, x, 3));                                                       \
        row(#P "scal", x, 3 * n);                                                                  \
        C(cublas##P##copy(h, n, x, 2, y, -3));                                                     \
        row(#P "copy", y, 3 * n);                                                                  \
        C(cublas##P##swap(h, n, x, 1, y, 2));                                                      \
        row(#P "swap", x, 3 * n);                                                                  \
        {                                                                                          \
            T c = (T)0.6, s = (T)0.8;                                                              \
            C(cublas##P##rot(h, n, x, 1, y, -1, &c, &s));                                          \
            row(#P "rot x", x, 3 * n);                                                             \
            row(#P "rot y", y, 3 * n);                                                             \
        }                                                                                          \
        C(cublas##P##gemv(h, CUBLAS_OP_N, m, k, &al, A, 50, x, 2, &be, y, -3));                    \
        row(#P "gemv n", y, 3 * n);                                                                \
        C(cublas##P##gemv(h, CUBLAS_OP_T, m, k, &al, A, 50, x, -2, &be, y, 1));                    \
        row(#P "gemv t", y, 3 * n);                                                                \
        C(cublas##P##ger(h, m, k, &al, x, -1, y, 2, A, 50));                                       \
        row(#P "ger", A, 2500);                                                                    \
        for (int ta = 0; ta < 2; ta++)                                                             \
            for (int tb = 0; tb < 2; tb++) {                                                       \
                C(cublas##P##gemm(h, (cublasOperation_t)ta, (cublasOperation_t)tb, m, q, k, &al,   \
                                  A, 50, B, 49, &be, D, 45));                                      \
                row(#P "gemm", D, 2500);                                                           \
            }                                                                                      \
        T z = (T)0;                                                                                \
        C(cublas##P##gemm(h, CUBLAS_OP_N, CUBLAS_OP_N, m, q, 0, &al, A, 50, B, 49, &be, D, 45));   \
        row(#P "gemm k0", D, 2500);                                                                \
        C(cublas##P##gemm(h, CUBLAS_OP_N, CUBLAS_OP_N, m, q, k, &al, A, 50, B, 49, &z, D, 45));    \
        row(#P "gemm b0", D, 2500);                                                                \
        C(cublas##P##gemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_T, m, q, k, &al, A, 50, 2500, B, \
                                        49, 2400, &be, D, 45, 2450, 4));                           \
        row(#P "strided", D, 10000);                                                               \
        const T *hp[4] = {A, A + 2500, B, D + 7500};                                               \
        const T *hq[4] = {B, B, B + 2500, B + 5000};                                               \
        T *hr[4] = {D, D + 2450, D + 4900, A + 5000};                                              \
        const T **dp, **dq;                                                                        \
        T **dr;                                                                                    \
        cudaMalloc(&dp, 32);                                                                       \
        cudaMalloc(&dq, 32);                                                                       \
        cudaMalloc(&dr, 32);                                                                       \
        cudaMemcpy(dp, hp, 32, cudaMemcpyHostToDevice);                                            \
        cudaMemcpy(dq, hq, 32, cudaMemcpyHostToDevice);                                            \
        cudaMemcpy(dr, hr, 32, cudaMemcpyHostToDevice);                                            \
        C(cublas##P##gemmBatched(h, CUBLAS_OP_T, CUBLAS_OP_N, m, q, k, &al, dp, 50, dq, 49, &be,   \
                                 dr, 45, 4));                                                      \
        row(#P "batched", D, 10000);                                                               \
        row(#P "batched a", A, 10000);                                                             \
        C(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));                                    \
        C(cublas##P##dot(h, n, x, 1, y, 1, D + 3));                                                \
        C(cublas##P##axpy(h, 10, D + 3, x, 1, D + 100, 1));                                        \
        row(#P "device mode", D, 200);                                                             \
        C(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));                                      \
        cudaFree(x);                                                                               \
        cudaFree(y);                                                                               \
        cudaFree(A);                                                                               \
        cudaFree(B);                                                                               \
        cudaFree(D);                                                                               \
        cudaFree(dp);                                                                              \
        cudaFree(dq);                                                                              \
        cudaFree(dr);                                                                              \
    }
TYPE(float, S, s)
TYPE(double, D, d)
static void half_()
{
    const int m = 33, n = 21, k = 17;
    __half *A = up<__half>(2500), *B = up<__half>(2500), *D = up<__half>(2500);
    float *F = up<float>(2500);
    __half al = __float2half(1.5f), be = __float2half(-0.5f);
    float fa = 1.5f, fb = -0.5f;
    C(cublasHgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, m, n, k, &al, A, 40, B, 40, &be, D, 40));
    row("Hgemm", D, 2500);
    C(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &fa, A, CUDA_R_16F, 40, B, CUDA_R_16F, 40,
                   &fb, D, CUDA_R_16F, 40, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    row("GemmEx hh", D, 2500);
    C(cublasGemmEx(h, CUBLAS_OP_T, CUBLAS_OP_N, m, n, k, &fa, A, CUDA_R_16F, 40, B, CUDA_R_16F, 40,
                   &fb, F, CUDA_R_32F, 40, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    row("GemmEx hf", F, 2500);
    C(cublasHgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &al, A, 8, 64, B, 8, 64, &be,
                                D, 8, 64, 5));
    row("Hstrided", D, 2500);
    C(cublasGemmStridedBatchedEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 8, 8, 8, &fa, A, CUDA_R_16BF, 8, 64,
                                 B, CUDA_R_16BF, 8, 64, &fb, F, CUDA_R_32F, 8, 64, 5,
                                 CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    std::vector<float> hf(320);
    cudaMemcpy(hf.data(), F, 1280, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (float v : hf)
        bad += !std::isfinite(v) || v == 0;
    printf("bf16 %d\n", bad);
    cudaFree(A);
    cudaFree(B);
    cudaFree(D);
    cudaFree(F);
}
int main()
{
    C(cublasCreate(&h));
    runS();
    runD();
    half_();
    float *d;
    cudaMalloc(&d, 4096 * 4);
    std::vector<float> v(12);
    for (int i = 0; i < 12; i++)
        v[i] = i;
    cudaMemset(d, 0, 4096 * 4);
    C(cublasSetMatrix(3, 4, 4, v.data(), 3, d, 7));
    row("SetMatrix", d, 4096);
    std::vector<float> o(20, 0.f);
    C(cublasGetMatrix(3, 4, 4, d, 7, o.data(), 5));
    double s = 0;
    for (int i = 0; i < 20; i++)
        s += o[i] * (i + 1);
    printf("GetMatrix %g\n", s);
    C(cublasSetVector(4, 4, v.data(), 2, d, 3));
    row("SetVector", d, 4096);
    C(cublasGetVector(4, 4, d, 3, o.data(), 1));
    printf("GetVector %g %g %g %g\n", o[0], o[1], o[2], o[3]);
    cudaFree(d);
    C(cublasDestroy(h));
}
