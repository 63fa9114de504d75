/* cufft_calls.c: plans of cuFFT and their execution. All is computed as doubles, and rounded once
 * when it is stored. */
#include "libraries/fourier.h"
#include "libraries/library_work.h"

#include <cufftXt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { PLANS_MAX = 4096 };

/* How one side of a plan lies in memory: number (x, y, z) of transform b is at
 * b * distance + ((x * embedding[1] + y) * embedding[2] + z) * stride. */
struct layout {
    size_t sizes[3]; /* numbers, the last ones of a half spectrum left out */
    size_t embedding[3];
    size_t stride, distance;
    bool is_real;
};

struct plan {
    bool exists, is_made;
    cufftType type;
    size_t sizes[3]; /* 1 for those before the first dimension */
    size_t batch;
    bool is_packed; /* the layouts are the usual ones, which depend on whether it works in place */
    struct layout sides[2];
    cudaStream_t stream;
};

/* One execution. */
struct execution {
    struct plan plan;
    const void *input;
    void *output;
    int sign;
};

static struct plan plans[PLANS_MAX]; /* by handle */

/* Calls **************************************************************************************/

static cufftResult refuse(cufftResult result, enum refusal why)
{
    runtime_leave(runtime_refuse(cudaErrorInvalidValue, why));
    return result;
}

static cufftResult leave(cudaError_t error)
{
    switch (runtime_leave(error)) {
    case cudaSuccess:
        return CUFFT_SUCCESS;
    case cudaErrorMemoryAllocation:
        return CUFFT_ALLOC_FAILED;
    case cudaErrorNoDevice:
    case cudaErrorDevicesUnavailable:
        return CUFFT_SETUP_FAILED;
    default:
        return CUFFT_EXEC_FAILED;
    }
}

/* Begins a call; NULL: it has ended, there is no such plan. */
static struct plan *enter(enum runtime_call call, cufftHandle handle)
{
    runtime_enter(call);
    if (handle > 0 && handle < PLANS_MAX && plans[handle].exists) {
        return &plans[handle];
    }
    refuse(CUFFT_INVALID_PLAN, REFUSAL_LIBRARY_HANDLE);
    return NULL;
}

/* Plans **************************************************************************************/

static bool is_double(cufftType type)
{
    return type == CUFFT_D2Z || type == CUFFT_Z2D || type == CUFFT_Z2Z;
}

static bool is_real(cufftType type, int side)
{
    return side == 0 ? type == CUFFT_R2C || type == CUFFT_D2Z
                     : type == CUFFT_C2R || type == CUFFT_Z2D;
}

static bool is_complex(cufftType type)
{
    return type == CUFFT_C2C || type == CUFFT_Z2Z;
}

/* The usual layout of a side: without gaps, but for the real side of a transform in place, whose
 * rows have room for the complex ones. */
static void make_usual(const struct plan *plan, int side, bool is_in_place, struct layout *out)
{
    struct layout layout = {.stride = 1, .is_real = is_real(plan->type, side)};

    memcpy(layout.sizes, plan->sizes, sizeof(layout.sizes));
    if (!layout.is_real && !is_complex(plan->type)) {
        layout.sizes[2] = plan->sizes[2] / 2 + 1;
    }
    memcpy(layout.embedding, layout.sizes, sizeof(layout.embedding));
    if (layout.is_real && is_in_place) {
        layout.embedding[2] = 2 * (plan->sizes[2] / 2 + 1);
    }
    layout.distance = layout.embedding[0] * layout.embedding[1] * layout.embedding[2];
    *out = layout;
}

/* The layout that a program describes. */
static bool make_described(const struct plan *plan, int side, const int *embedding, int rank,
                           const int *numbers, struct layout *out)
{
    make_usual(plan, side, false, out);
    if (numbers[0] < 1 || numbers[1] < 0) {
        return false;
    }
    out->stride = (size_t)numbers[0];
    out->distance = (size_t)numbers[1];
    for (int i = 1; i < rank; i++) {
        if (embedding[i] < (int)out->sizes[3 - rank + i]) {
            return false;
        }
        out->embedding[3 - rank + i] = (size_t)embedding[i];
    }
    size_t extent = out->embedding[1];
    return !__builtin_mul_overflow(extent, out->embedding[2], &extent) &&
           !__builtin_mul_overflow(extent, out->stride, &extent) &&
           !__builtin_mul_overflow(extent, out->sizes[0], &extent) && extent < (size_t)1 << 48;
}

