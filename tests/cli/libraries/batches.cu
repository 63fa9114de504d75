// Batches, factors, sums and rotations of cuBLAS beside plain loops, vectors of halves, and Poisson
// numbers of cuRAND. With a number it makes that mistake.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <curand.h>
#include <vector>

static cublasHandle_t handle;
static int wrong;

static void expect(bool holds, const char *what)
{
    if (!holds) {
        printf("%s\n", what);
        wrong++;
    }
}

static bool is_near(double seen, double right, double bound)
{
    return std::fabs(seen - right) <= bound * (1 + std::fabs(right));
}

// An array in device memory and its copy in host memory.
template <class T> struct array {
    std::vector<T> host;
    T *device = nullptr;

    explicit array(size_t count) : host(count)
    {
        for (auto &x : host)
            x = (T)(rand() % 7 - 3);
        cudaMalloc(&device, count * sizeof(T));
        up();
    }
    array(const array &) = delete;
    ~array() { cudaFree(device); }
    void up() { cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice); }
    void down()
    {
        cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost);
    }
};

// Addresses of pieces of an array, `stride` elements apart, in device memory.
template <class T> struct addresses {
    T **device = nullptr;
    addresses(const array<T> &of, int count, int stride)
    {
        std::vector<T *> all;
        for (int i = 0; i < count; i++)
            all.push_back(of.device + i * stride);
        cudaMalloc(&device, count * sizeof(T *));
        cudaMemcpy(device, all.data(), count * sizeof(T *), cudaMemcpyHostToDevice);
    }
    ~addresses() { cudaFree(device); }
};

template <class T, class Batched, class Strided> static void vectors(Batched batched, Strided strided)
{
    const int m = 4, n = 3, count = 5, lda = m + 2;
    const T alpha = 2, beta = -1;
    for (int turned = 0; turned < 2; turned++) {
        const int from = turned ? m : n, to = turned ? n : m;
        array<T> a(lda * n * count), x(from * count), y(to * 2 * count), z(to * 2 * count);
        z.host = y.host;
        z.up();
        addresses<T> as(a, count, lda * n), xs(x, count, from), ys(y, count, to * 2);
        const cublasOperation_t op = turned ? CUBLAS_OP_T : CUBLAS_OP_N;
        batched(handle, op, m, n, &alpha, as.device, lda, xs.device, 1, &beta, ys.device, 2, count);
        strided(handle, op, m, n, &alpha, a.device, lda, lda * n, x.device, 1, from, &beta, z.device,
                2, to * 2, count);
        const std::vector<T> old = y.host;
        y.down();
        z.down();
        for (int of = 0; of < count; of++)
            for (int i = 0; i < to; i++) {
                T sum = 0;
                for (int k = 0; k < from; k++)
                    sum += a.host[of * lda * n + (turned ? k + i * lda : i + k * lda)] *
                           x.host[of * from + k];
                const int at = (of * to + i) * 2;
                expect(y.host[at] == alpha * sum + beta * old[at], "gemvBatched");
                expect(z.host[at] == y.host[at] && z.host[at + 1] == old[at + 1],
                       "gemvStridedBatched");
            }
    }
}

template <class T, class Geam, class Dgmm> static void elements(Geam geam, Dgmm dgmm)
{
    const int m = 5, n = 3;
    const T alpha = 3, beta = -2, none = 0;
    for (int form = 0; form < 4; form++) {
        const bool first = form & 1, second = form & 2;
        const int lda = (first ? n : m) + 1, ldb = second ? n : m, ldc = m + 2;
        array<T> a(lda * m + lda * n), b(ldb * m + ldb * n), c(ldc * n), x(m * 2);
        geam(handle, first ? CUBLAS_OP_T : CUBLAS_OP_N, second ? CUBLAS_OP_T : CUBLAS_OP_N, m, n,
             &alpha, a.device, lda, &beta, b.device, ldb, c.device, ldc);
        c.down();
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                expect(c.host[i + j * ldc] ==
                           alpha * a.host[first ? j + i * lda : i + j * lda] +
                               beta * b.host[second ? j + i * ldb : i + j * ldb],
                       "geam");
        if (!first) {
            geam(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, &alpha, a.device, lda, &none, nullptr, m,
                 a.device, lda);
            dgmm(handle, second ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT, m, n, a.device, lda,
                 x.device, 2, c.device, ldc);
            c.down();
            for (int i = 0; i < m; i++)
                for (int j = 0; j < n; j++)
                    expect(c.host[i + j * ldc] ==
                               alpha * a.host[i + j * lda] * x.host[2 * (second ? i : j)],
                           "dgmm, or geam in place");
        }
    }
}

