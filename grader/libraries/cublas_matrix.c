/* cublas_matrix.c: matrices of cuBLAS: gemv, ger, and the forms of gemm. All of them are a product
 * c = alpha * op(a) * op(b) + beta * c of matrices by columns: of gemv, b and c are vectors, of
 * ger, a and b are, and beta is 1. */
#include "libraries/blas_values.h"
#include "libraries/matrix_product.h"

#include <stdlib.h>

struct product {
    int m, n, k;
    bool is_a_transposed, is_b_transposed;
    struct blas_block a, b, c;         /* of gemv and ger, vectors forward */
    bool is_b_backward, is_c_backward; /* their increment is negative */
    bool is_a_backward;
    struct blas_scalar alpha, beta;
    bool has_pointers;                      /* the addresses are of arrays of addresses */
    long long a_stride, b_stride, c_stride; /* elements from one matrix to the next */
    int count;
};

static cudaError_t fetch(const struct blas_block *block, bool is_backward, double **out_values)
{
    cudaError_t error = blas_fetch(block, out_values);

    if (error == cudaSuccess && is_backward) {
        blas_reverse(*out_values, block->rows * block->columns);
    }
    return error;
}

/* The sums of one product; all zeros if alpha is. */
static cudaError_t make_sums(const struct product *call, double alpha, double *out_sums)
{
    double *a = NULL, *b = NULL;
    cudaError_t error = cudaSuccess;

    if (alpha == 0.0 || call->k == 0) {
        return cudaSuccess;
    }
    error = fetch(&call->a, call->is_a_backward, &a);
    if (error == cudaSuccess) {
        error = fetch(&call->b, call->is_b_backward, &b);
    }
    if (error == cudaSuccess) {
        const struct matrix_product product = {
            (size_t)call->m,       (size_t)call->n,      (size_t)call->k, a, b,
            call->is_a_transposed, call->is_b_transposed};

        if (!matrix_multiply(&product, out_sums)) {
            error = runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
        }
    }
    free(a);
    free(b);
    return error;
}