/* What the calls that make plans are given. */
struct wish {
    int rank;
    const int *sizes;
    const int *embeddings[2];
    int numbers[2][2]; /* stride and distance of both sides */
    cufftType type;
    int batch;
};

static bool is_type(cufftType type)
{
    return is_complex(type) || is_real(type, 0) || is_real(type, 1);
}

/* Fills a plan in. */
static cufftResult make(struct plan *plan, const struct wish *wish, size_t *out_bytes)
{
    struct plan made = {
        .exists = true, .is_made = true, .type = wish->type, .stream = plan->stream};
    size_t total = (size_t)wish->batch;

    if (plan->is_made) {
        return refuse(CUFFT_INVALID_PLAN, REFUSAL_VALUE);
    }
    if (!is_type(wish->type)) {
        return refuse(CUFFT_INVALID_TYPE, REFUSAL_VALUE);
    }
    if (wish->rank < 1 || wish->rank > 3 || wish->sizes == NULL) {
        return refuse(CUFFT_INVALID_VALUE, REFUSAL_VALUE);
    }
    made.batch = total;
    for (int i = 0; i < 3; i++) {
        const int size = i < 3 - wish->rank ? 1 : wish->sizes[i - (3 - wish->rank)];

        made.sizes[i] = (size_t)size;
        if (size < 1 || wish->batch < 1 || __builtin_mul_overflow(total, made.sizes[i], &total) ||
            total > INT_MAX) {
            return refuse(CUFFT_INVALID_SIZE, REFUSAL_SIZE);
        }
    }
    made.is_packed = wish->embeddings[0] == NULL || wish->embeddings[1] == NULL;
    for (int side = 0; side < 2 && !made.is_packed; side++) {
        if (!make_described(&made, side, wish->embeddings[side], wish->rank, wish->numbers[side],
                            &made.sides[side])) {
            return refuse(CUFFT_INVALID_VALUE, REFUSAL_VALUE);
        }
    }
    *plan = made;
    if (out_bytes != NULL) {
        *out_bytes = 0;
    }
    return leave(cudaSuccess);
}

/* A new handle; 0: there is none. */
static cufftHandle new_plan(void)
{
    for (cufftHandle i = 1; i < PLANS_MAX; i++) {
        if (!plans[i].exists) {
            plans[i] = (struct plan){.exists = true};
            return i;
        }
    }
    return 0;
}

static cufftResult create(enum runtime_call call, cufftHandle *out_handle, const struct wish *wish)
{
    runtime_enter(call);
    if (out_handle == NULL) {
        return refuse(CUFFT_INVALID_VALUE, REFUSAL_NULL_POINTER);
    }
    cudaError_t error = runtime_ready();
    if (error != cudaSuccess) {
        return leave(error);
    }
    const cufftHandle handle = new_plan();
    if (handle == 0) {
        return refuse(CUFFT_ALLOC_FAILED, REFUSAL_HOST_MEMORY);
    }
    cufftResult result = wish == NULL ? leave(cudaSuccess) : make(&plans[handle], wish, NULL);
    if (result == CUFFT_SUCCESS) {
        *out_handle = handle;
    } else {
        plans[handle].exists = false;
    }
    return result;
}

static cufftResult fill(enum runtime_call call, cufftHandle handle, const struct wish *wish,
                        size_t *out_bytes)
{
    struct plan *plan = enter(call, handle);

    return plan == NULL ? CUFFT_INVALID_PLAN : make(plan, wish, out_bytes);
}

cufftResult cufftCreate(cufftHandle *plan)
{
    return create(RUNTIME_CALL_cufftCreate, plan, NULL);
}

cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch)
{
    return create(RUNTIME_CALL_cufftPlan1d, plan,
                  &(struct wish){.rank = 1, .sizes = &nx, .type = type, .batch = batch});
}

cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type)
{
    return create(
        RUNTIME_CALL_cufftPlan2d, plan,
        &(struct wish){.rank = 2, .sizes = (const int[]){nx, ny}, .type = type, .batch = 1});
}

cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type)
{
    return create(
        RUNTIME_CALL_cufftPlan3d, plan,
        &(struct wish){.rank = 3, .sizes = (const int[]){nx, ny, nz}, .type = type, .batch = 1});
}

cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist,
                          int *onembed, int ostride, int odist, cufftType type, int batch)
{
    return create(
        RUNTIME_CALL_cufftPlanMany, plan,
        &(struct wish){
            rank, n, {inembed, onembed}, {{istride, idist}, {ostride, odist}}, type, batch});
}

cufftResult cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *bytes)
{
    return fill(RUNTIME_CALL_cufftMakePlan1d, plan,
                &(struct wish){.rank = 1, .sizes = &nx, .type = type, .batch = batch}, bytes);
}

cufftResult cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *bytes)
{
    return fill(RUNTIME_CALL_cufftMakePlan2d, plan,
                &(struct wish){.rank = 2, .sizes = (const int[]){nx, ny}, .type = type, .batch = 1},
                bytes);
}

cufftResult cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *bytes)
{
    return fill(
        RUNTIME_CALL_cufftMakePlan3d, plan,
        &(struct wish){.rank = 3, .sizes = (const int[]){nx, ny, nz}, .type = type, .batch = 1},
        bytes);
}

cufftResult cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist, cufftType type,
                              int batch, size_t *bytes)
{
    return fill(RUNTIME_CALL_cufftMakePlanMany, plan,
                &(struct wish){
                    rank, n, {inembed, onembed}, {{istride, idist}, {ostride, odist}}, type, batch},
                bytes);
}

/* What the calls with 64 bits are given; a transform has fewer than 2^31 numbers with them, too. */
struct wide_wish {
    int rank;
    const long long *sizes;
    const long long *embeddings[2];
    long long numbers[2][2]; /* stride and distance of both sides */
    long long batch;
};

/* `count` numbers as ints; false: one does not fit. */
static bool narrow(const long long *wide, int count, int *out)
{
    for (int i = 0; i < count; i++) {
        if (wide[i] < 0 || wide[i] > INT_MAX) {
            return false;
        }
        out[i] = (int)wide[i];
    }
    return true;
}

static cufftResult fill_wide(enum runtime_call call, cufftHandle handle, cufftType type,
                             const struct wide_wish *wide, size_t *out_bytes)
{
    struct wish wish = {.rank = wide->rank, .type = type};
    int sizes[3], embeddings[2][3];
    struct plan *plan = enter(call, handle);

    if (plan == NULL) {
        return CUFFT_INVALID_PLAN;
    }
    if (wide->rank >= 1 && wide->rank <= 3 && wide->sizes != NULL) {
        bool fits = narrow(wide->sizes, wide->rank, sizes) && narrow(&wide->batch, 1, &wish.batch);

        wish.sizes = sizes;
        for (int side = 0; side < 2; side++) {
            if (wide->embeddings[side] != NULL) {
                wish.embeddings[side] = embeddings[side];
                fits = fits && narrow(wide->embeddings[side], wide->rank, embeddings[side]) &&
                       narrow(wide->numbers[side], 2, wish.numbers[side]);
            }
        }
        if (!fits) {
            return refuse(CUFFT_INVALID_SIZE, REFUSAL_SIZE);
        }
    }
    return make(plan, &wish, out_bytes);
}

cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, long long *onembed,
                                long long ostride, long long odist, cufftType type, long long batch,
                                size_t *bytes)
{
    return fill_wide(RUNTIME_CALL_cufftMakePlanMany64, plan, type,
                     &(struct wide_wish){
                         rank, n, {inembed, onembed}, {{istride, idist}, {ostride, odist}}, batch},
                     bytes);
}

