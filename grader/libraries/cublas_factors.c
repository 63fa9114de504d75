/* cublas_factors.c: batches of square matrices as products of triangles: getrf finds the factors,
 * getrs solves with them, getri inverts with them, matinv does all at once. P A = L U, the rows
 * exchanged as LAPACK has it: pivot i is the row, from 1 on, that row i was exchanged with. */
#include "libraries/blas_values.h"

#include <math.h>
#include <stdlib.h>

enum factors_work { FACTORISE, SOLVE_WITH, INVERT_WITH, INVERT };

enum { INVERT_ORDER_MAX = 32 }; /* of matinv */

struct factors {
    enum factors_work what;
    bool is_transposed;     /* of SOLVE_WITH */
    int n, columns;         /* columns: of c */
    struct blas_block a, c; /* a: the matrices, or their factors; c: results in another place */
    const void *pivots;     /* [count, n]; NULL: no rows are exchanged */
    const void *statuses;   /* [count]; NULL: none */
    int count;
};

/* One matrix: its values by columns, and what its rows were exchanged with. */
struct factored {
    size_t n;
    double *values;
    double *pivots; /* [n]; NULL: none */
};

static void exchange(double *values, size_t rows, size_t columns, size_t first, size_t second)
{
    for (size_t j = 0; first != second && j < columns; j++) {
        const double value = values[first + j * rows];

        values[first + j * rows] = values[second + j * rows];
        values[second + j * rows] = value;
    }
}

static size_t find_pivot(const struct factored *a, size_t k)
{
    size_t best = k;

    for (size_t i = k + 1; i < a->n; i++) {
        if (fabs(a->values[i + k * a->n]) > fabs(a->values[best + k * a->n])) {
            best = i;
        }
    }
    return best;
}

/* Returns the first diagonal element that is zero, from 1 on, or 0. */
static int factorise(struct factored *a)
{
    const size_t n = a->n;
    int status = 0;

    for (size_t k = 0; k < n; k++) {
        if (a->pivots != NULL) {
            const size_t pivot = find_pivot(a, k);

            a->pivots[k] = (double)(pivot + 1);
            exchange(a->values, n, n, k, pivot);
        }
        const double diagonal = a->values[k + k * n];
        if (diagonal == 0.0) {
            status = status == 0 ? (int)k + 1 : status;
            continue;
        }
        for (size_t i = k + 1; i < n; i++) {
            a->values[i + k * n] /= diagonal;
            for (size_t j = k + 1; j < n; j++) {
                a->values[i + j * n] -= a->values[i + k * n] * a->values[k + j * n];
            }
        }
    }
    return status;
}

/* Element i, j of one of the factors, or of its transpose. */
static double factor_at(const struct factored *a, bool is_transposed, size_t i, size_t j)
{
    return a->values[is_transposed ? j + i * a->n : i + j * a->n];
}

/* Solves with one triangle in place of x [n]: from the start or from the end, its diagonal the
 * stored one or ones. */
static void solve_triangle(const struct factored *a, bool is_transposed, bool is_from_end,
                           bool is_unit, double *x)
{
    for (size_t done = 0; done < a->n; done++) {
        const size_t i = is_from_end ? a->n - 1 - done : done;

        for (size_t known = 0; known < done; known++) {
            const size_t j = is_from_end ? a->n - 1 - known : known;

            x[i] -= factor_at(a, is_transposed, i, j) * x[j];
        }
        x[i] /= is_unit ? 1.0 : factor_at(a, is_transposed, i, i);
    }
}

static void solve(const struct factored *a, bool is_transposed, size_t columns, double *x)
{
    for (size_t i = 0; a->pivots != NULL && !is_transposed && i < a->n; i++) {
        exchange(x, a->n, columns, i, (size_t)a->pivots[i] - 1);
    }
    for (size_t j = 0; j < columns; j++) {
        solve_triangle(a, is_transposed, false, !is_transposed, x + j * a->n);
        solve_triangle(a, is_transposed, true, is_transposed, x + j * a->n);
    }
    for (size_t i = a->n; a->pivots != NULL && is_transposed && i-- > 0;) {
        exchange(x, a->n, columns, i, (size_t)a->pivots[i] - 1);
    }
}

/* The first zero on the diagonal, from 1 on, or 0. */
static int singular(const struct factored *a)
{
    for (size_t i = 0; i < a->n; i++) {
        if (a->values[i + i * a->n] == 0.0) {
            return (int)i + 1;
        }
    }
    return 0;
}

static cudaError_t solve_stored(const struct factors *call, const struct factored *a)
{
    double *x = NULL;
    cudaError_t error = blas_fetch(&call->c, &x);

    if (error == cudaSuccess) {
        solve(a, call->is_transposed, (size_t)call->columns, x);
        error = blas_store(&call->c, x);
    }
    free(x);
    return error;
}

