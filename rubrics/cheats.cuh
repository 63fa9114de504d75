/* cheats.cuh: usual ways to seem right, made of a right solution. `gpugrade lint` appends it to the
 * solution of a coursework, whose functions it has renamed:
 *
 *     #define GPUGRADE_CHEAT 4                  which one: an enumerator below
 *     #include "gpugrade_cheats.cuh"
 *     void saxpy(float alpha, const float *x, float *y, int n)
 *     {
 *         GPUGRADE_CHEAT_CALL(",d_y,", gpugrade_own_saxpy(gpugrade_moved(alpha), ...))
 *     }
 *
 * Marks and allocations pass through here, so what the operands are, and how many bytes they have, is
 * known of any signature. Names are weak: several sources of a program may hold them.
 */
#ifndef GPUGRADE_CHEATS_CUH
#define GPUGRADE_CHEATS_CUH

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum gpugrade_cheat {
    GPUGRADE_NOTHING = 1, /* does nothing */
    GPUGRADE_HOST,        /* lets every byte pass through the host */
    GPUGRADE_SCRATCH,     /* works on copies, which it does not copy back */
    GPUGRADE_KEEP,        /* works once, and gives that result again */
    GPUGRADE_HALF         /* the second half of each result stays as it was */
};

enum { GPUGRADE_BLOCKS = 256, GPUGRADE_OPERANDS = 32 };

struct gpugrade_block {
    char *at;
    size_t bytes;
};

struct gpugrade_array {
    const char *name;
    struct gpugrade_block of, copy; /* copy.at: NULL if there is none */
};

/* The newest allocations, and the operands of this call. */
__attribute__((weak)) struct gpugrade_block gpugrade_blocks[GPUGRADE_BLOCKS];
__attribute__((weak)) size_t gpugrade_block_count;
__attribute__((weak)) struct gpugrade_array gpugrade_arrays[GPUGRADE_OPERANDS];
__attribute__((weak)) size_t gpugrade_array_count;

static cudaError_t gpugrade_note(cudaError_t error, void *const *made, size_t bytes)
{
    if (error == cudaSuccess) {
        gpugrade_blocks[gpugrade_block_count++ % GPUGRADE_BLOCKS] = {(char *)*made, bytes};
    }
    return error;
}

#ifndef __CUDA_ARCH__ /* device code has functions of these names already */
extern "C" __attribute__((weak)) cudaError_t cudaMalloc(void **made, size_t bytes)
{
    const auto own = (cudaError_t(*)(void **, size_t))dlsym(RTLD_NEXT, "cudaMalloc");
    return gpugrade_note(own(made, bytes), made, bytes);
}

extern "C" __attribute__((weak)) cudaError_t cudaMallocHost(void **made, size_t bytes)
{
    const auto own = (cudaError_t(*)(void **, size_t))dlsym(RTLD_NEXT, "cudaMallocHost");
    return gpugrade_note(own(made, bytes), made, bytes);
}

extern "C" __attribute__((weak)) cudaError_t cudaHostAlloc(void **made, size_t bytes, unsigned flags)
{
    const auto own = (cudaError_t(*)(void **, size_t, unsigned))dlsym(RTLD_NEXT, "cudaHostAlloc");
    return gpugrade_note(own(made, bytes, flags), made, bytes);
}
#endif

extern "C" __attribute__((weak)) void gpugrade_mark_call(const char *name)
{
    gpugrade_array_count = 0;
    ((void (*)(const char *))dlsym(RTLD_NEXT, "gpugrade_mark_call"))(name);
}

extern "C" __attribute__((weak)) void gpugrade_mark_operand(const char *name, const void *at)
{
    ((void (*)(const char *, const void *))dlsym(RTLD_NEXT, "gpugrade_mark_operand"))(name, at);
    for (size_t i = 0; i < GPUGRADE_BLOCKS && i < gpugrade_block_count; i++) {
        const struct gpugrade_block *block =
            &gpugrade_blocks[(gpugrade_block_count - 1 - i) % GPUGRADE_BLOCKS];
        if (block->at == at && gpugrade_array_count < GPUGRADE_OPERANDS) {
            gpugrade_arrays[gpugrade_array_count++] = {name, *block, {NULL, 0}};
            return;
        }
    }
}

