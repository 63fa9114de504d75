/* cublas_triangle.c: triangular and symmetric matrices of cuBLAS. All of a matrix is fetched, and
 * what its other triangle stands for is put in its place; then it is a matrix as any other. */
#include "libraries/blas_values.h"
#include "libraries/matrix_product.h"

#include <stdlib.h>

enum triangle_work {
    SOLVE,    /* trsm, trsv: op(a) x = alpha b, x in the place of b */
    TIMES,    /* trmm: c = alpha op(a) b */
    MIRRORED, /* symm: c = alpha a b + beta c, a symmetric */
    RANK      /* syrk: c = alpha op(a) op(a)^T + beta c, one triangle of it */
};

struct triangle {
    enum triangle_work what;
    bool is_left, is_upper, is_transposed, is_unit;
    int m, n, k;               /* of b and c; k: the other extent of syrk's a */
    struct blas_block a, b, c; /* of SOLVE, c is b */
    bool is_c_backward;
    struct blas_scalar alpha, beta;
    bool has_pointers; /* the addresses are of arrays of addresses */
    int count;
};

/* The values of a, b and c; NULL: the call has none. */
struct values {
    double *a, *b, *c;
};

/* What a triangle stands for: zeros, or the mirrored triangle, beside it. */
static void complete(const struct triangle *call, double *a)
{
    const size_t order = call->a.rows;

    for (size_t j = 0; j < order; j++) {
        for (size_t i = 0; i < order; i++) {
            const bool is_outside = call->is_upper ? i > j : i < j;

            if (is_outside) {
                a[i + j * order] = call->what == MIRRORED ? a[j + i * order] : 0.0;
            } else if (i == j && call->is_unit) {
                a[i + j * order] = 1.0;
            }
        }
    }
}

/* Solves for one vector, whose numbers lie `step` apart, in its place. */
static void solve(const struct triangle *call, const double *a, double *x, size_t step)
{
    const size_t order = call->a.rows;
    const bool turns = call->is_transposed == call->is_left; /* of a, as the rows of equations */
    const bool is_from_end = call->is_upper != turns;

    for (size_t done = 0; done < order; done++) {
        const size_t row = is_from_end ? order - 1 - done : done;
        double sum = x[row * step];

        for (size_t known = 0; known < done; known++) {
            const size_t column = is_from_end ? order - 1 - known : known;

            sum -= a[turns ? column + row * order : row + column * order] * x[column * step];
        }
        x[row * step] = sum / a[row + row * order];
    }
}

static bool solve_all(const struct triangle *call, double alpha, const struct values *values)
{
    const size_t m = (size_t)call->m, n = (size_t)call->n;

    for (size_t i = 0; i < m * n; i++) {
        values->c[i] = alpha == 0.0 ? 0.0 : alpha * values->c[i];
    }
    for (size_t i = 0; alpha != 0.0 && i < (call->is_left ? n : m); i++) {
        solve(call, values->a, values->c + (call->is_left ? i * m : i), call->is_left ? 1 : m);
    }
    return true;
}

/* The product that c gets; false: there is no memory. */
static bool multiply(const struct triangle *call, double alpha, double beta,
                     const struct values *values)
{
    const size_t m = (size_t)call->m, n = (size_t)call->n, order = call->a.rows;
    const bool is_rank = call->what == RANK;
    struct matrix_product product = {
        m, n, is_rank ? (size_t)call->k : order, values->a, values->b, call->is_transposed, false};
    double *sums = calloc(m * n + 1, sizeof(*sums));
    bool is_done = sums != NULL;

    if (is_rank) {
        product.b = values->a;
        product.is_b_transposed = !call->is_transposed;
    } else if (!call->is_left) {
        product.a = values->b;
        product.b = values->a;
        product.is_a_transposed = false;
        product.is_b_transposed = call->is_transposed;
    }
    if (is_done && alpha != 0.0 && product.k > 0) {
        is_done = matrix_multiply(&product, sums);
    }
    for (size_t i = 0; is_done && i < m * n; i++) {
        const bool is_outside = call->is_upper ? i % m > i / m : i % m < i / m;

        if (!is_rank || !is_outside) {
            values->c[i] = alpha * sums[i] + (beta == 0.0 ? 0.0 : beta * values->c[i]);
        }
    }
    free(sums);
    return is_done;
}