// Solves and inverts; the third of the matrices has no inverse.
template <class T, class Getrf, class Getrs, class Getri, class Matinv>
static void factors(Getrf getrf, Getrs getrs, Getri getri, Matinv matinv)
{
    const int n = 6, columns = 2, count = 4, lda = n + 1, size = lda * n;
    for (int form = 0; form < 3; form++) {
        const bool turned = form == 1, pivots = form != 2;
        array<T> a(size * count), b(n * columns * count), c(size * count), d(size * count);
        array<int> rows(n * count), info(count), more(count);
        for (int of = 0; of < count; of++)
            for (int i = 0; i < n; i++) {
                a.host[of * size + i + i * lda] += pivots ? 0 : 20;
                a.host[of * size + i + (n - 1 - i) * lda] += pivots ? 15 : 0;
            }
        for (int i = 0; i < n; i++)
            a.host[2 * size + i + lda] = 0;
        a.up();
        const std::vector<T> old = a.host, right = b.host;
        addresses<T> as(a, count, size), bs(b, count, n * columns), cs(c, count, size);
        addresses<T> ds(d, count, size);
        int status = 7;
        matinv(handle, n, as.device, lda, ds.device, lda, more.device, count);
        getrf(handle, n, as.device, lda, pivots ? rows.device : nullptr, info.device, count);
        getrs(handle, turned ? CUBLAS_OP_T : CUBLAS_OP_N, n, columns, as.device, lda,
              pivots ? rows.device : nullptr, bs.device, n, &status, count);
        info.down();
        expect(status == 0, "status of getrs");
        for (int of = 0; of < count; of++)
            expect(info.host[of] == (of == 2 ? 2 : 0), "status of getrf");
        getri(handle, n, as.device, lda, pivots ? rows.device : nullptr, cs.device, lda,
              info.device, count);
        info.down();
        more.down();
        b.down();
        c.down();
        d.down();
        for (int of = 0; of < count; of++) {
            expect((info.host[of] != 0) == (of == 2), "status of getri");
            expect((more.host[of] != 0) == (of == 2), "status of matinv");
            for (int i = 0; of != 2 && i < n; i++)
                for (int j = 0; j < n; j++) {
                    double product = 0, other = 0, solved = 0;
                    for (int k = 0; k < n; k++) {
                        const double at = old[of * size + i + k * lda];
                        product += at * c.host[of * size + k + j * lda];
                        other += at * d.host[of * size + k + j * lda];
                        solved += (turned ? old[of * size + k + i * lda] : at) *
                                  b.host[(of * columns + j % columns) * n + k];
                    }
                    expect(is_near(product, i == j, 1e-4), "inverse of getri");
                    expect(is_near(other, i == j, 1e-4), "inverse of matinv");
                    expect(is_near(solved, right[(of * columns + j % columns) * n + i], 1e-4),
                           "solution of getrs");
                }
        }
    }
}

template <class T, class Rotg, class Rotm, class Rotmg>
static void rotations(Rotg rotg, Rotm rotm, Rotmg rotmg)
{
    static const double starts[][2] = {{3, 4}, {4, -3}, {0, 0}, {0, 2}, {-5, 0}};
    for (auto &start : starts) {
        T a = start[0], b = start[1], c = 9, s = 9;
        rotg(handle, &a, &b, &c, &s);
        expect(is_near(c * start[0] + s * start[1], a, 1e-6) &&
                   is_near(c * start[1] - s * start[0], 0, 1e-6) && is_near(c * c + s * s, 1, 1e-6),
               "rotg");
    }
    static const double modified[][4] = {
        {1, 2, 3, 1}, {1, 2, 1, 3}, {2e-9, 1, 5, 1e-6}, {1e9, 3, 2, 4}, {1, 1, 1, 0}};
    for (auto &start : modified) {
        T d1 = start[0], d2 = start[1], x1 = start[2], y1 = start[3], h[5] = {9, 9, 9, 9, 9};
        const double length = (double)d1 * x1 * x1 + (double)d2 * y1 * y1;
        array<T> x(3), y(3);
        x.host = {x1, 0, x1};
        y.host = {y1, 0, y1};
        x.up();
        y.up();
        rotmg(handle, &d1, &d2, &x1, &y1, h);
        rotm(handle, 2, x.device, 2, y.device, -2, h);
        x.down();
        y.down();
        expect(is_near((double)d1 * x1 * x1 / length, 1, 1e-5), "rotmg");
        expect(is_near(x.host[0] / x1, 1, 1e-5) && is_near(y.host[2], 0, 1e-5) &&
                   x.host[1] == 0 && x.host[2] == x.host[0],
               "rotm");
    }
    // In device memory
    array<T> all(4);
    all.host = {3, 4, 0, 0};
    all.up();
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    rotg(handle, all.device, all.device + 1, all.device + 2, all.device + 3);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    all.down();
    expect(is_near(all.host[0], 5, 1e-6) && is_near(all.host[2], 0.6, 1e-6), "rotg on the device");
}