/* Where beta is 0, c is not read. */
static cudaError_t multiply(const struct product *call, double alpha, double beta)
{
    const size_t numbers = (size_t)call->m * (size_t)call->n;
    double *c = NULL, *sums = NULL;
    cudaError_t error =
        beta == 0.0 ? blas_room(&call->c, &c) : fetch(&call->c, call->is_c_backward, &c);

    if (error == cudaSuccess && (sums = calloc(numbers + 1, sizeof(*sums))) == NULL) {
        error = runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    if (error == cudaSuccess) {
        error = make_sums(call, alpha, sums);
    }
    for (size_t i = 0; error == cudaSuccess && i < numbers; i++) {
        c[i] = alpha * sums[i] + (beta == 0.0 ? 0.0 : beta * c[i]);
    }
    if (error == cudaSuccess) {
        if (call->is_c_backward) {
            blas_reverse(c, numbers);
        }
        error = blas_store(&call->c, c);
    }
    free(c);
    free(sums);
    return error;
}

/* Matrix `index` of a batch; where that is no address, the device says so. */
static const void *moved(const struct blas_block *block, int index, long long stride)
{
    const uintptr_t bytes = block->type == CUDA_R_64F ? 8 : block->type == CUDA_R_32F ? 4 : 2;

    return (const void *)((uintptr_t)block->address + (uintptr_t)index * (uintptr_t)stride * bytes);
}

static cudaError_t multiply_pointed(const struct product *call, double alpha, double beta)
{
    void **a = NULL, **b = NULL, **c = NULL;
    cudaError_t error = blas_fetch_addresses(call->a.address, call->count, call->a.operand, &a);

    if (error == cudaSuccess) {
        error = blas_fetch_addresses(call->b.address, call->count, call->b.operand, &b);
    }
    if (error == cudaSuccess) {
        error = blas_fetch_addresses(call->c.address, call->count, call->c.operand, &c);
    }
    for (int i = 0; error == cudaSuccess && i < call->count; i++) {
        struct product one = *call;

        one.a.address = a[i];
        one.b.address = b[i];
        one.c.address = c[i];
        error = multiply(&one, alpha, beta);
    }
    free(a);
    free(b);
    free(c);
    return error;
}

static cudaError_t work(const void *request)
{
    const struct product *call = request;
    double alpha = 0.0, beta = 0.0;
    cudaError_t error = blas_read_scalar(&call->alpha, &alpha);

    if (error == cudaSuccess) {
        error = blas_read_scalar(&call->beta, &beta);
    }
    if (error == cudaSuccess && call->has_pointers) {
        return multiply_pointed(call, alpha, beta);
    }
    for (int i = 0; error == cudaSuccess && i < call->count; i++) {
        struct product one = *call;

        one.a.address = moved(&call->a, i, call->a_stride);
        one.b.address = moved(&call->b, i, call->b_stride);
        one.c.address = moved(&call->c, i, call->c_stride);
        error = multiply(&one, alpha, beta);
    }
    return error;
}

static cublasStatus_t refuse(enum refusal why)
{
    return blas_refuse(CUBLAS_STATUS_INVALID_VALUE, why);
}

/* gemm ***************************************************************************************/

/* A call of any form of gemm, as programs make it. */
struct gemm {
    cublasOperation_t a_operation, b_operation;
    int m, n, k;
    const void *alpha, *a, *b, *beta, *c;
    cudaDataType a_type, b_type, c_type, scalar_type;
    int lda, ldb, ldc;
    bool has_pointers;
    long long a_stride, b_stride, c_stride;
    int count;
};

static cublasStatus_t gemm(enum runtime_call number, cublasHandle_t handle,
                           const struct gemm *asked)
{
    const bool turns_a = asked->a_operation != CUBLAS_OP_N;
    const bool turns_b = asked->b_operation != CUBLAS_OP_N;
    const int m = asked->m, n = asked->n, k = asked->k;
    struct product call = {
        .m = m,
        .n = n,
        .k = k,
        .is_a_transposed = turns_a,
        .is_b_transposed = turns_b,
        .has_pointers = asked->has_pointers,
        .a_stride = asked->a_stride,
        .b_stride = asked->b_stride,
        .c_stride = asked->c_stride,
        .count = asked->count,
    };

    if (!blas_enter(number, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if (!blas_is_operation(asked->a_operation) || !blas_is_operation(asked->b_operation)) {
        return refuse(REFUSAL_VALUE);
    }
    if (m < 0 || n < 0 || k < 0 || asked->count < 0) {
        return refuse(REFUSAL_SIZE);
    }
    if (!blas_matrix(asked->a, asked->a_type, turns_a ? k : m, turns_a ? m : k, asked->lda,
                     &call.a) ||
        !blas_matrix(asked->b, asked->b_type, turns_b ? n : k, turns_b ? k : n, asked->ldb,
                     &call.b) ||
        !blas_matrix(asked->c, asked->c_type, m, n, asked->ldc, &call.c)) {
        return refuse(REFUSAL_LEADING);
    }
    call.b.operand = "B";
    call.c.operand = "C";
    enum refusal why = blas_take_scalar(handle, asked->alpha, asked->scalar_type, &call.alpha);
    if (why == REFUSAL_NONE) {
        why = blas_take_scalar(handle, asked->beta, asked->scalar_type, &call.beta);
    }
    if (why == REFUSAL_NONE && (asked->a == NULL || asked->b == NULL || asked->c == NULL)) {
        why = REFUSAL_NULL_POINTER;
    }
    if (why != REFUSAL_NONE) {
        return refuse(why);
    }
    if (m == 0 || n == 0 || call.count == 0) {
        return blas_leave(cudaSuccess);
    }
    return blas_leave(library_submit(handle->stream, work, &call, sizeof(call)));
}

/* The plain, the batched and the strided form for one type. */
#define GEMM(letter, version, real, type)                                                          \
    cublasStatus_t cublas##letter##gemm##version(                                                  \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const real *alpha, const real *a, int lda, const real *b, int ldb,                  \
        const real *beta, real *c, int ldc)                                                        \
    {                                                                                              \
        return gemm(RUNTIME_CALL_cublas##letter##gemm, handle,                                     \
                    &(struct gemm){transa, transb, m,    n,   k,   alpha, a,     b, beta, c, type, \
                                   type,   type,   type, lda, ldb, ldc,   false, 0, 0,    0, 1});  \
    }                                                                                              \
    cublasStatus_t cublas##letter##gemmBatched(                                                    \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const real *alpha, const real *const a[], int lda, const real *const b[], int ldb,  \
        const real *beta, real *const c[], int ldc, int count)                                     \
    {                                                                                              \
        return gemm(RUNTIME_CALL_cublas##letter##gemmBatched,                                      \
                    handle, &(struct gemm){transa, transb, m,    n,    k,    alpha, a,   b,        \
                                           beta,   c,      type, type, type, type,  lda, ldb,      \
                                           ldc,    true,   0,    0,    0,    count});              \
    }                                                                                              \
    cublasStatus_t cublas##letter##gemmStridedBatched(                                             \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const real *alpha, const real *a, int lda, long long stride_a, const real *b,       \
        int ldb, long long stride_b, const real *beta, real *c, int ldc, long long stride_c,       \
        int count)                                                                                 \
    {                                                                                              \
        return gemm(RUNTIME_CALL_cublas##letter##gemmStridedBatched, handle,                       \
                    &(struct gemm){transa, transb, m,        n,        k,        alpha, a,   b,    \
                                   beta,   c,      type,     type,     type,     type,  lda, ldb,  \
                                   ldc,    false,  stride_a, stride_b, stride_c, count});          \
    }