/* The transform between numbers of two types; 0: there is none here. */
static cufftType type_between(cudaDataType input, cudaDataType output, cudaDataType execution)
{
    static const struct {
        cudaDataType input, output;
        cufftType type;
    } known[] = {
        {CUDA_C_32F, CUDA_C_32F, CUFFT_C2C}, {CUDA_R_32F, CUDA_C_32F, CUFFT_R2C},
        {CUDA_C_32F, CUDA_R_32F, CUFFT_C2R}, {CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
        {CUDA_R_64F, CUDA_C_64F, CUFFT_D2Z}, {CUDA_C_64F, CUDA_R_64F, CUFFT_Z2D},
    };

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (known[i].input == input && known[i].output == output &&
            execution == (is_double(known[i].type) ? CUDA_C_64F : CUDA_C_32F)) {
            return known[i].type;
        }
    }
    return (cufftType)0;
}

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, cudaDataType input_type,
                                long long *onembed, long long ostride, long long odist,
                                cudaDataType output_type, long long batch, size_t *bytes,
                                cudaDataType execution_type)
{
    const cufftType type = type_between(input_type, output_type, execution_type);

    if (!is_type(type)) {
        runtime_enter(RUNTIME_CALL_cufftXtMakePlanMany);
        return refuse(CUFFT_NOT_SUPPORTED, REFUSAL_UNSUPPORTED);
    }
    return fill_wide(RUNTIME_CALL_cufftXtMakePlanMany, plan, type,
                     &(struct wide_wish){
                         rank, n, {inembed, onembed}, {{istride, idist}, {ostride, odist}}, batch},
                     bytes);
}

/* Settings ***********************************************************************************/

/* No memory of the device is needed beside the data. */
cufftResult cufftGetSize(cufftHandle handle, size_t *bytes)
{
    struct plan *plan = enter(RUNTIME_CALL_cufftGetSize, handle);

    if (plan == NULL) {
        return CUFFT_INVALID_PLAN;
    }
    if (bytes == NULL) {
        return refuse(CUFFT_INVALID_VALUE, REFUSAL_NULL_POINTER);
    }
    *bytes = 0;
    return leave(cudaSuccess);
}

cufftResult cufftSetWorkArea(cufftHandle handle, void *area)
{
    (void)area;
    return enter(RUNTIME_CALL_cufftSetWorkArea, handle) == NULL ? CUFFT_INVALID_PLAN
                                                                : leave(cudaSuccess);
}

cufftResult cufftSetAutoAllocation(cufftHandle handle, int allocates)
{
    (void)allocates;
    return enter(RUNTIME_CALL_cufftSetAutoAllocation, handle) == NULL ? CUFFT_INVALID_PLAN
                                                                      : leave(cudaSuccess);
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    struct plan *plan = enter(RUNTIME_CALL_cufftSetStream, handle);

    if (plan == NULL) {
        return CUFFT_INVALID_PLAN;
    }
    if (!runtime_stream_exists(stream)) {
        return refuse(CUFFT_INVALID_VALUE, REFUSAL_NO_STREAM);
    }
    plan->stream = stream;
    return leave(cudaSuccess);
}

cufftResult cufftDestroy(cufftHandle handle)
{
    struct plan *plan = enter(RUNTIME_CALL_cufftDestroy, handle);

    if (plan == NULL) {
        return CUFFT_INVALID_PLAN;
    }
    plan->exists = false;
    return leave(cudaSuccess);
}

cufftResult cufftGetVersion(int *version)
{
    if (version == NULL) {
        return CUFFT_INVALID_VALUE;
    }
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int *value)
{
    static const int parts[] = {CUFFT_VERSION / 1000, CUFFT_VERSION / 100 % 10,
                                CUFFT_VERSION % 100};

    if (value == NULL || (unsigned)type > PATCH_LEVEL) {
        return CUFFT_INVALID_VALUE;
    }
    *value = parts[type];
    return CUFFT_SUCCESS;
}

/* Execution **********************************************************************************/

