/* cublas_elements.c: what cuBLAS does with matrices element by element: geam, a sum of two of them
 * or one transposed, and dgmm, rows or columns times the numbers of a vector. */
#include "libraries/blas_values.h"

#include <stdlib.h>

struct elements {
    int m, n; /* of c */
    struct blas_block a, b, c;
    struct blas_vector x; /* of dgmm */
    bool is_a_transposed, is_b_transposed, is_by_rows;
    struct blas_scalar alpha, beta;
};

/* Adds `factor` times op(a), which is not read if that is 0. */
static cudaError_t add(const struct elements *call, const struct blas_block *a, bool is_transposed,
                       double factor, double *sums)
{
    const size_t m = (size_t)call->m, n = (size_t)call->n;
    double *values = NULL;
    cudaError_t error = factor == 0.0 ? cudaSuccess : blas_fetch(a, &values);

    for (size_t i = 0; error == cudaSuccess && values != NULL && i < m * n; i++) {
        sums[i] += factor * values[is_transposed ? i / m + i % m * n : i];
    }
    free(values);
    return error;
}

static cudaError_t add_work(const void *request)
{
    const struct elements *call = request;
    double alpha = 0.0, beta = 0.0, *sums = NULL;
    cudaError_t error = blas_read_scalar(&call->alpha, &alpha);

    if (error == cudaSuccess) {
        error = blas_read_scalar(&call->beta, &beta);
    }
    if (error == cudaSuccess) {
        error = blas_room(&call->c, &sums);
    }
    if (error == cudaSuccess) {
        error = add(call, &call->a, call->is_a_transposed, alpha, sums);
    }
    if (error == cudaSuccess) {
        error = add(call, &call->b, call->is_b_transposed, beta, sums);
    }
    if (error == cudaSuccess) {
        error = blas_store(&call->c, sums);
    }
    free(sums);
    return error;
}

static cudaError_t scale_work(const void *request)
{
    const struct elements *call = request;
    const size_t m = (size_t)call->m, n = (size_t)call->n;
    double *values = NULL, *factors = NULL;
    cudaError_t error = blas_fetch(&call->a, &values);

    if (error == cudaSuccess) {
        error = blas_fetch(&call->x.block, &factors);
    }
    for (size_t i = 0; error == cudaSuccess && i < m * n; i++) {
        values[i] *= factors[blas_place(&call->x, (int)(call->is_by_rows ? i % m : i / m))];
    }
    if (error == cudaSuccess) {
        error = blas_store(&call->c, values);
    }
    free(values);
    free(factors);
    return error;
}

static cublasStatus_t refuse(enum refusal why)
{
    return blas_refuse(CUBLAS_STATUS_INVALID_VALUE, why);
}

/* A matrix of geam; false: its columns do not fit. */
static bool describe(const struct elements *call, const void *address, cudaDataType type,
                     bool is_transposed, int leading, struct blas_block *out)
{
    return blas_matrix(address, type, is_transposed ? call->n : call->m,
                       is_transposed ? call->m : call->n, leading, out);
}

/* geam as programs call it. */
struct sum {
    cublasOperation_t a_operation, b_operation;
    int m, n;
    const void *alpha, *a, *beta, *b, *c;
    int lda, ldb, ldc;
    cudaDataType type;
};

static cublasStatus_t geam(enum runtime_call number, cublasHandle_t handle, const struct sum *asked)
{
    struct elements call = {.m = asked->m,
                            .n = asked->n,
                            .is_a_transposed = asked->a_operation != CUBLAS_OP_N,
                            .is_b_transposed = asked->b_operation != CUBLAS_OP_N};

    if (!blas_enter(number, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if (!blas_is_operation(asked->a_operation) || !blas_is_operation(asked->b_operation)) {
        return refuse(REFUSAL_VALUE);
    }
    if (asked->m < 0 || asked->n < 0) {
        return refuse(REFUSAL_SIZE);
    }
    if (!describe(&call, asked->a, asked->type, call.is_a_transposed, asked->lda, &call.a) ||
        !describe(&call, asked->b, asked->type, call.is_b_transposed, asked->ldb, &call.b) ||
        !describe(&call, asked->c, asked->type, false, asked->ldc, &call.c)) {
        return refuse(REFUSAL_LEADING);
    }
    call.b.operand = "B";
    call.c.operand = "C";
    enum refusal why = blas_take_scalar(handle, asked->alpha, asked->type, &call.alpha);
    if (why == REFUSAL_NONE) {
        why = blas_take_scalar(handle, asked->beta, asked->type, &call.beta);
    }
    if (why != REFUSAL_NONE) {
        return refuse(why);
    }
    /* As cuBLAS has it: the result may lie in an operand that is not transposed. */
    if ((asked->c == asked->a && (call.is_a_transposed || asked->ldc != asked->lda)) ||
        (asked->c == asked->b && (call.is_b_transposed || asked->ldc != asked->ldb))) {
        return refuse(REFUSAL_VALUE);
    }
    return blas_leave(asked->m == 0 || asked->n == 0
                          ? cudaSuccess
                          : library_submit(handle->stream, add_work, &call, sizeof(call)));
}

/* dgmm as programs call it. */
struct scaling {
    cublasSideMode_t side;
    int m, n;
    const void *a, *x, *c;
    int lda, increment, ldc;
    cudaDataType type;
};

static cublasStatus_t dgmm(enum runtime_call number, cublasHandle_t handle,
                           const struct scaling *asked)
{
    struct elements call = {
        .m = asked->m, .n = asked->n, .is_by_rows = asked->side == CUBLAS_SIDE_LEFT};

    if (!blas_enter(number, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if ((unsigned)asked->side > CUBLAS_SIDE_RIGHT) {
        return refuse(REFUSAL_VALUE);
    }
    if (asked->m < 0 || asked->n < 0) {
        return refuse(REFUSAL_SIZE);
    }
    if (!describe(&call, asked->a, asked->type, false, asked->lda, &call.a) ||
        !describe(&call, asked->c, asked->type, false, asked->ldc, &call.c)) {
        return refuse(REFUSAL_LEADING);
    }
    call.c.operand = "C";
    call.x =
        blas_vector(asked->x, asked->type, call.is_by_rows ? asked->m : asked->n, asked->increment);
    return blas_leave(asked->m == 0 || asked->n == 0
                          ? cudaSuccess
                          : library_submit(handle->stream, scale_work, &call, sizeof(call)));
}

#define ELEMENTS(letter, real, real_type)                                                          \
    cublasStatus_t cublas##letter##geam(cublasHandle_t handle, cublasOperation_t transa,           \
                                        cublasOperation_t transb, int m, int n, const real *alpha, \
                                        const real *a, int lda, const real *beta, const real *b,   \
                                        int ldb, real *c, int ldc)                                 \
    {                                                                                              \
        return geam(                                                                               \
            RUNTIME_CALL_cublas##letter##geam, handle,                                             \
            &(struct sum){transa, transb, m, n, alpha, a, beta, b, c, lda, ldb, ldc, real_type});  \
    }                                                                                              \
    cublasStatus_t cublas##letter##dgmm(cublasHandle_t handle, cublasSideMode_t mode, int m,       \
                                        int n, const real *a, int lda, const real *x, int incx,    \
                                        real *c, int ldc)                                          \
    {                                                                                              \
        return dgmm(RUNTIME_CALL_cublas##letter##dgmm, handle,                                     \
                    &(struct scaling){mode, m, n, a, x, c, lda, incx, ldc, real_type});            \
    }
ELEMENTS(S, float, CUDA_R_32F)
ELEMENTS(D, double, CUDA_R_64F)