GEMM(S, _v2, float, CUDA_R_32F)
GEMM(D, _v2, double, CUDA_R_64F)
GEMM(H, , __half, CUDA_R_16F)

/* The calls whose types are arguments. Says what the scalars are; false: nobody computes so. */
static bool find_scalar_type(cublasComputeType_t compute, const struct gemm *asked,
                             cudaDataType *out_type)
{
    const cudaDataType from = asked->a_type, to = asked->c_type;

    if (from != asked->b_type) {
        return false;
    }
    switch ((int)compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
        *out_type = CUDA_R_16F;
        return from == CUDA_R_16F && to == CUDA_R_16F;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
        *out_type = CUDA_R_32F;
        return (from == CUDA_R_16F || from == CUDA_R_16BF || from == CUDA_R_32F) &&
               (to == from || to == CUDA_R_32F);
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
        *out_type = CUDA_R_32F;
        return from == CUDA_R_32F && to == CUDA_R_32F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
        *out_type = CUDA_R_64F;
        return from == CUDA_R_64F && to == CUDA_R_64F;
    default:
        return false;
    }
}

static cublasStatus_t gemm_of_types(enum runtime_call number, cublasHandle_t handle,
                                    cublasComputeType_t compute, struct gemm *asked)
{
    if (find_scalar_type(compute, asked, &asked->scalar_type)) {
        return gemm(number, handle, asked);
    }
    return blas_enter(number, handle)
               ? blas_refuse(CUBLAS_STATUS_NOT_SUPPORTED, REFUSAL_UNSUPPORTED)
               : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType a_type, int lda, const void *b,
                            cudaDataType b_type, int ldb, const void *beta, void *c,
                            cudaDataType c_type, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm)
{
    struct gemm asked = {transa, transb, m,      n,   k,   alpha, a,     b, beta, c, a_type,
                         b_type, c_type, c_type, lda, ldb, ldc,   false, 0, 0,    0, 1};

    (void)algorithm;
    return gemm_of_types(RUNTIME_CALL_cublasGemmEx, handle, compute, &asked);
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                   const void *const a[], cudaDataType a_type, int lda,
                                   const void *const b[], cudaDataType b_type, int ldb,
                                   const void *beta, void *const c[], cudaDataType c_type, int ldc,
                                   int count, cublasComputeType_t compute,
                                   cublasGemmAlgo_t algorithm)
{
    struct gemm asked = {transa, transb, m,      n,   k,   alpha, a,    b, beta, c, a_type,
                         b_type, c_type, c_type, lda, ldb, ldc,   true, 0, 0,    0, count};

    (void)algorithm;
    return gemm_of_types(RUNTIME_CALL_cublasGemmBatchedEx, handle, compute, &asked);
}

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType a_type,
                                          int lda, long long stride_a, const void *b,
                                          cudaDataType b_type, int ldb, long long stride_b,
                                          const void *beta, void *c, cudaDataType c_type, int ldc,
                                          long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
{
    struct gemm asked = {transa, transb, m,        n,        k,        alpha,  a,   b,
                         beta,   c,      a_type,   b_type,   c_type,   c_type, lda, ldb,
                         ldc,    false,  stride_a, stride_b, stride_c, count};

    (void)algorithm;
    return gemm_of_types(RUNTIME_CALL_cublasGemmStridedBatchedEx, handle, compute, &asked);
}