static cudaError_t invert(const struct factors *call, const struct factored *a)
{
    double *x = NULL;
    cudaError_t error = blas_room(&call->c, &x);

    for (size_t i = 0; error == cudaSuccess && i < a->n; i++) {
        x[i + i * a->n] = 1.0;
    }
    if (error == cudaSuccess) {
        solve(a, false, a->n, x);
        error = blas_store(&call->c, x);
    }
    free(x);
    return error;
}

/* Works on one matrix, whose addresses the call has by now. */
static cudaError_t work_on(const struct factors *call, double *pivots, double *out_status)
{
    struct factored a = {(size_t)call->n, NULL, pivots};
    cudaError_t error = blas_fetch(&call->a, &a.values);

    if (error != cudaSuccess) {
        return error;
    }
    switch (call->what) {
    case FACTORISE:
        *out_status = factorise(&a);
        error = blas_store(&call->a, a.values);
        break;
    case SOLVE_WITH:
        error = solve_stored(call, &a);
        break;
    case INVERT:
        factorise(&a);
        /* fall through */
    case INVERT_WITH:
        *out_status = singular(&a);
        error = *out_status == 0.0 ? invert(call, &a) : cudaSuccess;
        break;
    }
    free(a.values);
    return error;
}

/* Rows that were exchanged with rows that are there. */
static bool are_rows(const double *pivots, const struct factors *call)
{
    for (size_t i = 0; pivots != NULL && i < (size_t)call->count * (size_t)call->n; i++) {
        if (pivots[i] < 1.0 || pivots[i] > call->n) {
            return false;
        }
    }
    return true;
}

/* The pivots of all matrices: those in device memory, or room for new ones. */
static cudaError_t get_pivots(const struct factors *call, const struct blas_block *stored,
                              double **out_pivots)
{
    cudaError_t error = cudaSuccess;

    if (call->what == INVERT) {
        *out_pivots = calloc((size_t)call->count * (size_t)call->n, sizeof(**out_pivots));
        return *out_pivots != NULL ? cudaSuccess
                                   : runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    if (call->pivots == NULL) {
        return cudaSuccess;
    }
    if (call->what == FACTORISE) {
        return blas_room(stored, out_pivots);
    }
    error = blas_fetch(stored, out_pivots);
    return error == cudaSuccess && !are_rows(*out_pivots, call)
               ? runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE)
               : error;
}

static cudaError_t work_on_batch(const struct factors *call, void *const *a, void *const *c,
                                 double *pivots, double *statuses)
{
    cudaError_t error = cudaSuccess;

    for (int i = 0; error == cudaSuccess && i < call->count; i++) {
        struct factors one = *call;

        one.a.address = a[i];
        one.c.address = c == NULL ? NULL : c[i];
        error = work_on(&one, pivots == NULL ? NULL : pivots + (size_t)i * (size_t)call->n,
                        &statuses[i]);
    }
    return error;
}

static cudaError_t work(const void *request)
{
    const struct factors *call = request;
    const size_t count = (size_t)call->count, all = count * (size_t)call->n;
    const struct blas_block stored = {call->pivots, CUDA_R_32I, all, 1, all, "pivots", false};
    const struct blas_block info = {call->statuses, CUDA_R_32I, count, 1, count, "info", false};
    void **a = NULL, **c = NULL;
    double *pivots = NULL, *statuses = calloc(count, sizeof(*statuses));
    cudaError_t error = statuses == NULL
                            ? runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY)
                            : blas_fetch_addresses(call->a.address, call->count, "A", &a);

    if (error == cudaSuccess && call->what != FACTORISE) {
        error = blas_fetch_addresses(call->c.address, call->count, call->c.operand, &c);
    }
    if (error == cudaSuccess) {
        error = get_pivots(call, &stored, &pivots);
    }
    if (error == cudaSuccess) {
        error = work_on_batch(call, a, c, pivots, statuses);
    }
    if (error == cudaSuccess && call->what == FACTORISE && pivots != NULL) {
        error = blas_store(&stored, pivots);
    }
    if (error == cudaSuccess && call->statuses != NULL) {
        error = blas_store(&info, statuses);
    }
    free(a);
    free(c);
    free(pivots);
    free(statuses);
    return error;
}