/* One side in memory, and where its numbers are among those that are copied. */
struct side {
    struct layout layout;
    struct library_area area;
    bool is_by_rows; /* else all bytes from the first number to the last */
};

/* Describes a side; false: the numbers that it writes have gaps that cannot be told. */
static bool describe_side(const struct execution *run, int which, struct side *out)
{
    const struct plan *plan = &run->plan;
    struct layout layout = plan->sides[which];

    if (plan->is_packed) {
        make_usual(plan, which, run->input == run->output, &layout);
    }
    const size_t lines = layout.sizes[0] * layout.sizes[1];
    const size_t line = layout.embedding[2] * layout.stride;
    const size_t block = layout.embedding[1] * line;
    const size_t last = (plan->batch - 1) * layout.distance + (layout.sizes[0] - 1) * block +
                        (layout.sizes[1] - 1) * line + (layout.sizes[2] - 1) * layout.stride;

    *out = (struct side){
        .layout = layout,
        .is_by_rows = layout.stride == 1 &&
                      (layout.sizes[0] == 1 || layout.embedding[1] == layout.sizes[1]) &&
                      (plan->batch == 1 || layout.distance == lines * line),
        .area = {.address = which == 0 ? run->input : run->output,
                 .element_bytes = (is_double(plan->type) ? 8u : 4u) * (layout.is_real ? 1 : 2)},
    };
    if (out->is_by_rows) {
        out->area.rows = layout.sizes[2];
        out->area.columns = lines * plan->batch;
        out->area.stride = layout.embedding[2];
        return true;
    }
    out->area.rows = out->area.stride = last + 1;
    out->area.columns = 1;
    return which == 0 || last + 1 == plan->batch * lines * layout.sizes[2];
}

/* Where a number is among the bytes of a side. */
static size_t place_of(const struct side *side, size_t batch, const size_t at[3])
{
    const struct layout *layout = &side->layout;

    if (side->is_by_rows) {
        return ((batch * layout->sizes[0] + at[0]) * layout->sizes[1] + at[1]) * layout->sizes[2] +
               at[2];
    }
    return batch * layout->distance +
           ((at[0] * layout->embedding[1] + at[1]) * layout->embedding[2] + at[2]) * layout->stride;
}

static double part(const void *bytes, size_t index, bool is_double_type)
{
    return is_double_type ? ((const double *)bytes)[index] : (double)((const float *)bytes)[index];
}

/* Number `at` of a transform; the half that is not there is known by symmetry. */
static struct fourier_number read_number(const struct execution *run, const struct side *side,
                                         const void *bytes, size_t batch, const size_t at[3])
{
    const bool is_wide = is_double(run->plan.type);
    const size_t *const sizes = run->plan.sizes;
    size_t there[3] = {at[0], at[1], at[2]};
    const bool is_mirrored = at[2] >= side->layout.sizes[2];

    for (int i = 0; i < 3 && is_mirrored; i++) {
        there[i] = (sizes[i] - at[i]) % sizes[i];
    }
    const size_t place = place_of(side, batch, there);
    if (side->layout.is_real) {
        return (struct fourier_number){part(bytes, place, is_wide), 0.0};
    }
    const double im = part(bytes, 2 * place + 1, is_wide);
    return (struct fourier_number){part(bytes, 2 * place, is_wide), is_mirrored ? -im : im};
}

static void write_part(void *bytes, size_t index, bool is_double_type, double value)
{
    if (is_double_type) {
        ((double *)bytes)[index] = value;
    } else {
        ((float *)bytes)[index] = (float)value;
    }
}

static void write_number(const struct execution *run, const struct side *side, void *bytes,
                         size_t place, const struct fourier_number *value)
{
    const bool is_wide = is_double(run->plan.type);

    if (side->layout.is_real) {
        write_part(bytes, place, is_wide, value->re);
        return;
    }
    write_part(bytes, 2 * place, is_wide, value->re);
    write_part(bytes, 2 * place + 1, is_wide, value->im);
}