/* gemv, ger **********************************************************************************/

/* A vector as a matrix; false: its increment is 0. */
static bool describe_vector(const void *address, cudaDataType type, int n, int increment,
                            struct blas_block *out, bool *out_is_backward)
{
    *out = blas_vector(address, type, n, increment).block;
    *out_is_backward = increment < 0;
    return increment != 0;
}

struct with_vectors {
    int m, n;
    const void *alpha;
    bool has_beta;
    const void *beta;
    const void *matrix, *x, *y;
    int leading, x_increment, y_increment;
    cudaDataType type;
    bool has_pointers; /* of a batch: the addresses are of arrays of addresses */
    long long matrix_stride, x_stride, y_stride;
    int count;
};

static cublasStatus_t submit_vectors(cublasHandle_t handle, const struct with_vectors *asked,
                                     struct product *call)
{
    enum refusal why = blas_take_scalar(handle, asked->alpha, asked->type, &call->alpha);

    call->beta = (struct blas_scalar){.value = 1.0};
    if (why == REFUSAL_NONE && asked->has_beta) {
        why = blas_take_scalar(handle, asked->beta, asked->type, &call->beta);
    }
    if (why != REFUSAL_NONE) {
        return refuse(why);
    }
    return asked->m == 0 || asked->n == 0 || asked->count == 0
               ? blas_leave(cudaSuccess)
               : blas_leave(library_submit(handle->stream, work, call, sizeof(*call)));
}

