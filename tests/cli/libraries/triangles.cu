// Triangular and symmetric matrices of cuBLAS beside plain loops, on whole numbers, which are exact.
// With a number it makes that mistake.
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <vector>

static cublasHandle_t handle;
static int wrong;

template <class T> struct matrix {
    int rows, columns, leading;
    std::vector<T> host;
    T *device = nullptr;

    matrix(int r, int c, int extra = 3)
        : rows(r), columns(c), leading(r + extra), host((size_t)(r + extra) * c)
    {
        for (auto &x : host)
            x = (T)(rand() % 7 - 3);
        cudaMalloc(&device, host.size() * sizeof(T));
    }
    ~matrix() { cudaFree(device); }
    T &at(int i, int j) { return host[i + (size_t)j * leading]; }
    void up() { cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice); }
    void down()
    {
        cudaMemcpy(host.data(), device, host.size() * sizeof(T), cudaMemcpyDeviceToHost);
    }
};

// What op(a) is at i, j, for a triangle.
template <class T>
static T part(matrix<T> &a, bool upper, bool turned, bool unit, int i, int j)
{
    if (turned)
        std::swap(i, j);
    return i == j && unit ? (T)1 : i == j || (i < j) == upper ? a.at(i, j) : (T)0;
}

static void expect(bool holds, const char *what, int form)
{
    if (!holds) {
        printf("%s, form %d\n", what, form);
        wrong++;
    }
}

template <class T, class Trsm, class Trmm, class Trsv>
static void triangles(Trsm trsm, Trmm trmm, Trsv trsv)
{
    const int m = 5, n = 4;
    const T alpha = 2;
    for (int form = 0; form < 16; form++) {
        const bool left = form & 1, upper = form & 2, turned = form & 4, unit = form & 8;
        const cublasSideMode_t side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
        const cublasFillMode_t fill = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
        const cublasOperation_t operation = turned ? CUBLAS_OP_T : CUBLAS_OP_N;
        const cublasDiagType_t diagonal = unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
        const int order = left ? m : n;
        matrix<T> a(order, order), b(m, n), c(m, n);
        for (int i = 0; i < order; i++)
            a.at(i, i) = (T)(1 << i % 3);
        auto times = [&](matrix<T> &x, int i, int j) {
            T sum = 0;
            for (int k = 0; k < order; k++)
                sum += left ? part(a, upper, turned, unit, i, k) * x.at(k, j)
                            : x.at(i, k) * part(a, upper, turned, unit, k, j);
            return sum;
        };
        bool holds = true;
        a.up(), b.up(), c.up();
        trmm(handle, side, fill, operation, diagonal, m, n, &alpha, a.device, a.leading, b.device,
             b.leading, c.device, c.leading);
        c.down();
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                holds = holds && c.at(i, j) == alpha * times(b, i, j);
        expect(holds, "trmm", form);
        matrix<T> before = c;
        before.device = nullptr;
        trsm(handle, side, fill, operation, diagonal, m, n, &alpha, a.device, a.leading, c.device,
             c.leading);
        c.down();
        holds = true;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++)
                holds = holds && times(c, i, j) == alpha * before.at(i, j);
        for (int j = 0; j < n; j++) // what is between the columns stays
            holds = holds && c.at(m, j) == before.at(m, j);
        expect(holds, "trsm", form);
        if (left) { // a vector, forwards and backwards
            matrix<T> x(m, 1, 0);
            x.up();
            std::vector<T> right = x.host;
            trsv(handle, fill, operation, diagonal, m, a.device, a.leading, x.device,
                 unit ? -1 : 1);
            x.down();
            if (unit)
                for (int i = 0; i < m / 2; i++) {
                    std::swap(x.host[i], x.host[m - 1 - i]);
                    std::swap(right[i], right[m - 1 - i]);
                }
            holds = true;
            for (int i = 0; i < m; i++)
                holds = holds && times(x, i, 0) == right[i];
            expect(holds, "trsv", form);
        }
    }
}

