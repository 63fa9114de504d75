// Complex numbers of cuBLAS beside plain loops, on small whole numbers, which are exact.
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <vector>

static cublasHandle_t handle;
static int wrong;

// Real and imaginary parts, one after the other, as cuComplex has them.
template <class T> struct numbers {
    std::vector<std::complex<T>> host;
    std::complex<T> *device = nullptr;

    explicit numbers(int count) : host(count)
    {
        for (auto &x : host)
            x = std::complex<T>((T)(rand() % 7 - 3), (T)(rand() % 7 - 3));
        cudaMalloc(&device, count * sizeof(host[0]));
        cudaMemcpy(device, host.data(), count * sizeof(host[0]), cudaMemcpyHostToDevice);
    }
    ~numbers()
    {
        cudaFree(device);
    }
    void expect(const char *what, int form)
    {
        std::vector<std::complex<T>> there(host.size());
        cudaMemcpy(there.data(), device, host.size() * sizeof(host[0]), cudaMemcpyDeviceToHost);
        if (there != host) {
            printf("%s, form %d\n", what, form);
            wrong++;
        }
    }
};

static const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};

template <class T>
static std::complex<T> part(const numbers<T> &a, int operation, int leading, int i, int j)
{
    const std::complex<T> value =
        operation == 0 ? a.host[i + j * leading] : a.host[j + i * leading];
    return operation == 2 ? std::conj(value) : value;
}

// As GPU types.
template <class T> struct gpu_type;
template <> struct gpu_type<float> {
    typedef cuComplex type;
};
template <> struct gpu_type<double> {
    typedef cuDoubleComplex type;
};

template <class T, class Gemm, class Gemv, class Geru, class Gerc>
static void matrices(Gemm gemm, Gemv gemv, Geru geru, Gerc gerc)
{
    typedef typename gpu_type<T>::type gpu;
    const int m = 5, n = 4, k = 3, leading = 7;
    const std::complex<T> alpha(2, -1), beta(1, 3), none(0, 0);
    for (int form = 0; form < 18; form++) {
        const int of_a = form % 3, of_b = form / 3 % 3;
        const std::complex<T> &scale = form < 9 ? beta : none;
        numbers<T> a(leading * 5), b(leading * 5), c(leading * n);
        gemm(handle, operations[of_a], operations[of_b], m, n, k, (const gpu *)&alpha,
             (gpu *)a.device, leading, (gpu *)b.device, leading, (const gpu *)&scale,
             (gpu *)c.device, leading);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                std::complex<T> sum = 0;
                for (int l = 0; l < k; l++)
                    sum += part(a, of_a, leading, i, l) * part(b, of_b, leading, l, j);
                c.host[i + j * leading] = alpha * sum + scale * c.host[i + j * leading];
            }
        c.expect("gemm", form);
    }
    for (int form = 0; form < 6; form++) {
        const int operation = form % 3, step = form < 3 ? 2 : -2;
        const int rows = operation == 0 ? m : n, in = operation == 0 ? n : m;
        numbers<T> a(leading * n), x(2 * in), y(rows);
        gemv(handle, operations[operation], m, n, (const gpu *)&alpha, (gpu *)a.device, leading,
             (gpu *)x.device, step, (const gpu *)&beta, (gpu *)y.device, 1);
        for (int i = 0; i < rows; i++) {
            std::complex<T> sum = 0;
            for (int l = 0; l < in; l++)
                sum += part(a, operation, leading, i, l) * x.host[2 * (step > 0 ? l : in - 1 - l)];
            y.host[i] = alpha * sum + beta * y.host[i];
        }
        y.expect("gemv", form);
    }
    for (int form = 0; form < 2; form++) {
        numbers<T> a(leading * n), x(m), y(n);
        (form == 0 ? geru : gerc)(handle, m, n, (const gpu *)&alpha, (gpu *)x.device, 1,
                                  (gpu *)y.device, -1, (gpu *)a.device, leading);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                const std::complex<T> other = y.host[n - 1 - j];
                a.host[i + j * leading] +=
                    alpha * x.host[i] * (form == 0 ? other : std::conj(other));
            }
        a.expect("ger", form);
    }
}

template <class T, class Axpy, class Scal, class Real, class Dotu, class Dotc, class Norm>
static void vectors(Axpy axpy, Scal scal, Real real, Dotu dotu, Dotc dotc, Norm norm)
{
    typedef typename gpu_type<T>::type gpu;
    const int n = 9;
    const std::complex<T> alpha(2, -1);
    const T half = 3;
    for (int form = 0; form < 2; form++) {
        numbers<T> x(n * 2), y(n), one(1);
        std::complex<T> plain = 0, turned = 0, there[2];
        T size = 0;
        axpy(handle, n, (const gpu *)&alpha, (gpu *)x.device, form == 0 ? 2 : -2, (gpu *)y.device,
             1);
        for (int i = 0; i < n; i++)
            y.host[i] += alpha * x.host[2 * (form == 0 ? i : n - 1 - i)];
        y.expect("axpy", form);
        scal(handle, n, (const gpu *)&alpha, (gpu *)x.device, 2);
        for (int i = 0; i < n; i++)
            x.host[2 * i] *= alpha;
        x.expect("scal", form);
        real(handle, n, &half, (gpu *)y.device, 1);
        for (auto &value : y.host)
            value *= half;
        y.expect("scal by a real number", form);
        dotu(handle, n, (gpu *)x.device, 2, (gpu *)y.device, 1, (gpu *)&there[0]);
        dotc(handle, n, (gpu *)x.device, 2, (gpu *)y.device, 1, (gpu *)&there[1]);
        for (int i = 0; i < n; i++) {
            plain += x.host[2 * i] * y.host[i];
            turned += std::conj(x.host[2 * i]) * y.host[i];
        }
        if (there[0] != plain || there[1] != turned) {
            printf("dot, form %d\n", form);
            wrong++;
        }
        cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
        dotc(handle, n, (gpu *)x.device, 2, (gpu *)y.device, 1, (gpu *)one.device);
        cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
        one.host[0] = turned;
        one.expect("dot on the device", form);
    }
    numbers<T> x(2);
    T size = 0;
    x.host[0] = std::complex<T>(2, 4);
    x.host[1] = std::complex<T>(-5, 2);
    cudaMemcpy(x.device, x.host.data(), 2 * sizeof(x.host[0]), cudaMemcpyHostToDevice);
    norm(handle, 2, (gpu *)x.device, 1, &size);
    if (size != 7) {
        printf("norm, %g\n", (double)size);
        wrong++;
    }
}

int main()
{
    cublasCreate(&handle);
    matrices<float>(cublasCgemm, cublasCgemv, cublasCgeru, cublasCgerc);
    matrices<double>(cublasZgemm, cublasZgemv, cublasZgeru, cublasZgerc);
    vectors<float>(cublasCaxpy, cublasCscal, cublasCsscal, cublasCdotu, cublasCdotc, cublasScnrm2);
    vectors<double>(cublasZaxpy, cublasZscal, cublasZdscal, cublasZdotu, cublasZdotc, cublasDznrm2);
    cublasDestroy(handle);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