static cudaError_t work_on(const struct triangle *call, double alpha, double beta)
{
    const bool is_rank = call->what == RANK;
    struct values values = {NULL, NULL, NULL};
    struct blas_block a = call->a, b = call->b, c = call->c;

    a.is_part = !is_rank || alpha == 0.0;
    b.is_part = alpha == 0.0;
    c.is_part = call->what == SOLVE ? alpha == 0.0 : is_rank || beta == 0.0;
    cudaError_t error = blas_fetch(&a, &values.a);
    if (error == cudaSuccess && b.address != NULL) {
        error = blas_fetch(&b, &values.b);
    }
    if (error == cudaSuccess) {
        error = blas_fetch(&c, &values.c);
    }
    if (error == cudaSuccess) {
        const size_t numbers = call->c.rows * call->c.columns;

        if (!is_rank) {
            complete(call, values.a);
        }
        if (call->is_c_backward) {
            blas_reverse(values.c, numbers);
        }
        if (!(call->what == SOLVE ? solve_all(call, alpha, &values)
                                  : multiply(call, alpha, beta, &values))) {
            error = runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
        }
        if (call->is_c_backward) {
            blas_reverse(values.c, numbers);
        }
    }
    if (error == cudaSuccess) {
        error = blas_store(&call->c, values.c);
    }
    free(values.a);
    free(values.b);
    free(values.c);
    return error;
}

/* A batch, of trsm alone. */
static cudaError_t work_on_all(const struct triangle *call, double alpha)
{
    void **a = NULL, **c = NULL;
    cudaError_t error = blas_fetch_addresses(call->a.address, call->count, call->a.operand, &a);

    if (error == cudaSuccess) {
        error = blas_fetch_addresses(call->c.address, call->count, call->c.operand, &c);
    }
    for (int i = 0; error == cudaSuccess && i < call->count; i++) {
        struct triangle one = *call;

        one.a.address = a[i];
        one.c.address = c[i];
        error = work_on(&one, alpha, 0.0);
    }
    free(a);
    free(c);
    return error;
}

static cudaError_t work(const void *request)
{
    const struct triangle *call = request;
    double alpha = 1.0, beta = 0.0;
    cudaError_t error = blas_read_scalar(&call->alpha, &alpha);

    if (error == cudaSuccess) {
        error = blas_read_scalar(&call->beta, &beta);
    }
    if (error != cudaSuccess) {
        return error;
    }
    return call->has_pointers ? work_on_all(call, alpha) : work_on(call, alpha, beta);
}

/* Calls **************************************************************************************/

/* A call as programs make it; what it has not is NULL, or the default. */
struct asked {
    enum triangle_work what;
    cublasSideMode_t side;
    cublasFillMode_t fill;
    cublasOperation_t operation;
    cublasDiagType_t diagonal;
    int m, n, k;
    const void *alpha, *beta, *a, *b, *c;
    int lda, ldb, ldc;
    cudaDataType type;
    bool has_pointers;
    int count;
};

static enum refusal check(const struct asked *asked)
{
    const bool has_b = asked->what == TIMES || asked->what == MIRRORED;

    if (!blas_is_operation(asked->operation) || (unsigned)asked->side > CUBLAS_SIDE_RIGHT ||
        (unsigned)asked->fill > CUBLAS_FILL_MODE_UPPER ||
        (unsigned)asked->diagonal > CUBLAS_DIAG_UNIT) {
        return REFUSAL_VALUE;
    }
    if (asked->m < 0 || asked->n < 0 || asked->k < 0 || asked->count < 0) {
        return REFUSAL_SIZE;
    }
    return asked->a == NULL || asked->c == NULL || (has_b && asked->b == NULL)
               ? REFUSAL_NULL_POINTER
               : REFUSAL_NONE;
}

static enum refusal describe(const struct asked *asked, struct triangle *out)
{
    const bool turns = asked->operation != CUBLAS_OP_N;
    const int order = asked->side == CUBLAS_SIDE_LEFT ? asked->m : asked->n;
    const int rows = asked->what != RANK ? order : turns ? asked->k : asked->n;
    const int columns = asked->what != RANK ? order : turns ? asked->n : asked->k;

