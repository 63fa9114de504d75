/* cublas_level1.c: vectors of cuBLAS. */
#include "libraries/blas_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum operation { AMAX, AMIN, ASUM, NRM2, DOT, AXPY, SCAL, COPY, SWAP, ROT };

struct level1 {
    enum operation operation;
    struct blas_vector x, y;          /* y: of those that have one */
    struct blas_scalar alpha, second; /* second: the sine of a rotation */
    void *result;                     /* of AMAX to DOT; NULL: none */
    bool is_result_here;              /* in host memory */
    cudaDataType result_type;
};

/* What is the least or the greatest by its size, from 1 on. */
static double extreme(const struct level1 *call, const double *x)
{
    int found = 0;

    for (int i = 1; i < call->x.n; i++) {
        const double size = fabs(x[blas_place(&call->x, i)]);
        const double best = fabs(x[blas_place(&call->x, found)]);

        if (call->operation == AMAX ? size > best : size < best) {
            found = i;
        }
    }
    return found + 1;
}

/* Scaled by the largest number, whose square may be too large. */
static double norm(const struct level1 *call, const double *x)
{
    double most = 0.0, sum = 0.0;

    for (int i = 0; i < call->x.n; i++) {
        const double size = fabs(x[blas_place(&call->x, i)]);

        most = size > most || isnan(size) ? size : most;
    }
    if (most == 0.0 || !isfinite(most)) {
        return most;
    }
    for (int i = 0; i < call->x.n; i++) {
        const double part = x[blas_place(&call->x, i)] / most;

        sum += part * part;
    }
    return most * sqrt(sum);
}

static double reduce(const struct level1 *call, const double *x, const double *y)
{
    double sum = 0.0;

    switch (call->operation) {
    case AMAX:
    case AMIN:
        return extreme(call, x);
    case NRM2:
        return norm(call, x);
    case ASUM:
        for (int i = 0; i < call->x.n; i++) {
            sum += fabs(x[blas_place(&call->x, i)]);
        }
        return sum;
    default:
        for (int i = 0; i < call->x.n; i++) {
            sum += x[blas_place(&call->x, i)] * y[blas_place(&call->y, i)];
        }
        return sum;
    }
}

static void change(const struct level1 *call, double alpha, double second, double *x, double *y)
{
    for (int i = 0; i < call->x.n; i++) {
        double *const a = &x[blas_place(&call->x, i)];
        double *const b = y == NULL ? NULL : &y[blas_place(&call->y, i)];
        const double old = *a;

        switch (call->operation) {
        case AXPY:
            *b += alpha * old;
            break;
        case SCAL:
            *a = alpha * old;
            break;
        case COPY:
            *b = old;
            break;
        case SWAP:
            *a = *b;
            *b = old;
            break;
        default:
            *a = alpha * old + second * *b;
            *b = alpha * *b - second * old;
            break;
        }
    }
}

static cudaError_t put_result(const struct level1 *call, double value)
{
    const struct blas_block block = {call->result, call->result_type, 1, 1, 1, "result", false};

    if (!call->is_result_here) {
        return blas_store(&block, &value);
    }
    blas_put_value(value, call->result_type, call->result);
    return cudaSuccess;
}

static cudaError_t store_changed(const struct level1 *call, const double *x, const double *y)
{
    const enum operation operation = call->operation;
    cudaError_t error = cudaSuccess;

    if (operation == SCAL || operation == SWAP || operation == ROT) {
        error = blas_store(&call->x.block, x);
    }
    return error == cudaSuccess && y != NULL ? blas_store(&call->y.block, y) : error;
}

static cudaError_t work(const void *request)
{
    const struct level1 *call = request;
    const bool has_y = call->operation >= DOT && call->operation != SCAL;
    double alpha = 0.0, second = 0.0, *x = NULL, *y = NULL;
    cudaError_t error = cudaSuccess;

    if (call->x.n <= 0) {
        return put_result(call, 0.0);
    }
    error = blas_read_scalar(&call->alpha, &alpha);
    if (error == cudaSuccess) {
        error = blas_read_scalar(&call->second, &second);
    }
    if (error == cudaSuccess) {
        error = blas_fetch(&call->x.block, &x);
    }
    if (error == cudaSuccess && has_y) {
        error = call->operation == COPY ? blas_room(&call->y.block, &y)
                                        : blas_fetch(&call->y.block, &y);
    }
    if (error == cudaSuccess && call->result != NULL) {
        error = put_result(call, reduce(call, x, y));
    } else if (error == cudaSuccess) {
        change(call, alpha, second, x, y);
        error = store_changed(call, x, y);
    }
    free(x);
    free(y);
    return error;
}