static cublasStatus_t gemv(enum runtime_call number, cublasHandle_t handle,
                           cublasOperation_t operation, const struct with_vectors *asked)
{
    const bool turns = operation != CUBLAS_OP_N;
    const int x_count = turns ? asked->m : asked->n, y_count = turns ? asked->n : asked->m;
    struct product call = {
        .m = y_count,
        .n = 1,
        .k = x_count,
        .is_a_transposed = turns,
        .has_pointers = asked->has_pointers,
        .a_stride = asked->matrix_stride,
        .b_stride = asked->x_stride,
        .c_stride = asked->y_stride,
        .count = asked->count,
    };

    if (!blas_enter(number, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if (!blas_is_operation(operation)) {
        return refuse(REFUSAL_VALUE);
    }
    if (asked->m < 0 || asked->n < 0 || asked->count < 0) {
        return refuse(REFUSAL_SIZE);
    }
    if (!blas_matrix(asked->matrix, asked->type, asked->m, asked->n, asked->leading, &call.a)) {
        return refuse(REFUSAL_LEADING);
    }
    if (!describe_vector(asked->x, asked->type, x_count, asked->x_increment, &call.b,
                         &call.is_b_backward) ||
        !describe_vector(asked->y, asked->type, y_count, asked->y_increment, &call.c,
                         &call.is_c_backward)) {
        return refuse(REFUSAL_INCREMENT);
    }
    call.c.operand = "y";
    return submit_vectors(handle, asked, &call);
}

static cublasStatus_t ger(enum runtime_call number, cublasHandle_t handle,
                          const struct with_vectors *asked)
{
    struct product call = {.m = asked->m, .n = asked->n, .k = 1, .count = 1};

    if (!blas_enter(number, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if (asked->m < 0 || asked->n < 0) {
        return refuse(REFUSAL_SIZE);
    }
    if (!blas_matrix(asked->matrix, asked->type, asked->m, asked->n, asked->leading, &call.c)) {
        return refuse(REFUSAL_LEADING);
    }
    if (!describe_vector(asked->x, asked->type, asked->m, asked->x_increment, &call.a,
                         &call.is_a_backward) ||
        !describe_vector(asked->y, asked->type, asked->n, asked->y_increment, &call.b,
                         &call.is_b_backward)) {
        return refuse(REFUSAL_INCREMENT);
    }
    call.b.operand = "y";
    return submit_vectors(handle, asked, &call);
}

#define WITH_VECTORS(letter, real, real_type)                                                      \
    cublasStatus_t cublas##letter##gemv_v2(                                                        \
        cublasHandle_t handle, cublasOperation_t trans, int m, int n, const real *alpha,           \
        const real *a, int lda, const real *x, int incx, const real *beta, real *y, int incy)      \
    {                                                                                              \
        return gemv(RUNTIME_CALL_cublas##letter##gemv, handle, trans,                              \
                    &(struct with_vectors){m, n, alpha, true, beta, a, x, y, lda, incx, incy,      \
                                           real_type, false, 0, 0, 0, 1});                         \
    }                                                                                              \
    cublasStatus_t cublas##letter##gemvBatched(                                                    \
        cublasHandle_t handle, cublasOperation_t trans, int m, int n, const real *alpha,           \
        const real *const a[], int lda, const real *const x[], int incx, const real *beta,         \
        real *const y[], int incy, int count)                                                      \
    {                                                                                              \
        return gemv(RUNTIME_CALL_cublas##letter##gemvBatched, handle, trans,                       \
                    &(struct with_vectors){m, n, alpha, true, beta, a, x, y, lda, incx, incy,      \
                                           real_type, true, 0, 0, 0, count});                      \
    }                                                                                              \
    cublasStatus_t cublas##letter##gemvStridedBatched(                                             \
        cublasHandle_t handle, cublasOperation_t trans, int m, int n, const real *alpha,           \
        const real *a, int lda, long long stride_a, const real *x, int incx, long long stride_x,   \
        const real *beta, real *y, int incy, long long stride_y, int count)                        \
    {                                                                                              \
        return gemv(RUNTIME_CALL_cublas##letter##gemvStridedBatched, handle, trans,                \
                    &(struct with_vectors){m, n, alpha, true, beta, a, x, y, lda, incx, incy,      \
                                           real_type, false, stride_a, stride_x, stride_y,         \
                                           count});                                                \
    }                                                                                              \
    cublasStatus_t cublas##letter##ger_v2(cublasHandle_t handle, int m, int n, const real *alpha,  \
                                          const real *x, int incx, const real *y, int incy,        \
                                          real *a, int lda)                                        \
    {                                                                                              \
        return ger(RUNTIME_CALL_cublas##letter##ger, handle,                                       \
                   &(struct with_vectors){m, n, alpha, false, NULL, a, x, y, lda, incx, incy,      \
                                          real_type, false, 0, 0, 0, 1});                          \
    }
WITH_VECTORS(S, float, CUDA_R_32F)
WITH_VECTORS(D, double, CUDA_R_64F)
