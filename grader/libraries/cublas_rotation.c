/* cublas_rotation.c: rotations of cuBLAS. rotg finds a plain one and rotmg a modified one, as the
 * reference BLAS does, each from a few numbers in whose places the results go; rotm turns vectors
 * by a modified one. The numbers are in host or in device memory, as the handle's mode says. */
#include "libraries/blas_values.h"

#include <math.h>
#include <stdlib.h>

enum { INPUTS_MAX = 4, OUTPUTS_MAX = 8, PARAMETERS = 5 };

struct finding_of_rotation {
    void (*find)(const double *inputs, double *outputs);
    struct blas_scalar inputs[INPUTS_MAX];
    void *outputs[OUTPUTS_MAX];
    int input_count, output_count;
    bool is_here; /* the outputs are in host memory */
    cudaDataType type;
};

struct turn {
    struct blas_vector x, y;
    struct blas_scalar parameters[PARAMETERS];
};

/* a, b --> r, z, c, s */
static void find_plain(const double *in, double *out)
{
    const double a = in[0], b = in[1];
    const double r = copysign(hypot(a, b), fabs(a) > fabs(b) ? a : b);

    out[2] = r == 0.0 ? 1.0 : a / r;
    out[3] = r == 0.0 ? 0.0 : b / r;
    out[0] = r;
    if (r == 0.0) {
        out[0] = out[1] = 0.0;
    } else if (fabs(a) > fabs(b)) {
        out[1] = out[3];
    } else {
        out[1] = out[2] != 0.0 ? 1.0 / out[2] : 1.0;
    }
}

/* A modified rotation: which of its four numbers are given (`flag`), and those. */
struct modified {
    double flag, h11, h21, h12, h22;
};

/* The numbers that the flag stands for become numbers that are given. */
static void write_out(struct modified *h)
{
    if (h->flag == 0.0) {
        h->h11 = h->h22 = 1.0;
    } else if (h->flag == 1.0) {
        h->h21 = -1.0;
        h->h12 = 1.0;
    }
    h->flag = -1.0;
}

/* Brings a factor d into (2^-24, 2^24), and what it scales with it. */
static void scale(double *d, double *with, double *left, double *right, struct modified *h)
{
    const double step = 4096.0, most = step * step, least = 1.0 / most;

    for (int i = 0; i < 100 && *d != 0.0 && isfinite(*d) && (fabs(*d) <= least || fabs(*d) >= most);
         i++) {
        const double by = fabs(*d) <= least ? 1.0 / step : step;

        write_out(h);
        *d /= by * by;
        *with *= by;
        *left *= by;
        *right *= by;
    }
}

/* d1, d2, x1, y1 --> d1, d2, x1, five parameters */
static void find_modified(const double *in, double *out)
{
    double d1 = in[0], d2 = in[1], x1 = in[2], unused = 0.0;
    const double y1 = in[3], p1 = d1 * x1, p2 = d2 * y1, q1 = p1 * x1, q2 = p2 * y1;
    struct modified h = {.flag = -2.0};

    if (d1 < 0.0 || (p2 != 0.0 && fabs(q1) <= fabs(q2) && q2 < 0.0)) {
        h.flag = -1.0;
        d1 = d2 = x1 = 0.0;
    } else if (p2 != 0.0 && fabs(q1) > fabs(q2)) {
        h = (struct modified){.flag = 0.0, .h21 = -y1 / x1, .h12 = p2 / p1};
        const double u = 1.0 - h.h12 * h.h21;

        d1 /= u;
        d2 /= u;
        x1 *= u;
    } else if (p2 != 0.0) {
        h = (struct modified){.flag = 1.0, .h11 = p1 / p2, .h22 = x1 / y1};
        const double u = 1.0 + h.h11 * h.h22, old = d1;

        d1 = d2 / u;
        d2 = old / u;
        x1 = y1 * u;
    }
    if (h.flag >= 0.0) {
        scale(&d1, &x1, &h.h11, &h.h12, &h);
        scale(&d2, &unused, &h.h21, &h.h22, &h);
    }
    const double results[OUTPUTS_MAX] = {d1, d2, x1, h.flag, h.h11, h.h21, h.h12, h.h22};
    for (int i = 0; i < OUTPUTS_MAX; i++) {
        out[i] = results[i];
    }
}

static cudaError_t find_work(const void *request)
{
    const struct finding_of_rotation *call = request;
    double inputs[INPUTS_MAX] = {0.0}, outputs[OUTPUTS_MAX] = {0.0};
    cudaError_t error = cudaSuccess;

    for (int i = 0; error == cudaSuccess && i < call->input_count; i++) {
        error = blas_read_scalar(&call->inputs[i], &inputs[i]);
    }
    if (error == cudaSuccess) {
        call->find(inputs, outputs);
    }
    for (int i = 0; error == cudaSuccess && i < call->output_count; i++) {
        const struct blas_block block = {call->outputs[i], call->type, 1, 1, 1, "result", false};

        if (call->is_here) {
            blas_put_value(outputs[i], call->type, call->outputs[i]);
        } else {
            error = blas_store(&block, &outputs[i]);
        }
    }
    return error;
}

/* The inputs are the first outputs, but for the last of four. */
static cublasStatus_t find(enum runtime_call number, cublasHandle_t handle,
                           struct finding_of_rotation *call, const void *last)
{
    enum refusal why = REFUSAL_NONE;