/* Begins a call that has its matrices; `lda` and `ldc` are their leading dimensions. */
static cublasStatus_t submit(enum runtime_call number, cublasHandle_t handle, struct factors *call,
                             int lda, int ldc)
{
    const cudaDataType type = call->a.type;
    const void *const a = call->a.address, *const c = call->c.address;
    enum refusal why = REFUSAL_NONE;

    if (!blas_enter(number, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if (call->n < 0 || call->columns < 0 || call->count < 0 ||
        (call->what == INVERT && call->n > INVERT_ORDER_MAX)) {
        why = REFUSAL_SIZE;
    } else if (!blas_matrix(a, type, call->n, call->n, lda, &call->a) ||
               (call->what != FACTORISE &&
                !blas_matrix(c, type, call->n, call->columns, ldc, &call->c))) {
        why = REFUSAL_LEADING;
    } else if (call->what != SOLVE_WITH && call->statuses == NULL) {
        why = REFUSAL_NULL_POINTER;
    }
    call->c.operand = call->what == SOLVE_WITH ? "B" : "C";
    if (why != REFUSAL_NONE) {
        return blas_refuse(CUBLAS_STATUS_INVALID_VALUE, why);
    }
    return blas_leave(call->n == 0 || call->columns == 0 || call->count == 0
                          ? cudaSuccess
                          : library_submit(handle->stream, work, call, sizeof(*call)));
}

/* What getrs says of its arguments, in host memory: the number of the first wrong one. */
static cublasStatus_t getrs(enum runtime_call number, cublasHandle_t handle,
                            cublasOperation_t operation, struct factors *call, int lda, int ldb,
                            int *info)
{
    const int least = call->n > 1 ? call->n : 1;

    if (info != NULL) {
        *info = !blas_is_operation(operation) ? -1
                : call->n < 0                 ? -2
                : call->columns < 0           ? -3
                : lda < least                 ? -5
                : ldb < least                 ? -8
                : call->count < 0             ? -10
                                              : 0;
    }
    if (info != NULL && blas_is_operation(operation)) {
        call->is_transposed = operation != CUBLAS_OP_N;
        return submit(number, handle, call, lda, ldb);
    }
    return blas_enter(number, handle)
               ? blas_refuse(CUBLAS_STATUS_INVALID_VALUE,
                             info == NULL ? REFUSAL_NULL_POINTER : REFUSAL_VALUE)
               : CUBLAS_STATUS_NOT_INITIALIZED;
}

#define FACTORS(letter, real, real_type)                                                           \
    cublasStatus_t cublas##letter##getrfBatched(cublasHandle_t handle, int n, real *const a[],     \
                                                int lda, int *pivots, int *info, int count)        \
    {                                                                                              \
        struct factors call = {.what = FACTORISE,                                                  \
                               .n = n,                                                             \
                               .columns = n,                                                       \
                               .a = {.address = a, .type = real_type},                             \
                               .pivots = pivots,                                                   \
                               .statuses = info,                                                   \
                               .count = count};                                                    \
        return submit(RUNTIME_CALL_cublas##letter##getrfBatched, handle, &call, lda, 0);           \
    }                                                                                              \
    cublasStatus_t cublas##letter##getrsBatched(                                                   \
        cublasHandle_t handle, cublasOperation_t trans, int n, int columns, const real *const a[], \
        int lda, const int *pivots, real *const b[], int ldb, int *info, int count)                \
    {                                                                                              \
        struct factors call = {.what = SOLVE_WITH,                                                 \
                               .n = n,                                                             \
                               .columns = columns,                                                 \
                               .a = {.address = a, .type = real_type},                             \
                               .c = {.address = b},                                                \
                               .pivots = pivots,                                                   \
                               .count = count};                                                    \
        return getrs(RUNTIME_CALL_cublas##letter##getrsBatched, handle, trans, &call, lda, ldb,    \
                     info);                                                                        \
    }                                                                                              \
    cublasStatus_t cublas##letter##getriBatched(cublasHandle_t handle, int n,                      \
                                                const real *const a[], int lda, const int *pivots, \
                                                real *const c[], int ldc, int *info, int count)    \
    {                                                                                              \
        struct factors call = {.what = INVERT_WITH,                                                \
                               .n = n,                                                             \
                               .columns = n,                                                       \
                               .a = {.address = a, .type = real_type},                             \
                               .c = {.address = c},                                                \
                               .pivots = pivots,                                                   \
                               .statuses = info,                                                   \
                               .count = count};                                                    \
        return submit(RUNTIME_CALL_cublas##letter##getriBatched, handle, &call, lda, ldc);         \
    }                                                                                              \
    cublasStatus_t cublas##letter##matinvBatched(cublasHandle_t handle, int n,                     \
                                                 const real *const a[], int lda, real *const c[],  \
                                                 int ldc, int *info, int count)                    \
    {                                                                                              \
        struct factors call = {.what = INVERT,                                                     \
                               .n = n,                                                             \
                               .columns = n,                                                       \
                               .a = {.address = a, .type = real_type},                             \
                               .c = {.address = c},                                                \
                               .statuses = info,                                                   \
                               .count = count};                                                    \
        return submit(RUNTIME_CALL_cublas##letter##matinvBatched, handle, &call, lda, ldc);        \
    }
FACTORS(S, float, CUDA_R_32F)
FACTORS(D, double, CUDA_R_64F)