    *out = (struct triangle){
        .what = asked->what,
        .is_left = asked->side == CUBLAS_SIDE_LEFT,
        .is_upper = asked->fill == CUBLAS_FILL_MODE_UPPER,
        .is_transposed = turns,
        .is_unit = asked->diagonal == CUBLAS_DIAG_UNIT,
        .m = asked->m,
        .n = asked->n,
        .k = asked->k,
        .alpha = {.value = 1.0},
        .has_pointers = asked->has_pointers,
        .count = asked->count,
    };
    return blas_matrix(asked->a, asked->type, rows, columns, asked->lda, &out->a) &&
                   blas_matrix(asked->c, asked->type, asked->m, asked->n, asked->ldc, &out->c) &&
                   (asked->b == NULL ||
                    blas_matrix(asked->b, asked->type, asked->m, asked->n, asked->ldb, &out->b))
               ? REFUSAL_NONE
               : REFUSAL_LEADING;
}

/* `increment` is that of trsv's vector; 0: c is a matrix. */
static cublasStatus_t submit(enum runtime_call number, cublasHandle_t handle,
                             const struct asked *asked, int increment)
{
    struct triangle call;

    if (!blas_enter(number, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    enum refusal why = check(asked);
    if (why == REFUSAL_NONE) {
        why = describe(asked, &call);
    }
    if (why == REFUSAL_NONE && asked->alpha != NULL) {
        why = blas_take_scalar(handle, asked->alpha, asked->type, &call.alpha);
    }
    if (why == REFUSAL_NONE && asked->beta != NULL) {
        why = blas_take_scalar(handle, asked->beta, asked->type, &call.beta);
    }
    if (why != REFUSAL_NONE) {
        return blas_refuse(CUBLAS_STATUS_INVALID_VALUE, why);
    }
    call.b.operand = "B";
    call.c.operand = asked->what == SOLVE ? "B" : "C";
    if (increment != 0) {
        call.c = blas_vector(asked->c, asked->type, asked->m, increment).block;
        call.is_c_backward = increment < 0;
    }
    if (asked->m == 0 || asked->n == 0 || asked->count == 0) {
        return blas_leave(cudaSuccess);
    }
    return blas_leave(library_submit(handle->stream, work, &call, sizeof(call)));
}

/* A scalar that must be there. */
static cublasStatus_t submit_scaled(enum runtime_call number, cublasHandle_t handle,
                                    const struct asked *asked, bool has_beta)
{
    if (asked->alpha != NULL && (!has_beta || asked->beta != NULL)) {
        return submit(number, handle, asked, 0);
    }
    return blas_enter(number, handle)
               ? blas_refuse(CUBLAS_STATUS_INVALID_VALUE, REFUSAL_NULL_POINTER)
               : CUBLAS_STATUS_NOT_INITIALIZED;
}

#define TRIANGLES(letter, real, real_type)                                                         \
    cublasStatus_t cublas##letter##trsv_v2(cublasHandle_t handle, cublasFillMode_t uplo,           \
                                           cublasOperation_t trans, cublasDiagType_t diag, int n,  \
                                           const real *a, int lda, real *x, int incx)              \
    {                                                                                              \
        const struct asked asked = {.what = SOLVE,                                                 \
                                    .fill = uplo,                                                  \
                                    .operation = trans,                                            \
                                    .diagonal = diag,                                              \
                                    .m = n,                                                        \
                                    .n = 1,                                                        \
                                    .a = a,                                                        \
                                    .c = x,                                                        \
                                    .lda = lda,                                                    \
                                    .ldc = n > 1 ? n : 1,                                          \
                                    .type = real_type,                                             \
                                    .count = 1};                                                   \
        if (incx != 0) {                                                                           \
            return submit(RUNTIME_CALL_cublas##letter##trsv, handle, &asked, incx);                \
        }                                                                                          \
        return blas_enter(RUNTIME_CALL_cublas##letter##trsv, handle)                               \
                   ? blas_refuse(CUBLAS_STATUS_INVALID_VALUE, REFUSAL_INCREMENT)                   \
                   : CUBLAS_STATUS_NOT_INITIALIZED;                                                \
    }                                                                                              \
    cublasStatus_t cublas##letter##trsm_v2(cublasHandle_t handle, cublasSideMode_t side,           \
                                           cublasFillMode_t uplo, cublasOperation_t trans,         \
                                           cublasDiagType_t diag, int m, int n, const real *alpha, \
                                           const real *a, int lda, real *b, int ldb)               \
    {                                                                                              \
        const struct asked asked = {SOLVE, side,  uplo,      trans, diag, m, n,                    \
                                    0,     alpha, NULL,      a,     NULL, b, lda,                  \
                                    0,     ldb,   real_type, false, 1};                            \
        return submit_scaled(RUNTIME_CALL_cublas##letter##trsm, handle, &asked, false);            \
    }                                                                                              \
    cublasStatus_t cublas##letter##trsmBatched(                                                    \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                       \
        cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const real *alpha,           \
        const real *const a[], int lda, real *const b[], int ldb, int count)                       \
    {                                                                                              \
        const struct asked asked = {SOLVE, side,  uplo,      trans, diag, m, n,                    \
                                    0,     alpha, NULL,      a,     NULL, b, lda,                  \
                                    0,     ldb,   real_type, true,  count};                        \
        return submit_scaled(RUNTIME_CALL_cublas##letter##trsmBatched, handle, &asked, false);     \
    }                                                                                              \
    cublasStatus_t cublas##letter##trmm_v2(                                                        \
        cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,                       \
        cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const real *alpha,           \
        const real *a, int lda, const real *b, int ldb, real *c, int ldc)                          \
    {                                                                                              \
        const struct asked asked = {TIMES, side,  uplo,      trans, diag, m, n,                    \
                                    0,     alpha, NULL,      a,     b,    c, lda,                  \
                                    ldb,   ldc,   real_type, false, 1};                            \
        return submit_scaled(RUNTIME_CALL_cublas##letter##trmm, handle, &asked, false);            \
    }                                                                                              \
    cublasStatus_t cublas##letter##symm_v2(cublasHandle_t handle, cublasSideMode_t side,           \
                                           cublasFillMode_t uplo, int m, int n, const real *alpha, \
                                           const real *a, int lda, const real *b, int ldb,         \
                                           const real *beta, real *c, int ldc)                     \
    {                                                                                              \
        const struct asked asked = {MIRRORED,                                                      \
                                    side,                                                          \
                                    uplo,                                                          \
                                    CUBLAS_OP_N,                                                   \
                                    CUBLAS_DIAG_NON_UNIT,                                          \
                                    m,                                                             \
                                    n,                                                             \
                                    0,                                                             \
                                    alpha,                                                         \
                                    beta,                                                          \
                                    a,                                                             \
                                    b,                                                             \
                                    c,                                                             \
                                    lda,                                                           \
                                    ldb,                                                           \
                                    ldc,                                                           \
                                    real_type,                                                     \
                                    false,                                                         \
                                    1};                                                            \
        return submit_scaled(RUNTIME_CALL_cublas##letter##symm, handle, &asked, true);             \
    }                                                                                              \
    cublasStatus_t cublas##letter##syrk_v2(                                                        \
        cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, int k,       \
        const real *alpha, const real *a, int lda, const real *beta, real *c, int ldc)             \
    {                                                                                              \
        const struct asked asked = {RANK,                                                          \
                                    CUBLAS_SIDE_LEFT,                                              \
                                    uplo,                                                          \
                                    trans,                                                         \
                                    CUBLAS_DIAG_NON_UNIT,                                          \
                                    n,                                                             \
                                    n,                                                             \
                                    k,                                                             \
                                    alpha,                                                         \
                                    beta,                                                          \
                                    a,                                                             \
                                    NULL,                                                          \
                                    c,                                                             \
                                    lda,                                                           \
                                    0,                                                             \
                                    ldc,                                                           \
                                    real_type,                                                     \
                                    false,                                                         \
                                    1};                                                            \
        return submit_scaled(RUNTIME_CALL_cublas##letter##syrk, handle, &asked, true);             \
    }
TRIANGLES(S, float, CUDA_R_32F)
TRIANGLES(D, double, CUDA_R_64F)