template <class T, class Symm, class Syrk> static void symmetric(Symm symm, Syrk syrk)
{
    const int m = 5, n = 4;
    const T alpha = 2, beta = -1;
    for (int form = 0; form < 4; form++) {
        const bool left = form & 1, upper = form & 2, turned = form & 1;
        const cublasFillMode_t fill = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
        const int order = left ? m : n;
        matrix<T> a(order, order), b(m, n), c(m, n), before = c;
        before.device = nullptr;
        bool holds = true;
        a.up(), b.up(), c.up();
        symm(handle, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT, fill, m, n, &alpha, a.device,
             a.leading, b.device, b.leading, &beta, c.device, c.leading);
        c.down();
        auto whole = [&](int i, int j) {
            return (i < j) == upper ? a.at(i, j) : a.at(j, i);
        };
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                T sum = 0;
                for (int k = 0; k < order; k++)
                    sum += left ? whole(i, k) * b.at(k, j) : b.at(i, k) * whole(k, j);
                holds = holds && c.at(i, j) == alpha * sum + beta * before.at(i, j);
            }
        expect(holds, "symm", form);

        matrix<T> d(turned ? m : n, turned ? n : m), e(n, n), kept = e;
        kept.device = nullptr;
        d.up(), e.up();
        syrk(handle, fill, turned ? CUBLAS_OP_T : CUBLAS_OP_N, n, m, &alpha, d.device, d.leading,
             &beta, e.device, e.leading);
        e.down();
        holds = true;
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                T sum = 0;
                for (int k = 0; k < m; k++)
                    sum += turned ? d.at(k, i) * d.at(k, j) : d.at(i, k) * d.at(j, k);
                const bool inside = i == j || (i < j) == upper;
                holds = holds && e.at(i, j) == (inside ? alpha * sum + beta * kept.at(i, j)
                                                       : kept.at(i, j));
            }
        expect(holds, "syrk", form);
    }
}

int main(int argc, char **argv)
{
    const int mistake = argc > 1 ? atoi(argv[1]) : 0;
    cublasCreate(&handle);
    if (mistake == 0) {
        triangles<float>(cublasStrsm, cublasStrmm, cublasStrsv);
        triangles<double>(cublasDtrsm, cublasDtrmm, cublasDtrsv);
        symmetric<float>(cublasSsymm, cublasSsyrk);
        symmetric<double>(cublasDsymm, cublasDsyrk);
        // a batch of two
        matrix<float> a(3, 3), b(3, 2), c(3, 2);
        const float one = 1;
        for (int i = 0; i < 3; i++)
            a.at(i, i) = 1;
        float **pointers;
        a.up(), b.up(), c.up();
        float *list[] = {a.device, a.device, b.device, c.device};
        cudaMalloc(&pointers, sizeof list);
        cudaMemcpy(pointers, list, sizeof list, cudaMemcpyHostToDevice);
        expect(cublasStrsmBatched(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                                  CUBLAS_DIAG_UNIT, 3, 2, &one, pointers, a.leading, pointers + 2,
                                  b.leading, 2) == CUBLAS_STATUS_SUCCESS,
               "trsmBatched", 0);
        matrix<float> before = c;
        before.device = nullptr;
        c.down();
        expect(c.at(1, 1) == before.at(1, 1) - a.at(1, 0) * before.at(0, 1), "trsmBatched", 1);
        cudaFree(pointers);
        printf("%d wrong\n", wrong);
    } else {
        matrix<float> a(4, 4, 0), b(4, 2, 0);
        const float one = 1;
        a.up(), b.up();
        cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER,
                    mistake == 1 ? (cublasOperation_t)9 : CUBLAS_OP_N, CUBLAS_DIAG_UNIT, 4, 2, &one,
                    a.device, mistake == 2 ? 3 : mistake == 3 ? 40 : 4, b.device, 4);
    }
    cublasDestroy(handle);
    return 0;
}