/* One transform: `values` has room for it. */
static bool transform_one(const struct execution *run, const struct side sides[2],
                          const void *input, void *output, size_t batch,
                          struct fourier_number *values)
{
    const size_t *const sizes = run->plan.sizes;
    const size_t total = sizes[0] * sizes[1] * sizes[2];

    for (size_t i = 0; i < total; i++) {
        const size_t at[] = {i / sizes[2] / sizes[1], i / sizes[2] % sizes[1], i % sizes[2]};

        values[i] = read_number(run, &sides[0], input, batch, at);
    }
    if (!fourier_transform(values, sizes, run->sign)) {
        return false;
    }
    for (size_t i = 0; i < total; i++) {
        const size_t at[] = {i / sizes[2] / sizes[1], i / sizes[2] % sizes[1], i % sizes[2]};

        if (at[2] < sides[1].layout.sizes[2]) {
            write_number(run, &sides[1], output, place_of(&sides[1], batch, at), &values[i]);
        }
    }
    return true;
}

static cudaError_t work(const void *request)
{
    const struct execution *run = request;
    const struct plan *plan = &run->plan;
    const size_t total = plan->sizes[0] * plan->sizes[1] * plan->sizes[2];
    struct side sides[2];
    struct fourier_number *values = NULL;
    void *input = NULL, *output = NULL;

    describe_side(run, 0, &sides[0]);
    describe_side(run, 1, &sides[1]);
    cudaError_t error = library_fetch(&sides[0].area, &input);
    if (error == cudaSuccess) {
        error = library_room(&sides[1].area, &output);
    }
    if (error == cudaSuccess) {
        bool is_done = (values = malloc(total * sizeof(*values))) != NULL;

        for (size_t i = 0; is_done && i < plan->batch; i++) {
            is_done = transform_one(run, sides, input, output, i, values);
        }
        error = is_done ? library_store(&sides[1].area, output)
                        : runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    free(values);
    free(input);
    free(output);
    return error;
}

static cufftResult execute(enum runtime_call call, cufftHandle handle, cufftType type,
                           const void *input, void *output, int sign)
{
    const struct plan *plan = enter(call, handle);
    struct side side;

    if (plan == NULL) {
        return CUFFT_INVALID_PLAN;
    }
    if (!plan->is_made) {
        return refuse(CUFFT_INVALID_PLAN, REFUSAL_VALUE);
    }
    if (plan->type != type) {
        return refuse(CUFFT_INVALID_TYPE, REFUSAL_VALUE);
    }
    if (sign != CUFFT_FORWARD && sign != CUFFT_INVERSE) {
        return refuse(CUFFT_INVALID_VALUE, REFUSAL_VALUE);
    }
    const struct execution run = {*plan, input, output, sign};
    if (!describe_side(&run, 1, &side)) {
        return refuse(CUFFT_NOT_SUPPORTED, REFUSAL_UNSUPPORTED);
    }
    return leave(library_submit(plan->stream, work, &run, sizeof(run)));
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *input, cufftComplex *output, int direction)
{
    return execute(RUNTIME_CALL_cufftExecC2C, plan, CUFFT_C2C, input, output, direction);
}

cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *input, cufftDoubleComplex *output,
                         int direction)
{
    return execute(RUNTIME_CALL_cufftExecZ2Z, plan, CUFFT_Z2Z, input, output, direction);
}

cufftResult cufftExecR2C(cufftHandle plan, cufftReal *input, cufftComplex *output)
{
    return execute(RUNTIME_CALL_cufftExecR2C, plan, CUFFT_R2C, input, output, CUFFT_FORWARD);
}

cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *input, cufftReal *output)
{
    return execute(RUNTIME_CALL_cufftExecC2R, plan, CUFFT_C2R, input, output, CUFFT_INVERSE);
}

cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *input, cufftDoubleComplex *output)
{
    return execute(RUNTIME_CALL_cufftExecD2Z, plan, CUFFT_D2Z, input, output, CUFFT_FORWARD);
}

cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *input, cufftDoubleReal *output)
{
    return execute(RUNTIME_CALL_cufftExecZ2D, plan, CUFFT_Z2D, input, output, CUFFT_INVERSE);
}