/* Ends a call with its work. A result in host memory is there when the call returns. */
static cublasStatus_t submit(cublasHandle_t handle, struct level1 *call)
{
    if (call->is_result_here && runtime_capture_of(handle->stream) != NULL) {
        return blas_refuse(CUBLAS_STATUS_NOT_SUPPORTED, REFUSAL_CAPTURE);
    }
    call->y.block.operand = "y";
    cudaError_t error = library_submit(handle->stream, work, call, sizeof(*call));
    if (call->is_result_here && error == cudaSuccess) {
        library_wait(handle->stream);
    }
    return blas_leave(error);
}

/* The calls that give a number. */
static cublasStatus_t give(enum runtime_call number, cublasHandle_t handle, struct level1 *call,
                           void *result, cudaDataType type)
{
    if (!blas_enter(number, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if (result == NULL) {
        return blas_refuse(CUBLAS_STATUS_MAPPING_ERROR, REFUSAL_NULL_POINTER);
    }
    call->result = result;
    call->result_type = type;
    call->is_result_here = handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    if (call->is_result_here && runtime_is_device_address(result) && mirror_find(result) == NULL) {
        return blas_refuse(CUBLAS_STATUS_MAPPING_ERROR, REFUSAL_DEVICE_SCALAR);
    }
    if (call->operation != DOT && call->x.increment <= 0) {
        call->x.n = 0; /* as BLAS has it */
    }
    return submit(handle, call);
}

/* The calls that change vectors, with scalars of `type`. NULL: they have no such scalar. */
static cublasStatus_t run(enum runtime_call number, cublasHandle_t handle, struct level1 *call,
                          cudaDataType type, const void *alpha, const void *second)
{
    enum refusal why = REFUSAL_NONE;

    if (!blas_enter(number, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    if (call->operation == AXPY || call->operation == SCAL || call->operation == ROT) {
        why = blas_take_scalar(handle, alpha, type, &call->alpha);
    }
    if (call->operation == ROT && why == REFUSAL_NONE) {
        why = blas_take_scalar(handle, second, type, &call->second);
    }
    if (why != REFUSAL_NONE) {
        return blas_refuse(CUBLAS_STATUS_INVALID_VALUE, why);
    }
    if (call->x.n <= 0 || (call->operation == SCAL && call->x.increment <= 0)) {
        return blas_leave(cudaSuccess);
    }
    return submit(handle, call);
}

#define ONE(op, type)                                                                              \
    {                                                                                              \
        .operation = op, .x = blas_vector(x, type, n, incx)                                        \
    }
#define TWO(op, type)                                                                              \
    {                                                                                              \
        .operation = op, .x = blas_vector(x, type, n, incx), .y = blas_vector(y, type, n, incy)    \
    }

/* The calls for one type: `letter` is in their names, `small` in those that give an index. */
#define LEVEL1(letter, small, real, real_type)                                                     \
    cublasStatus_t cublasI##small##amax_v2(cublasHandle_t handle, int n, const real *x, int incx,  \
                                           int *result)                                            \
    {                                                                                              \
        struct level1 call = ONE(AMAX, real_type);                                                 \
        return give(RUNTIME_CALL_cublasI##small##amax, handle, &call, result, CUDA_R_32I);         \
    }                                                                                              \
    cublasStatus_t cublasI##small##amin_v2(cublasHandle_t handle, int n, const real *x, int incx,  \
                                           int *result)                                            \
    {                                                                                              \
        struct level1 call = ONE(AMIN, real_type);                                                 \
        return give(RUNTIME_CALL_cublasI##small##amin, handle, &call, result, CUDA_R_32I);         \
    }                                                                                              \
    cublasStatus_t cublas##letter##asum_v2(cublasHandle_t handle, int n, const real *x, int incx,  \
                                           real *result)                                           \
    {                                                                                              \
        struct level1 call = ONE(ASUM, real_type);                                                 \
        return give(RUNTIME_CALL_cublas##letter##asum, handle, &call, result, real_type);          \
    }                                                                                              \
    cublasStatus_t cublas##letter##nrm2_v2(cublasHandle_t handle, int n, const real *x, int incx,  \
                                           real *result)                                           \
    {                                                                                              \
        struct level1 call = ONE(NRM2, real_type);                                                 \
        return give(RUNTIME_CALL_cublas##letter##nrm2, handle, &call, result, real_type);          \
    }                                                                                              \
    cublasStatus_t cublas##letter##dot_v2(cublasHandle_t handle, int n, const real *x, int incx,   \
                                          const real *y, int incy, real *result)                   \
    {                                                                                              \
        struct level1 call = TWO(DOT, real_type);                                                  \
        return give(RUNTIME_CALL_cublas##letter##dot, handle, &call, result, real_type);           \
    }                                                                                              \
    cublasStatus_t cublas##letter##axpy_v2(cublasHandle_t handle, int n, const real *alpha,        \
                                           const real *x, int incx, real *y, int incy)             \
    {                                                                                              \
        struct level1 call = TWO(AXPY, real_type);                                                 \
        return run(RUNTIME_CALL_cublas##letter##axpy, handle, &call, real_type, alpha, NULL);      \
    }                                                                                              \
    cublasStatus_t cublas##letter##scal_v2(cublasHandle_t handle, int n, const real *alpha,        \
                                           real *x, int incx)                                      \
    {                                                                                              \
        struct level1 call = ONE(SCAL, real_type);                                                 \
        return run(RUNTIME_CALL_cublas##letter##scal, handle, &call, real_type, alpha, NULL);      \
    }                                                                                              \
    cublasStatus_t cublas##letter##copy_v2(cublasHandle_t handle, int n, const real *x, int incx,  \
                                           real *y, int incy)                                      \
    {                                                                                              \
        struct level1 call = TWO(COPY, real_type);                                                 \
        return run(RUNTIME_CALL_cublas##letter##copy, handle, &call, real_type, NULL, NULL);       \
    }                                                                                              \
    cublasStatus_t cublas##letter##swap_v2(cublasHandle_t handle, int n, real *x, int incx,        \
                                           real *y, int incy)                                      \
    {                                                                                              \
        struct level1 call = TWO(SWAP, real_type);                                                 \
        return run(RUNTIME_CALL_cublas##letter##swap, handle, &call, real_type, NULL, NULL);       \
    }                                                                                              \
    cublasStatus_t cublas##letter##rot_v2(cublasHandle_t handle, int n, real *x, int incx,         \
                                          real *y, int incy, const real *c, const real *s)         \
    {                                                                                              \
        struct level1 call = TWO(ROT, real_type);                                                  \
        return run(RUNTIME_CALL_cublas##letter##rot, handle, &call, real_type, c, s);              \
    }

LEVEL1(S, s, float, CUDA_R_32F)
LEVEL1(D, d, double, CUDA_R_64F)

/* The calls whose types are arguments. What they compute in: halves in float. */
static bool is_computed(cudaDataType type, cudaDataType execution)
{
    switch ((int)type) {
    case CUDA_R_16F:
    case CUDA_R_16BF:
    case CUDA_R_32F:
        return execution == CUDA_R_32F;
    case CUDA_R_64F:
        return execution == CUDA_R_64F;
    default:
        return false;
    }
}

static cublasStatus_t refuse_types(enum runtime_call number, cublasHandle_t handle)
{
    return blas_enter(number, handle)
               ? blas_refuse(CUBLAS_STATUS_NOT_SUPPORTED, REFUSAL_UNSUPPORTED)
               : CUBLAS_STATUS_NOT_INITIALIZED;
}

cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void *alpha,
                            cudaDataType alpha_type, const void *x, cudaDataType x_type, int incx,
                            void *y, cudaDataType y_type, int incy, cudaDataType execution)
{
    struct level1 call = {.operation = AXPY,
                          .x = blas_vector(x, x_type, n, incx),
                          .y = blas_vector(y, y_type, n, incy)};

    return is_computed(x_type, execution) && alpha_type == execution && y_type == x_type
               ? run(RUNTIME_CALL_cublasAxpyEx, handle, &call, alpha_type, alpha, NULL)
               : refuse_types(RUNTIME_CALL_cublasAxpyEx, handle);
}

cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void *alpha,
                            cudaDataType alpha_type, void *x, cudaDataType x_type, int incx,
                            cudaDataType execution)
{
    struct level1 call = ONE(SCAL, x_type);

    return is_computed(x_type, execution) && alpha_type == execution
               ? run(RUNTIME_CALL_cublasScalEx, handle, &call, alpha_type, alpha, NULL)
               : refuse_types(RUNTIME_CALL_cublasScalEx, handle);
}

cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType x_type,
                           int incx, const void *y, cudaDataType y_type, int incy, void *result,
                           cudaDataType result_type, cudaDataType execution)
{
    struct level1 call = {.operation = DOT,
                          .x = blas_vector(x, x_type, n, incx),
                          .y = blas_vector(y, y_type, n, incy)};

    return is_computed(x_type, execution) && y_type == x_type && result_type == x_type
               ? give(RUNTIME_CALL_cublasDotEx, handle, &call, result, result_type)
               : refuse_types(RUNTIME_CALL_cublasDotEx, handle);
}

cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void *x, cudaDataType x_type,
                            int incx, void *result, cudaDataType result_type,
                            cudaDataType execution)
{
    struct level1 call = ONE(NRM2, x_type);

    return is_computed(x_type, execution) && result_type == x_type
               ? give(RUNTIME_CALL_cublasNrm2Ex, handle, &call, result, result_type)
               : refuse_types(RUNTIME_CALL_cublasNrm2Ex, handle);
}