static void halves()
{
    const int n = 40;
    array<float> source(n);
    std::vector<__half> x(n), y(n);
    float alpha = 0.5f;
    double dot = 0, square = 0;
    for (int i = 0; i < n; i++) {
        x[i] = __float2half(source.host[i]);
        y[i] = __float2half(source.host[n - 1 - i] + 1);
    }
    __half *dx, *dy, result;
    cudaMalloc(&dx, n * sizeof(__half));
    cudaMalloc(&dy, n * sizeof(__half));
    cudaMemcpy(dx, x.data(), n * sizeof(__half), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y.data(), n * sizeof(__half), cudaMemcpyHostToDevice);
    cublasAxpyEx(handle, n, &alpha, CUDA_R_32F, dx, CUDA_R_16F, 1, dy, CUDA_R_16F, 1, CUDA_R_32F);
    cublasScalEx(handle, n, &alpha, CUDA_R_32F, dx, CUDA_R_16F, 1, CUDA_R_32F);
    cudaMemcpy(y.data(), dy, n * sizeof(__half), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        const float sum = source.host[n - 1 - i] + 1 + source.host[i] / 2;
        expect(__half2float(y[i]) == sum, "AxpyEx");
        dot += sum * source.host[i] / 2;
        square += source.host[i] * source.host[i] / 4;
    }
    cublasDotEx(handle, n, dx, CUDA_R_16F, 1, dy, CUDA_R_16F, 1, &result, CUDA_R_16F, CUDA_R_32F);
    expect(is_near(__half2float(result), dot, 2e-3), "DotEx");
    cublasNrm2Ex(handle, n, dx, CUDA_R_16F, 1, &result, CUDA_R_16F, CUDA_R_32F);
    expect(is_near(__half2float(result), std::sqrt(square), 2e-3), "Nrm2Ex");
    cudaFree(dx);
    cudaFree(dy);
}

static void poisson()
{
    static const curandRngType_t types[] = {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_MRG32K3A,
                                            CURAND_RNG_PSEUDO_PHILOX4_32_10};
    const int n = 100000;
    array<unsigned> numbers(n);
    for (auto type : types)
        for (double mean : {0.25, 3.5, 200.0, 5000.0}) {
            curandGenerator_t generator;
            curandCreateGenerator(&generator, type);
            curandSetPseudoRandomGeneratorSeed(generator, 1234);
            curandGeneratePoisson(generator, numbers.device, n, mean);
            curandDestroyGenerator(generator);
            numbers.down();
            double sum = 0, squares = 0;
            for (unsigned x : numbers.host) {
                sum += x;
                squares += (x - mean) * (x - mean);
            }
            expect(std::fabs(sum / n - mean) < 5 * std::sqrt(mean / n), "mean of Poisson numbers");
            expect(std::fabs(squares / n / mean - 1) < 5 * std::sqrt((2 + 1 / mean) / n),
                   "variance of Poisson numbers");
        }
}

static void mistake(int number)
{
    array<float> a(16), b(4);
    array<int> rows(4), info(1);
    addresses<float> as(a, 1, 16), bs(b, 1, 4);
    const float one = 1;
    int status = 0;
    switch (number) {
    case 1: // C needs 12 more elements
        cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_T, 4, 4, &one, a.device, 4, &one, a.device, 4,
                    b.device, 4);
        break;
    case 2: // rows were never exchanged
        rows.host = {1, 2, 3, 77};
        rows.up();
        cublasSgetrsBatched(handle, CUBLAS_OP_N, 4, 1, as.device, 4, rows.device, bs.device, 4,
                            &status, 1);
        break;
    case 3: // an array of addresses in host memory
        cublasSgetrfBatched(handle, 4, &a.device, 4, rows.device, info.device, 1);
        break;
    case 4: // halves are not computed in halves
        cublasScalEx(handle, 4, &one, CUDA_R_16F, a.device, CUDA_R_16F, 1, CUDA_R_16F);
        break;
    }
    cudaDeviceSynchronize();
}

int main(int argc, char **argv)
{
    cublasCreate(&handle);
    if (argc > 1 && atoi(argv[1]) > 0) {
        mistake(atoi(argv[1]));
    } else {
        vectors<float>(cublasSgemvBatched, cublasSgemvStridedBatched);
        vectors<double>(cublasDgemvBatched, cublasDgemvStridedBatched);
        elements<float>(cublasSgeam, cublasSdgmm);
        elements<double>(cublasDgeam, cublasDdgmm);
        factors<float>(cublasSgetrfBatched, cublasSgetrsBatched, cublasSgetriBatched,
                       cublasSmatinvBatched);
        factors<double>(cublasDgetrfBatched, cublasDgetrsBatched, cublasDgetriBatched,
                        cublasDmatinvBatched);
        rotations<float>(cublasSrotg, cublasSrotm, cublasSrotmg);
        rotations<double>(cublasDrotg, cublasDrotm, cublasDrotmg);
        halves();
        poisson();
    }
    cublasDestroy(handle);
    printf("%d wrong\n", wrong);
}