    if (!blas_enter(number, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    call->is_here = handle->pointer_mode == CUBLAS_POINTER_MODE_HOST;
    for (int i = 0; why == REFUSAL_NONE && i < call->output_count; i++) {
        struct blas_scalar unused;

        why = blas_take_scalar(handle, call->outputs[i], call->type, &unused);
    }
    for (int i = 0; why == REFUSAL_NONE && i < call->input_count; i++) {
        why = blas_take_scalar(handle, i == 3 ? last : call->outputs[i], call->type,
                               &call->inputs[i]);
    }
    if (why != REFUSAL_NONE) {
        return blas_refuse(CUBLAS_STATUS_INVALID_VALUE, why);
    }
    if (call->is_here && runtime_capture_of(handle->stream) != NULL) {
        return blas_refuse(CUBLAS_STATUS_NOT_SUPPORTED, REFUSAL_CAPTURE);
    }
    const cudaError_t error = library_submit(handle->stream, find_work, call, sizeof(*call));
    if (call->is_here && error == cudaSuccess) {
        library_wait(handle->stream);
    }
    return blas_leave(error);
}

static void turn_all(const struct turn *call, const struct modified *h, double *x, double *y)
{
    for (int i = 0; i < call->x.n; i++) {
        double *const a = &x[blas_place(&call->x, i)], *const b = &y[blas_place(&call->y, i)];
        const double old = *a;

        *a = old * h->h11 + *b * h->h12;
        *b = old * h->h21 + *b * h->h22;
    }
}

static cudaError_t turn_work(const void *request)
{
    const struct turn *call = request;
    double numbers[PARAMETERS] = {0.0}, *x = NULL, *y = NULL;
    cudaError_t error = cudaSuccess;

    for (int i = 0; error == cudaSuccess && i < PARAMETERS; i++) {
        error = blas_read_scalar(&call->parameters[i], &numbers[i]);
    }
    struct modified h = {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
    if (error != cudaSuccess || h.flag == -2.0) {
        return error;
    }
    write_out(&h);
    error = blas_fetch(&call->x.block, &x);
    if (error == cudaSuccess) {
        error = blas_fetch(&call->y.block, &y);
    }
    if (error == cudaSuccess) {
        turn_all(call, &h, x, y);
        error = blas_store(&call->x.block, x);
    }
    if (error == cudaSuccess) {
        error = blas_store(&call->y.block, y);
    }
    free(x);
    free(y);
    return error;
}

/* Which of the parameters are read, the flag says; in device memory all of them must be there. */
static cublasStatus_t turn(enum runtime_call number, cublasHandle_t handle, struct turn *call,
                           const void *parameters, size_t bytes)
{
    enum refusal why = parameters == NULL ? REFUSAL_NULL_POINTER : REFUSAL_NONE;

    if (!blas_enter(number, handle)) {
        return CUBLAS_STATUS_NOT_INITIALIZED;
    }
    call->y.block.operand = "y";
    for (size_t i = 0; why == REFUSAL_NONE && i < PARAMETERS; i++) {
        why = blas_take_scalar(handle, (const char *)parameters + i * bytes, call->x.block.type,
                               &call->parameters[i]);
    }
    if (why != REFUSAL_NONE) {
        return blas_refuse(CUBLAS_STATUS_INVALID_VALUE, why);
    }
    return blas_leave(call->x.n <= 0
                          ? cudaSuccess
                          : library_submit(handle->stream, turn_work, call, sizeof(*call)));
}

#define ROTATIONS(letter, real, real_type)                                                         \
    cublasStatus_t cublas##letter##rotg_v2(cublasHandle_t handle, real *a, real *b, real *c,       \
                                           real *s)                                                \
    {                                                                                              \
        struct finding_of_rotation call = {.find = find_plain,                                     \
                                           .outputs = {a, b, c, s},                                \
                                           .input_count = 2,                                       \
                                           .output_count = 4,                                      \
                                           .type = real_type};                                     \
        return find(RUNTIME_CALL_cublas##letter##rotg, handle, &call, NULL);                       \
    }                                                                                              \
    cublasStatus_t cublas##letter##rotmg_v2(cublasHandle_t handle, real *d1, real *d2, real *x1,   \
                                            const real *y1, real *param)                           \
    {                                                                                              \
        struct finding_of_rotation call = {.find = find_modified,                                  \
                                           .outputs = {d1, d2, x1},                                \
                                           .input_count = 4,                                       \
                                           .output_count = OUTPUTS_MAX,                            \
                                           .type = real_type};                                     \
        for (int i = 0; i < PARAMETERS; i++) {                                                     \
            call.outputs[3 + i] = param == NULL ? NULL : param + i;                                \
        }                                                                                          \
        return find(RUNTIME_CALL_cublas##letter##rotmg, handle, &call, y1);                        \
    }                                                                                              \
    cublasStatus_t cublas##letter##rotm_v2(cublasHandle_t handle, int n, real *x, int incx,        \
                                           real *y, int incy, const real *param)                   \
    {                                                                                              \
        struct turn call = {.x = blas_vector(x, real_type, n, incx),                               \
                            .y = blas_vector(y, real_type, n, incy)};                              \
        return turn(RUNTIME_CALL_cublas##letter##rotm, handle, &call, param, sizeof(real));        \
    }
ROTATIONS(S, float, CUDA_R_32F)
ROTATIONS(D, double, CUDA_R_64F)