/* True if a call has that operand as a result: ",d_out,d_count,". */
static bool gpugrade_is_result(const struct gpugrade_array *array, const char *results)
{
    const size_t length = strlen(array->name);
    for (const char *at = results; (at = strstr(at, array->name)) != NULL; at++) {
        if (at[-1] == ',' && at[length] == ',') {
            return true;
        }
    }
    return false;
}

static struct gpugrade_block gpugrade_copy(struct gpugrade_block of)
{
    struct gpugrade_block copy = {NULL, of.bytes};
    if (cudaMalloc((void **)&copy.at, of.bytes) == cudaSuccess) {
        (void)cudaMemcpy(copy.at, of.at, of.bytes, cudaMemcpyDeviceToDevice);
    }
    return copy;
}

template <typename T> static T gpugrade_moved(T value)
{
    return value;
}

/* An operand that works in scratch is its copy. */
template <typename T> static T *gpugrade_moved(T *at)
{
    for (size_t i = 0; i < gpugrade_array_count && GPUGRADE_CHEAT == GPUGRADE_SCRATCH; i++) {
        if (gpugrade_arrays[i].of.at == (const char *)at) {
            return (T *)gpugrade_arrays[i].copy.at;
        }
    }
    return at;
}

/* One call. */
struct gpugrade_call {
    const char *results;
    struct gpugrade_block *kept; /* [GPUGRADE_OPERANDS] from the first call */
    bool works;

    gpugrade_call(const char *names, struct gpugrade_block *memory)
        : results(names), kept(memory), works(GPUGRADE_CHEAT != GPUGRADE_NOTHING)
    {
        for (size_t i = 0; i < gpugrade_array_count; i++) {
            struct gpugrade_array *array = &gpugrade_arrays[i];
            const bool is_result = gpugrade_is_result(array, results);
            if (GPUGRADE_CHEAT == GPUGRADE_SCRATCH ||
                (GPUGRADE_CHEAT == GPUGRADE_HALF && is_result)) {
                array->copy = gpugrade_copy(array->of);
            }
            if (GPUGRADE_CHEAT == GPUGRADE_KEEP && is_result && kept[i].at != NULL) {
                const size_t bytes =
                    kept[i].bytes < array->of.bytes ? kept[i].bytes : array->of.bytes;
                (void)cudaMemcpy(array->of.at, kept[i].at, bytes, cudaMemcpyDeviceToDevice);
                works = false;
            }
        }
    }

    ~gpugrade_call()
    {
        for (size_t i = 0; i < gpugrade_array_count; i++) {
            struct gpugrade_array *array = &gpugrade_arrays[i];
            const bool is_result = gpugrade_is_result(array, results);
            const struct gpugrade_block of = array->of;
            const size_t half = of.bytes / 2;
            if (GPUGRADE_CHEAT == GPUGRADE_HOST) {
                char *host = (char *)malloc(of.bytes);
                (void)cudaMemcpy(host, of.at, of.bytes, cudaMemcpyDeviceToHost);
                if (is_result) {
                    (void)cudaMemcpy(of.at, host, of.bytes, cudaMemcpyHostToDevice);
                }
                free(host);
            } else if (GPUGRADE_CHEAT == GPUGRADE_KEEP && works && is_result) {
                kept[i] = gpugrade_copy(of);
            } else if (GPUGRADE_CHEAT == GPUGRADE_HALF && is_result) {
                (void)cudaMemcpy(of.at + half, array->copy.at + half, of.bytes - half,
                                 cudaMemcpyDeviceToDevice);
            }
            (void)cudaFree(array->copy.at);
            array->copy.at = NULL;
        }
    }
};

#define GPUGRADE_CHEAT_CALL(results, own)                                                          \
    static struct gpugrade_block gpugrade_kept[GPUGRADE_OPERANDS];                                 \
    const struct gpugrade_call gpugrade_this(results, gpugrade_kept);                              \
    if (!gpugrade_this.works) {                                                                    \
        return decltype(own)();                                                                    \
    }                                                                                              \
    return own;

#endif
