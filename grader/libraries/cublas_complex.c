/* cublas_complex.c: complex numbers of cuBLAS. All of its calls but the norm are a product
 * c = alpha * op(a) * op(b) + beta * c: of axpy, b is 1; of scal, there is no product; of a dot
 * product, c is one number. */
#include "libraries/blas_values.h"

#include <math.h>
#include <stdlib.h>

struct number {
    double re, im;
};

/* A matrix, or a vector as a matrix of one column. */
struct operand {
    struct blas_block block; /* address NULL: the number 1 */
    size_t rows;
    cublasOperation_t operation;
    bool is_backward;     /* a vector whose increment is negative */
    bool is_without_step; /* ... is 0 */
};

struct product {
    size_t m, n, k; /* k = 0: no product */
    struct operand a, b, c;
    struct blas_scalar alpha, beta;
    bool is_norm; /* c is the norm of a */
    void *result; /* of the host, for the one number of c; NULL: c is of the device */
};

static struct number times(struct number a, struct number b, bool is_real)
{
    return is_real ? (struct number){a.re * b.re, a.re * b.im}
                   : (struct number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static bool is_zero(struct number value)
{
    return value.re == 0.0 && value.im == 0.0;
}

static cudaError_t read_scalar(const struct blas_scalar *scalar, struct number *out)
{
    double parts[2] = {0.0, 0.0};
    cudaError_t error = blas_read_complex(scalar, parts);

    *out = (struct number){parts[0], parts[1]};
    return error;
}

static bool is_real(const struct blas_scalar *scalar)
{
    return scalar->type == CUDA_R_32F || scalar->type == CUDA_R_64F;
}

/* op(operand) as `count` vectors of k numbers, which are its rows, or its columns. */
static cudaError_t gather(const struct operand *from, size_t count, size_t k, bool is_by_rows,
                          struct number **out)
{
    const size_t total = from->block.rows * from->block.columns;
    struct number *numbers = NULL;
    double *values = NULL;
    cudaError_t error =
        from->block.address != NULL ? blas_fetch(&from->block, &values) : cudaSuccess;

    if (error == cudaSuccess && (numbers = calloc(count * k + 1, sizeof(*numbers))) == NULL) {
        error = runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    for (size_t i = 0; error == cudaSuccess && i < count * k; i++) {
        const bool is_turned = is_by_rows == (from->operation == CUBLAS_OP_N);
        const size_t at = is_turned ? i / k + i % k * from->rows : i % k + i / k * from->rows;
        const size_t place = from->is_backward ? total - 1 - at : at;
        const double sign = from->operation == CUBLAS_OP_C ? -1.0 : 1.0;

        numbers[i] = values == NULL
                         ? (struct number){1.0, 0.0}
                         : (struct number){values[2 * place], sign * values[2 * place + 1]};
    }
    free(values);
    *out = numbers;
    return error;
}

static struct number sum_of(const struct number *a, const struct number *b, size_t k, bool is_one)
{
    struct number sum = {0.0, 0.0};

    for (size_t i = 0; i < k; i++) {
        const struct number term = times(b[i], a[i], is_one);

        sum = (struct number){sum.re + term.re, sum.im + term.im};
    }
    return sum;
}

/* Adds the product to c. */
static cudaError_t add_product(const struct product *call, struct number alpha, double *c)
{
    struct number *a = NULL, *b = NULL;
    cudaError_t error = gather(&call->a, call->m, call->k, true, &a);

    if (error == cudaSuccess) {
        error = gather(&call->b, call->n, call->k, false, &b);
    }
    for (size_t i = 0; error == cudaSuccess && i < call->m * call->n; i++) {
        const struct number sum = sum_of(a + i % call->m * call->k, b + i / call->m * call->k,
                                         call->k, call->b.block.address == NULL);
        const struct number scaled = times(alpha, sum, is_real(&call->alpha));
        const size_t place = call->c.is_backward ? call->m * call->n - 1 - i : i;

        c[2 * place] += scaled.re;
        c[2 * place + 1] += scaled.im;
    }
    free(a);
    free(b);
    return error;
}

/* Scaled by a power of two near the largest part, whose square may be too large. */
static cudaError_t norm(const struct product *call, double *out)
{
    const size_t parts = 2 * call->k;
    double *values = NULL, most = 0.0, sum = 0.0;
    cudaError_t error = call->k > 0 ? blas_fetch(&call->a.block, &values) : cudaSuccess;

    for (size_t i = 0; error == cudaSuccess && i < parts; i++) {
        const double size = fabs(values[i]);

        most = size > most || isnan(size) ? size : most;
    }
    for (size_t i = 0; error == cudaSuccess && i < parts && most != 0.0 && isfinite(most); i++) {
        const double scaled = ldexp(values[i], -ilogb(most));

        sum += scaled * scaled;
    }
    *out = most != 0.0 && isfinite(most) ? ldexp(sqrt(sum), ilogb(most)) : most;
    free(values);
    return error;
}

static cudaError_t store(const struct product *call, const double *c)
{
    if (call->result == NULL) {
        return blas_store(&call->c.block, c);
    }
    if (call->c.block.type == CUDA_C_64F || call->c.block.type == CUDA_R_64F) {
        ((double *)call->result)[0] = c[0];
        if (!call->is_norm) {
            ((double *)call->result)[1] = c[1];
        }
        return cudaSuccess;
    }
    ((float *)call->result)[0] = (float)c[0];
    if (!call->is_norm) {
        ((float *)call->result)[1] = (float)c[1];
    }
    return cudaSuccess;
}

/* Zeros for c, which is checked if it is of the device. */
static cudaError_t make_room(const struct product *call, double **out)
{
    if (call->result == NULL) {
        return blas_room(&call->c.block, out);
    }
    *out = calloc(2 * call->m * call->n, sizeof(**out));
    return *out != NULL ? cudaSuccess
                        : runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
}

/* Where beta is 0, c is not read. */
static cudaError_t work(const void *request)
{
    const struct product *call = request;
    struct number alpha = {0.0, 0.0}, beta = {0.0, 0.0};
    double *c = NULL;
    cudaError_t error = read_scalar(&call->alpha, &alpha);

    if (error == cudaSuccess) {
        error = read_scalar(&call->beta, &beta);
    }
    if (error == cudaSuccess) {
        const bool is_made = call->result != NULL || call->is_norm || is_zero(beta);

        error = is_made ? make_room(call, &c) : blas_fetch(&call->c.block, &c);
    }
    for (size_t i = 0; error == cudaSuccess && !is_zero(beta) && i < call->m * call->n; i++) {
        const struct number scaled =
            times(beta, (struct number){c[2 * i], c[2 * i + 1]}, is_real(&call->beta));

        c[2 * i] = scaled.re;
        c[2 * i + 1] = scaled.im;
    }
    if (error == cudaSuccess && call->is_norm) {
        error = norm(call, c);
    } else if (error == cudaSuccess && call->k > 0 && !is_zero(alpha)) {
        error = add_product(call, alpha, c);
    }
    if (error == cudaSuccess) {
        error = store(call, c);
    }
    free(c);
    return error;
}

/* Calls **************************************************************************************/

static cublasStatus_t refuse(enum refusal why)
{
    return blas_refuse(CUBLAS_STATUS_INVALID_VALUE, why);
}

static struct operand vector(const void *address, cudaDataType type, int n, int increment,
                             const char *name)
{
    struct operand made = {.block = blas_vector(address, type, n, increment).block,
                           .rows = n > 0 ? (size_t)n : 0,
                           .operation = CUBLAS_OP_N,
                           .is_backward = increment < 0,
                           .is_without_step = increment == 0};

    made.block.operand = name;
    return made;
}

static bool is_without_step(const struct product *call)
{
    return call->a.is_without_step || call->b.is_without_step || call->c.is_without_step;
}

/* Ends a call with its work; NULL: it has no such scalar, and it is as it is. */
static cublasStatus_t submit(cublasHandle_t handle, struct product *call, const void *alpha,
                             const void *beta, cudaDataType type)
{
    enum refusal why =
        alpha == NULL ? REFUSAL_NONE : blas_take_scalar(handle, alpha, type, &call->alpha);

    if (why == REFUSAL_NONE && beta != NULL) {
        why = blas_take_scalar(handle, beta, type, &call->beta);
    }
    if (why != REFUSAL_NONE) {
        return refuse(why);
    }
    if (call->m == 0 || call->n == 0) {
        return blas_leave(cudaSuccess);
    }
    if (call->result != NULL && runtime_capture_of(handle->stream) != NULL) {
        return blas_refuse(CUBLAS_STATUS_NOT_SUPPORTED, REFUSAL_CAPTURE);
    }
    cudaError_t error = library_submit(handle->stream, work, call, sizeof(*call));
    if (call->result != NULL && error == cudaSuccess) {
        library_wait(handle->stream);
    }
    return blas_leave(error);
}

/* A dot product, or a norm. */
static cublasStatus_t give(enum runtime_call number, cublasHandle_t handle, struct product *call,
                           void *result, cudaDataType type)
{
    if (!blas_enter(number, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if (result == NULL) {
        return blas_refuse(CUBLAS_STATUS_MAPPING_ERROR, REFUSAL_NULL_POINTER);
    }
    if (is_without_step(call)) {
        return refuse(REFUSAL_INCREMENT);
    }
    if (handle->pointer_mode == CUBLAS_POINTER_MODE_HOST) {
        if (runtime_is_device_address(result) && mirror_find(result) == NULL) {
            return blas_refuse(CUBLAS_STATUS_MAPPING_ERROR, REFUSAL_DEVICE_SCALAR);
        }
        call->result = result;
    }
    call->c = (struct operand){.block = {result, type, 1, 1, 1, "result", false}, .rows = 1};
    call->m = call->n = 1;
    call->k = call->a.rows;
    call->alpha = (struct blas_scalar){.value = 1.0};
    return submit(handle, call, NULL, NULL, type);
}

/* axpy, and scal, which has no x. */
static cublasStatus_t change(enum runtime_call number, cublasHandle_t handle, struct product *call,
                             const void *alpha, cudaDataType type)
{
    const bool is_scale = call->a.block.address == NULL;

    if (!blas_enter(number, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if (alpha == NULL) {
        return refuse(REFUSAL_NULL_POINTER);
    }
    if (is_without_step(call)) {
        return refuse(REFUSAL_INCREMENT);
    }
    call->m = call->c.rows;
    call->n = 1;
    call->k = is_scale ? 0 : 1;
    call->beta = (struct blas_scalar){.value = 1.0};
    return submit(handle, call, is_scale ? NULL : alpha, is_scale ? alpha : NULL, type);
}

/* A call with matrices, as programs make it. */
struct asked {
    cublasOperation_t a_operation, b_operation;
    int m, n, k;
    const void *alpha, *a, *b, *beta, *c;
    int lda, ldb, ldc;
    cudaDataType type;
};

static bool set_matrix(const void *address, cudaDataType type, int rows, int columns, int leading,
                       struct operand *out)
{
    *out = (struct operand){.rows = (size_t)rows};
    return blas_matrix(address, type, rows, columns, leading, &out->block);
}

static cublasStatus_t gemm(enum runtime_call number, cublasHandle_t handle,
                           const struct asked *asked)
{
    const int m = asked->m, n = asked->n, k = asked->k;
    const bool turns_a = asked->a_operation != CUBLAS_OP_N;
    const bool turns_b = asked->b_operation != CUBLAS_OP_N;
    struct product call = {.m = (size_t)m, .n = (size_t)n, .k = (size_t)k};

    if (!blas_enter(number, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if (!blas_is_operation(asked->a_operation) || !blas_is_operation(asked->b_operation)) {
        return refuse(REFUSAL_VALUE);
    }
    if (m < 0 || n < 0 || k < 0) {
        return refuse(REFUSAL_SIZE);
    }
    if (!set_matrix(asked->a, asked->type, turns_a ? k : m, turns_a ? m : k, asked->lda, &call.a) ||
        !set_matrix(asked->b, asked->type, turns_b ? n : k, turns_b ? k : n, asked->ldb, &call.b) ||
        !set_matrix(asked->c, asked->type, m, n, asked->ldc, &call.c)) {
        return refuse(REFUSAL_LEADING);
    }
    if (asked->a == NULL || asked->b == NULL || asked->c == NULL || asked->alpha == NULL ||
        asked->beta == NULL) {
        return refuse(REFUSAL_NULL_POINTER);
    }
    call.a.operation = asked->a_operation;
    call.b.operation = asked->b_operation;
    call.b.block.operand = "B";
    call.c.block.operand = "C";
    return submit(handle, &call, asked->alpha, asked->beta, asked->type);
}

/* b and c are vectors, with their increments in the place of leading dimensions. */
static cublasStatus_t gemv(enum runtime_call number, cublasHandle_t handle,
                           const struct asked *asked)
{
    const bool turns = asked->a_operation != CUBLAS_OP_N;
    const int in = turns ? asked->m : asked->n, out = turns ? asked->n : asked->m;
    struct product call = {.m = (size_t)out, .n = asked->m > 0 && asked->n > 0, .k = (size_t)in};

    if (!blas_enter(number, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if (!blas_is_operation(asked->a_operation)) {
        return refuse(REFUSAL_VALUE);
    }
    if (asked->m < 0 || asked->n < 0) {
        return refuse(REFUSAL_SIZE);
    }
    if (!set_matrix(asked->a, asked->type, asked->m, asked->n, asked->lda, &call.a)) {
        return refuse(REFUSAL_LEADING);
    }
    call.a.operation = asked->a_operation;
    call.b = vector(asked->b, asked->type, in, asked->ldb, "x");
    call.c = vector(asked->c, asked->type, out, asked->ldc, "y");
    if (is_without_step(&call)) {
        return refuse(REFUSAL_INCREMENT);
    }
    if (asked->alpha == NULL || asked->beta == NULL) {
        return refuse(REFUSAL_NULL_POINTER);
    }
    return submit(handle, &call, asked->alpha, asked->beta, asked->type);
}

/* a and b are vectors; the second operation is that of b. */
static cublasStatus_t ger(enum runtime_call number, cublasHandle_t handle,
                          const struct asked *asked)
{
    struct product call = {.m = (size_t)asked->m, .n = (size_t)asked->n, .k = 1};

    if (!blas_enter(number, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if (asked->m < 0 || asked->n < 0) {
        return refuse(REFUSAL_SIZE);
    }
    if (!set_matrix(asked->c, asked->type, asked->m, asked->n, asked->ldc, &call.c)) {
        return refuse(REFUSAL_LEADING);
    }
    call.a = vector(asked->a, asked->type, asked->m, asked->lda, "x");
    call.b = vector(asked->b, asked->type, asked->n, asked->ldb, "y");
    call.b.operation = asked->b_operation;
    if (is_without_step(&call)) {
        return refuse(REFUSAL_INCREMENT);
    }
    if (asked->alpha == NULL || asked->a == NULL || asked->b == NULL) {
        return refuse(REFUSAL_NULL_POINTER);
    }
    call.beta = (struct blas_scalar){.value = 1.0};
    return submit(handle, &call, asked->alpha, NULL, asked->type);
}

/* The calls for one type: `small` is in the name of the scale by a real number, `real` in that of
 * the norm. */
#define COMPLEX(letter, small, real, number, part, type, part_type)                                \
    cublasStatus_t cublas##letter##axpy_v2(cublasHandle_t handle, int n, const number *alpha,      \
                                           const number *x, int incx, number *y, int incy)         \
    {                                                                                              \
        struct product call = {.a = vector(x, type, n, incx, "x"),                                 \
                               .c = vector(y, type, n, incy, "y")};                                \
        return change(RUNTIME_CALL_cublas##letter##axpy, handle, &call, alpha, type);              \
    }                                                                                              \
    cublasStatus_t cublas##letter##scal_v2(cublasHandle_t handle, int n, const number *alpha,      \
                                           number *x, int incx)                                    \
    {                                                                                              \
        struct product call = {.c = vector(x, type, incx > 0 ? n : 0, incx > 0 ? incx : 1, "x")};  \
        return change(RUNTIME_CALL_cublas##letter##scal, handle, &call, alpha, type);              \
    }                                                                                              \
    cublasStatus_t cublas##small##scal_v2(cublasHandle_t handle, int n, const part *alpha,         \
                                          number *x, int incx)                                     \
    {                                                                                              \
        struct product call = {.c = vector(x, type, incx > 0 ? n : 0, incx > 0 ? incx : 1, "x")};  \
        return change(RUNTIME_CALL_cublas##small##scal, handle, &call, alpha, part_type);          \
    }                                                                                              \
    cublasStatus_t cublas##letter##dotu_v2(cublasHandle_t handle, int n, const number *x,          \
                                           int incx, const number *y, int incy, number *result)    \
    {                                                                                              \
        struct product call = {.a = vector(x, type, n, incx, "x"),                                 \
                               .b = vector(y, type, n, incy, "y")};                                \
        call.a.operation = CUBLAS_OP_T;                                                            \
        return give(RUNTIME_CALL_cublas##letter##dotu, handle, &call, result, type);               \
    }                                                                                              \
    cublasStatus_t cublas##letter##dotc_v2(cublasHandle_t handle, int n, const number *x,          \
                                           int incx, const number *y, int incy, number *result)    \
    {                                                                                              \
        struct product call = {.a = vector(x, type, n, incx, "x"),                                 \
                               .b = vector(y, type, n, incy, "y")};                                \
        call.a.operation = CUBLAS_OP_C;                                                            \
        return give(RUNTIME_CALL_cublas##letter##dotc, handle, &call, result, type);               \
    }                                                                                              \
    cublasStatus_t cublas##real##nrm2_v2(cublasHandle_t handle, int n, const number *x, int incx,  \
                                         part *result)                                             \
    {                                                                                              \
        struct product call = {.a = vector(x, type, incx > 0 ? n : 0, incx > 0 ? incx : 1, "x"),   \
                               .is_norm = true};                                                   \
        return give(RUNTIME_CALL_cublas##real##nrm2, handle, &call, result, part_type);            \
    }                                                                                              \
    cublasStatus_t cublas##letter##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m,  \
                                           int n, const number *alpha, const number *a, int lda,   \
                                           const number *x, int incx, const number *beta,          \
                                           number *y, int incy)                                    \
    {                                                                                              \
        const struct asked asked = {trans, CUBLAS_OP_N, m, n,   1,    alpha, a,                    \
                                    x,     beta,        y, lda, incx, incy,  type};                \
        return gemv(RUNTIME_CALL_cublas##letter##gemv, handle, &asked);                            \
    }                                                                                              \
    cublasStatus_t cublas##letter##geru_v2(cublasHandle_t handle, int m, int n,                    \
                                           const number *alpha, const number *x, int incx,         \
                                           const number *y, int incy, number *a, int lda)          \
    {                                                                                              \
        const struct asked asked = {CUBLAS_OP_N, CUBLAS_OP_T, m, n,    1,    alpha, x,             \
                                    y,           NULL,        a, incx, incy, lda,   type};         \
        return ger(RUNTIME_CALL_cublas##letter##geru, handle, &asked);                             \
    }                                                                                              \
    cublasStatus_t cublas##letter##gerc_v2(cublasHandle_t handle, int m, int n,                    \
                                           const number *alpha, const number *x, int incx,         \
                                           const number *y, int incy, number *a, int lda)          \
    {                                                                                              \
        const struct asked asked = {CUBLAS_OP_N, CUBLAS_OP_C, m, n,    1,    alpha, x,             \
                                    y,           NULL,        a, incx, incy, lda,   type};         \
        return ger(RUNTIME_CALL_cublas##letter##gerc, handle, &asked);                             \
    }                                                                                              \
    cublasStatus_t cublas##letter##gemm_v2(                                                        \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,   \
        int k, const number *alpha, const number *a, int lda, const number *b, int ldb,            \
        const number *beta, number *c, int ldc)                                                    \
    {                                                                                              \
        const struct asked asked = {transa, transb, m, n,   k,   alpha, a,                         \
                                    b,      beta,   c, lda, ldb, ldc,   type};                     \
        return gemm(RUNTIME_CALL_cublas##letter##gemm, handle, &asked);                            \
    }
COMPLEX(C, Cs, Sc, cuComplex, float, CUDA_C_32F, CUDA_R_32F)
COMPLEX(Z, Zd, Dz, cuDoubleComplex, double, CUDA_C_64F, CUDA_R_64F)
