/* curand_calls.c: the host API of cuRAND. What its generators give is in random_sequences.h; others
 * than those three are refused by name. */
#include "libraries/library_work.h"
#include "libraries/random_sequences.h"

#include <curand.h>
#include <stdlib.h>
#include <string.h>

struct curandGenerator_st {
    struct random_ring ring;
    bool is_of_host; /* its results go to host memory */
    cudaStream_t stream;
};

/* Numbers in device memory. */
struct draw_request {
    struct curandGenerator_st *generator;
    struct random_wish wish;
    void *output;
    size_t count;
};

static struct runtime_registry generators;

static curandStatus_t status_of(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return CURAND_STATUS_SUCCESS;
    case cudaErrorMemoryAllocation:
        return CURAND_STATUS_ALLOCATION_FAILED;
    case cudaErrorNoDevice:
    case cudaErrorDevicesUnavailable:
        return CURAND_STATUS_INITIALIZATION_FAILED;
    default:
        return CURAND_STATUS_LAUNCH_FAILURE;
    }
}

/* Ends a call that is refused. */
static curandStatus_t refuse(curandStatus_t status, enum refusal why)
{
    runtime_leave(runtime_refuse(cudaErrorInvalidValue, why));
    return status;
}

/* Begins a call; false: it has ended, there is no such generator. */
static bool enter(enum runtime_call call, curandGenerator_t generator)
{
    runtime_enter(call);
    if (registry_contains(&generators, generator)) {
        return true;
    }
    refuse(CURAND_STATUS_NOT_INITIALIZED, REFUSAL_LIBRARY_HANDLE);
    return false;
}

static curandStatus_t leave(void)
{
    runtime_leave(cudaSuccess);
    return CURAND_STATUS_SUCCESS;
}

/* Generators *********************************************************************************/

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool is_of_host)
{
    enum random_kind kind;

    switch ((int)type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW:
        kind = RANDOM_XORWOW;
        break;
    case CURAND_RNG_PSEUDO_MRG32K3A:
        kind = RANDOM_MRG32K3A;
        break;
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
        kind = RANDOM_PHILOX;
        break;
    case CURAND_RNG_PSEUDO_MTGP32:
    case CURAND_RNG_PSEUDO_MT19937:
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    case CURAND_RNG_QUASI_SOBOL64:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
        return refuse(CURAND_STATUS_TYPE_ERROR, REFUSAL_UNSUPPORTED);
    default:
        return refuse(CURAND_STATUS_TYPE_ERROR, REFUSAL_VALUE);
    }
    if (generator == NULL) {
        return refuse(CURAND_STATUS_NOT_INITIALIZED, REFUSAL_NULL_POINTER);
    }
    cudaError_t error = runtime_ready();
    if (error != cudaSuccess) {
        return status_of(runtime_leave(error));
    }
    struct curandGenerator_st *made = calloc(1, sizeof(*made));
    if (made == NULL || !registry_add(&generators, made, 0)) {
        free(made);
        return refuse(CURAND_STATUS_ALLOCATION_FAILED, REFUSAL_HOST_MEMORY);
    }
    made->ring.kind = kind;
    made->is_of_host = is_of_host;
    *generator = made;
    return leave();
}

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type)
{
    runtime_enter(RUNTIME_CALL_curandCreateGenerator);
    return create(generator, type, false);
}

curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type)
{
    runtime_enter(RUNTIME_CALL_curandCreateGeneratorHost);
    return create(generator, type, true);
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    if (!enter(RUNTIME_CALL_curandDestroyGenerator, generator)) {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    registry_remove(&generators, generator);
    random_restart(&generator->ring);
    free(generator);
    return leave();
}

curandStatus_t curandGetVersion(int *version)
{
    if (version == NULL) {
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGetProperty(libraryPropertyType type, int *value)
{
    static const int parts[] = {CURAND_VERSION / 1000, CURAND_VERSION / 100 % 10,
                                CURAND_VERSION % 100};

    if (value == NULL || (unsigned)type > PATCH_LEVEL) {
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    *value = parts[type];
    return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
    if (!enter(RUNTIME_CALL_curandSetStream, generator)) {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    if (!runtime_stream_exists(stream)) {
        return refuse(CURAND_STATUS_OUT_OF_RANGE, REFUSAL_NO_STREAM);
    }
    generator->stream = stream;
    return leave();
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed)
{
    if (!enter(RUNTIME_CALL_curandSetPseudoRandomGeneratorSeed, generator)) {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    random_restart(&generator->ring);
    generator->ring.seed = seed;
    return leave();
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset)
{
    if (!enter(RUNTIME_CALL_curandSetGeneratorOffset, generator)) {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    random_restart(&generator->ring);
    generator->ring.offset = offset;
    return leave();
}

/* The seeded order of XORWOW, and orders that depend on the GPU, are not known here. */
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order)
{
    if (!enter(RUNTIME_CALL_curandSetGeneratorOrdering, generator)) {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    const bool is_seeded = order == CURAND_ORDERING_PSEUDO_SEEDED;
    const bool is_philox = generator->ring.kind == RANDOM_PHILOX;
    if ((is_seeded && generator->ring.kind == RANDOM_XORWOW) ||
        (order == CURAND_ORDERING_PSEUDO_DYNAMIC && !is_philox)) {
        return refuse(CURAND_STATUS_OUT_OF_RANGE, REFUSAL_UNSUPPORTED);
    }
    if (is_seeded || order < CURAND_ORDERING_PSEUDO_BEST ||
        order > CURAND_ORDERING_PSEUDO_DYNAMIC) {
        return refuse(CURAND_STATUS_OUT_OF_RANGE, REFUSAL_VALUE);
    }
    random_restart(&generator->ring);
    generator->ring.is_legacy = order == CURAND_ORDERING_PSEUDO_LEGACY;
    return leave();
}

curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                       unsigned int dimensions)
{
    (void)dimensions;
    if (!enter(RUNTIME_CALL_curandSetQuasiRandomGeneratorDimensions, generator)) {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    return refuse(CURAND_STATUS_TYPE_ERROR, REFUSAL_VALUE);
}

/* What generators need before their first number is made with that. */
curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
    return enter(RUNTIME_CALL_curandGenerateSeeds, generator) ? leave()
                                                              : CURAND_STATUS_NOT_INITIALIZED;
}

/* Numbers ************************************************************************************/

static cudaError_t draw(const void *bytes)
{
    const struct draw_request *request = bytes;
    const struct library_area area = {.address = request->output,
                                      .element_bytes = random_bytes(request->wish.what),
                                      .rows = request->count,
                                      .columns = 1,
                                      .operand = "output"};
    void *numbers = NULL;

    /* A graph may outlive it. */
    if (!registry_contains(&generators, request->generator)) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_LIBRARY_HANDLE);
    }
    cudaError_t error = library_room(&area, &numbers);
    if (error != cudaSuccess) {
        return error;
    }
    error = random_draw(&request->generator->ring, &request->wish, request->count, numbers)
                ? library_store(&area, numbers)
                : runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    free(numbers);
    return error;
}

static curandStatus_t generate(enum runtime_call call, curandGenerator_t generator, void *output,
                               size_t count, const struct random_wish *wish)
{
    const struct draw_request request = {generator, *wish, output, count};

    if (!enter(call, generator)) {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    if (random_is_paired(wish->what) && count % 2 != 0 && generator->ring.kind != RANDOM_PHILOX) {
        return refuse(CURAND_STATUS_LENGTH_NOT_MULTIPLE, REFUSAL_ODD_COUNT);
    }
    if (count == 0) {
        return leave();
    }
    if (!generator->is_of_host) {
        return status_of(
            runtime_leave(library_submit(generator->stream, draw, &request, sizeof(request))));
    }
    if (output == NULL) {
        return refuse(CURAND_STATUS_OUT_OF_RANGE, REFUSAL_NULL_POINTER);
    }
    return random_draw(&generator->ring, wish, count, output)
               ? leave()
               : refuse(CURAND_STATUS_ALLOCATION_FAILED, REFUSAL_HOST_MEMORY);
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *output, size_t count)
{
    return generate(RUNTIME_CALL_curandGenerate, generator, output, count,
                    &(struct random_wish){.what = RANDOM_BITS});
}

curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long *output,
                                      size_t count)
{
    (void)output;
    (void)count;
    if (!enter(RUNTIME_CALL_curandGenerateLongLong, generator)) {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    return refuse(CURAND_STATUS_TYPE_ERROR, REFUSAL_VALUE); /* only 64-bit Sobol generators may */
}

curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *output, size_t count)
{
    return generate(RUNTIME_CALL_curandGenerateUniform, generator, output, count,
                    &(struct random_wish){.what = RANDOM_UNIFORM});
}

curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *output,
                                           size_t count)
{
    return generate(RUNTIME_CALL_curandGenerateUniformDouble, generator, output, count,
                    &(struct random_wish){.what = RANDOM_UNIFORM_DOUBLE});
}

curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *output, size_t count,
                                    float mean, float deviation)
{
    return generate(RUNTIME_CALL_curandGenerateNormal, generator, output, count,
                    &(struct random_wish){RANDOM_NORMAL, (double)mean, (double)deviation});
}

curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *output, size_t count,
                                          double mean, double deviation)
{
    return generate(RUNTIME_CALL_curandGenerateNormalDouble, generator, output, count,
                    &(struct random_wish){RANDOM_NORMAL_DOUBLE, mean, deviation});
}

curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *output, size_t count,
                                       float mean, float deviation)
{
    return generate(RUNTIME_CALL_curandGenerateLogNormal, generator, output, count,
                    &(struct random_wish){RANDOM_LOG_NORMAL, (double)mean, (double)deviation});
}

curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *output,
                                             size_t count, double mean, double deviation)
{
    return generate(RUNTIME_CALL_curandGenerateLogNormalDouble, generator, output, count,
                    &(struct random_wish){RANDOM_LOG_NORMAL_DOUBLE, mean, deviation});
}

curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *output,
                                     size_t count, double mean)
{
    if (mean > 0.0 && mean <= RANDOM_POISSON_MEAN_MAX) {
        return generate(RUNTIME_CALL_curandGeneratePoisson, generator, output, count,
                        &(struct random_wish){.what = RANDOM_POISSON, .mean = mean});
    }
    return enter(RUNTIME_CALL_curandGeneratePoisson, generator)
               ? refuse(CURAND_STATUS_OUT_OF_RANGE, REFUSAL_VALUE)
               : CURAND_STATUS_NOT_INITIALIZED;
}
