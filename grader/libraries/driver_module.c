/* driver_module.c: the stand-in for the driver: modules, kernels, launches.
 *
 * The device gets PTX text, or a fat binary that holds it, and says what is wrong with it. Machine
 * code is refused. What a linker gives here is the PTX that it got: so a program that assembles and
 * then loads does the same as one that loads. */
#include "libraries/driver_state.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct CUmod_st {
    struct runtime_module *module;
    CUcontext context;
};

struct CUlinkState_st {
    char *text; /* [bytes] the PTX, owned; NULL: none was added */
    size_t bytes;
};

static struct runtime_registry modules;
static struct runtime_registry links;

/* Code ***************************************************************************************/

/* The head of a fat binary, and of what nvcc's code has in its place. */
struct fat_head {
    uint32_t magic;
    uint16_t version, header_bytes;
    union {
        uint64_t bytes; /* that follow */
        const void *data;
    } follows;
};
enum { FAT_HEAD_MAGIC = 0x466243b1 };
static const uint32_t fat_magic = 0xba55ed50;

/* A file, with a zero after it; to be freed. */
static cudaError_t read_file(const char *path, char **out_bytes, size_t *out_length)
{
    struct stat status;
    int fd = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    char *bytes = NULL;
    ssize_t length = -1;

    if (path == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
        status.st_size <= CLIENT_LOAD_BYTES) {
        bytes = malloc((size_t)status.st_size + 1);
        length = bytes == NULL ? -1 : read(fd, bytes, (size_t)status.st_size);
    }
    if (fd >= 0) {
        close(fd);
    }
    if (length < 0) {
        free(bytes);
        return runtime_refuse(cudaErrorFileNotFound, REFUSAL_FILE);
    }
    bytes[length] = '\0';
    *out_bytes = bytes;
    *out_length = (size_t)length;
    return cudaSuccess;
}

/* How long the code is that a pointer names; `most` bytes can be there. */
static cudaError_t measure(const void **image, size_t most, size_t *out_bytes)
{
    struct fat_head head = {0};
    const char *text = *image;

    if (most >= 4 && memcmp(text, "\177ELF", 4) == 0) {
        return runtime_refuse(cudaErrorNoKernelImageForDevice, REFUSAL_MACHINE_CODE);
    }
    if (most >= sizeof(head) && text[0] != '\0' && (unsigned char)text[0] >= 0x50) {
        memcpy(&head, text, 4);
    }
    if (head.magic == FAT_HEAD_MAGIC) {
        memcpy(&head, text, sizeof(head));
        text = head.follows.data;
        *image = text;
        memcpy(&head, text, 4);
    }
    if (head.magic != fat_magic) {
        *out_bytes = strnlen(text, most);
        return cudaSuccess;
    }
    memcpy(&head, text, sizeof(head));
    if (__builtin_add_overflow(head.follows.bytes, head.header_bytes, out_bytes) ||
        *out_bytes > most) {
        return runtime_refuse(cudaErrorInvalidKernelImage, REFUSAL_SIZE);
    }
    return cudaSuccess;
}

/* Modules ************************************************************************************/

static cudaError_t load(CUmodule *module, const void *image, size_t most)
{
    size_t bytes = 0;

    if (module == NULL || image == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    cudaError_t error = measure(&image, most, &bytes);
    if (error == cudaSuccess && bytes == 0) {
        error = runtime_refuse(cudaErrorInvalidKernelImage, REFUSAL_VALUE);
    }
    if (error != cudaSuccess) {
        return error;
    }
    CUmodule made = calloc(1, sizeof(*made));
    if (made == NULL || !registry_add(&modules, made, 0)) {
        free(made);
        return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    made->context = driver_context();
    error = runtime_load_module(image, bytes, &made->module);
    if (error != cudaSuccess) {
        registry_remove(&modules, made);
        free(made);
        return error;
    }
    *module = made;
    return cudaSuccess;
}

static cudaError_t load_file(CUmodule *module, const char *path)
{
    char *bytes = NULL;
    size_t length = 0;
    cudaError_t error = read_file(path, &bytes, &length);

    if (error == cudaSuccess) {
        error = load(module, bytes, length);
    }
    free(bytes);
    return error;
}

static unsigned find_option(CUjit_option wanted, unsigned count, const CUjit_option *options)
{
    unsigned at = 0;

    while (at < count && options[at] != wanted) {
        at++;
    }
    return at;
}

/* Fills a log that the program gives room for, and says how long it is. */
static void write_log(CUjit_option log, CUjit_option size, const char *text, unsigned count,
                      const CUjit_option *options, void **values)
{
    const unsigned at = find_option(log, count, options);
    const unsigned size_at = find_option(size, count, options);

    if (at == count || size_at == count || values[at] == NULL) {
        return;
    }
    const size_t room = (uint32_t)(uintptr_t)values[size_at];
    const size_t length = strlen(text) < room ? strlen(text) : room > 0 ? room - 1 : 0;
    if (room > 0) {
        memcpy(values[at], text, length);
        ((char *)values[at])[length] = '\0';
    }
    values[size_at] = (void *)(uintptr_t)length;
}

static cudaError_t load_with_options(CUmodule *module, const void *image, unsigned count,
                                     const CUjit_option *options, void **values)
{
    cudaError_t error = load(module, image, SIZE_MAX);

    if (options != NULL && values != NULL) {
        write_log(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, "", count, options,
                  values);
        write_log(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                  error == cudaSuccess ? "" : "the report of gpugrade says what is wrong\n", count,
                  options, values);
    }
    return error;
}

static cudaError_t check_module(CUmodule module, const void *out)
{
    if (out == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    if (!registry_contains(&modules, module)) {
        return runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_MODULE);
    }
    return module->context == driver_context()
               ? cudaSuccess
               : runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_OTHER_CONTEXT);
}

static void unload(CUmodule module)
{
    registry_remove(&modules, module);
    runtime_unload_module(module->module);
    free(module);
}

static cudaError_t unload_checked(CUmodule module)
{
    cudaError_t error = check_module(module, module);

    if (error == cudaSuccess) {
        unload(module);
    }
    return error;
}

void driver_unload_modules(CUcontext context)
{
    for (size_t i = modules.count; i > 0; i--) {
        CUmodule module = modules.entries[i - 1].pointer;

        if (module->context == context) {
            unload(module);
        }
    }
}

DRIVER(cuModuleLoad, , (CUmodule * module, const char *path), load_file(module, path))
DRIVER(cuModuleLoadData, , (CUmodule * module, const void *image), load(module, image, SIZE_MAX))
DRIVER(cuModuleLoadDataEx, ,
       (CUmodule * module, const void *image, unsigned count, CUjit_option *options, void **values),
       load_with_options(module, image, count, options, values))
DRIVER(cuModuleLoadFatBinary, , (CUmodule * module, const void *image),
       load(module, image, SIZE_MAX))
DRIVER(cuModuleUnload, , (CUmodule module), unload_checked(module))

static cudaError_t get_function(CUfunction *function, CUmodule module, const char *name)
{
    struct runtime_kernel *kernel = NULL;
    cudaError_t error = check_module(module, name == NULL ? NULL : function);

    if (error == cudaSuccess) {
        error = runtime_module_kernel(module->module, name, &kernel);
    }
    if (error == cudaSuccess) {
        *function = (CUfunction)(void *)kernel;
    }
    return error;
}

static cudaError_t get_global(CUdeviceptr *address, size_t *bytes, CUmodule module,
                              const char *name)
{
    uint64_t found = 0;
    size_t length = 0;
    cudaError_t error = check_module(module, name);

    if (error == cudaSuccess) {
        error = runtime_module_variable(module->module, name, &found, &length);
    }
    if (error == cudaSuccess && address != NULL) {
        *address = found;
    }
    if (error == cudaSuccess && bytes != NULL) {
        *bytes = length;
    }
    return error;
}

DRIVER(cuModuleGetFunction, , (CUfunction * function, CUmodule module, const char *name),
       get_function(function, module, name))
DRIVER(cuModuleGetGlobal, _v2,
       (CUdeviceptr * address, size_t *bytes, CUmodule module, const char *name),
       get_global(address, bytes, module, name))

/* Linking ************************************************************************************/

static cudaError_t check_link(CUlinkState state)
{
    return registry_contains(&links, state)
               ? cudaSuccess
               : runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_LIBRARY_HANDLE);
}

static cudaError_t link_create(CUlinkState *state)
{
    if (state == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    CUlinkState made = calloc(1, sizeof(*made));
    if (made == NULL || !registry_add(&links, made, 0)) {
        free(made);
        return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    *state = made;
    return cudaSuccess;
}

/* Several pieces would have to be linked, which nothing here does. */
static cudaError_t link_add(CUlinkState state, CUjitInputType type, const char *data, size_t bytes)
{
    cudaError_t error = check_link(state);

    if (error != cudaSuccess) {
        return error;
    }
    if (data == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    if (type == CU_JIT_INPUT_CUBIN) {
        return runtime_refuse(cudaErrorNoKernelImageForDevice, REFUSAL_MACHINE_CODE);
    }
    if (type != CU_JIT_INPUT_PTX || state->text != NULL) {
        return runtime_refuse(cudaErrorNotSupported, REFUSAL_UNSUPPORTED);
    }
    if (bytes > CLIENT_LOAD_BYTES) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_SIZE);
    }
    state->bytes = strnlen(data, bytes);
    state->text = calloc(1, state->bytes + 1);
    if (state->text == NULL) {
        return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    memcpy(state->text, data, state->bytes);
    return cudaSuccess;
}

static cudaError_t link_add_file(CUlinkState state, CUjitInputType type, const char *path)
{
    char *bytes = NULL;
    size_t length = 0;
    cudaError_t error = read_file(path, &bytes, &length);

    if (error == cudaSuccess) {
        error = link_add(state, type, bytes, length);
    }
    free(bytes);
    return error;
}

static cudaError_t link_complete(CUlinkState state, void **image, size_t *bytes)
{
    cudaError_t error = check_link(state);

    if (error != cudaSuccess) {
        return error;
    }
    if (image == NULL || state->text == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    *image = state->text;
    if (bytes != NULL) {
        *bytes = state->bytes + 1;
    }
    return cudaSuccess;
}

static cudaError_t link_destroy(CUlinkState state)
{
    cudaError_t error = check_link(state);

    if (error == cudaSuccess) {
        registry_remove(&links, state);
        free(state->text);
        free(state);
    }
    return error;
}

DRIVER(cuLinkCreate, _v2,
       (unsigned count, CUjit_option *options, void **values, CUlinkState *state),
       ((void)count, (void)options, (void)values, link_create(state)))
DRIVER(cuLinkAddData, _v2,
       (CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name,
        unsigned count, CUjit_option *options, void **values),
       ((void)name, (void)count, (void)options, (void)values, link_add(state, type, data, bytes)))
DRIVER(cuLinkAddFile, _v2,
       (CUlinkState state, CUjitInputType type, const char *path, unsigned count,
        CUjit_option *options, void **values),
       ((void)count, (void)options, (void)values, link_add_file(state, type, path)))
DRIVER(cuLinkComplete, , (CUlinkState state, void **image, size_t *bytes),
       link_complete(state, image, bytes))
DRIVER(cuLinkDestroy, , (CUlinkState state), link_destroy(state))

/* Kernels ************************************************************************************/

/* The module that a kernel came with; NULL: the program's own code. */
static CUmodule module_of(const struct runtime_kernel *kernel)
{
    for (size_t i = 0; i < modules.count; i++) {
        CUmodule module = modules.entries[i].pointer;

        if (module->module == kernel->module) {
            return module;
        }
    }
    return NULL;
}

static cudaError_t check_function(CUfunction function)
{
    const struct runtime_kernel *kernel = function == NULL ? NULL : runtime_find_kernel(function);

    if (kernel == NULL) {
        return runtime_refuse(cudaErrorInvalidResourceHandle, REFUSAL_FUNCTION);
    }
    CUmodule module = module_of(kernel);
    return module == NULL ? cudaSuccess : check_module(module, module);
}

static cudaError_t get_attribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    struct cudaFuncAttributes all;
    cudaError_t error = check_function(function);

    if (error == cudaSuccess && value == NULL) {
        error = runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    if (error == cudaSuccess) {
        error = cudaFuncGetAttributes(&all, function);
    }
    if (error != cudaSuccess) {
        return error;
    }
    const int numbers[] = {
        [CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK] = all.maxThreadsPerBlock,
        [CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES] = (int)all.sharedSizeBytes,
        [CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES] = (int)all.constSizeBytes,
        [CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES] = (int)all.localSizeBytes,
        [CU_FUNC_ATTRIBUTE_NUM_REGS] = all.numRegs,
        [CU_FUNC_ATTRIBUTE_PTX_VERSION] = all.ptxVersion,
        [CU_FUNC_ATTRIBUTE_BINARY_VERSION] = all.binaryVersion,
        [CU_FUNC_ATTRIBUTE_CACHE_MODE_CA] = all.cacheModeCA,
        [CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES] = all.maxDynamicSharedSizeBytes,
        [CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT] = all.preferredShmemCarveout,
    };
    if ((unsigned)attribute >= sizeof(numbers) / sizeof(numbers[0])) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    *value = numbers[attribute];
    return cudaSuccess;
}

static cudaError_t get_module(CUmodule *module, CUfunction function)
{
    cudaError_t error = check_function(function);

    if (error == cudaSuccess && module == NULL) {
        error = runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    if (error == cudaSuccess) {
        *module = module_of(runtime_find_kernel(function));
    }
    return error;
}

/* A whole call about a kernel of the current context. */
#define DRIVER_OF_KERNEL(name, parameters, expression)                                             \
    CUresult name parameters                                                                       \
    {                                                                                              \
        CUresult begun = driver_enter(RUNTIME_CALL_##name, NEEDS_CONTEXT);                         \
        if (begun != CUDA_SUCCESS) {                                                               \
            return begun;                                                                          \
        }                                                                                          \
        cudaError_t checked = check_function(function);                                            \
        return driver_leave(checked == cudaSuccess ? (expression) : checked);                      \
    }

DRIVER(cuFuncGetAttribute, , (int *value, CUfunction_attribute attribute, CUfunction function),
       get_attribute(value, attribute, function))
DRIVER(cuFuncGetModule, , (CUmodule * module, CUfunction function), get_module(module, function))
DRIVER_OF_KERNEL(cuFuncSetAttribute,
                 (CUfunction function, CUfunction_attribute attribute, int value),
                 cudaFuncSetAttribute(function, (enum cudaFuncAttribute)attribute, value))
DRIVER_OF_KERNEL(cuFuncSetCacheConfig, (CUfunction function, CUfunc_cache config),
                 cudaFuncSetCacheConfig(function, (enum cudaFuncCache)config))
DRIVER_OF_KERNEL(cuFuncGetName, (const char **name, CUfunction function),
                 cudaFuncGetName(name, function))
DRIVER_OF_KERNEL(cuFuncGetParamInfo,
                 (CUfunction function, size_t index, size_t *offset, size_t *bytes),
                 cudaFuncGetParamInfo(function, index, offset, bytes))
DRIVER_OF_KERNEL(cuOccupancyMaxActiveBlocksPerMultiprocessor,
                 (int *blocks, CUfunction function, int threads, size_t shared_bytes),
                 cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads,
                                                               shared_bytes))
DRIVER_OF_KERNEL(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
                 (int *blocks, CUfunction function, int threads, size_t shared_bytes,
                  unsigned flags),
                 cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads,
                                                                        shared_bytes, flags))
DRIVER_OF_KERNEL(cuOccupancyAvailableDynamicSMemPerBlock,
                 (size_t * shared_bytes, CUfunction function, int blocks, int threads),
                 cudaOccupancyAvailableDynamicSMemPerBlock(shared_bytes, function, blocks, threads))

/* The block width with the most threads on a multiprocessor; of several the widest. */
static cudaError_t best_width(int *blocks, int *threads, CUfunction function,
                              CUoccupancyB2DSize shared_of, size_t shared_bytes, int limit)
{
    const int multiprocessors = (int)runtime_properties()->multiprocessors;
    struct cudaFuncAttributes all;
    int best = 0;

    if (blocks == NULL || threads == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    cudaError_t error = cudaFuncGetAttributes(&all, function);
    int most = error == cudaSuccess ? all.maxThreadsPerBlock : 0;
    most = limit > 0 && limit < most ? limit : most;
    for (int width = (most + 31) / 32 * 32; width > 0 && error == cudaSuccess; width -= 32) {
        const int asked = width < most ? width : most;
        const size_t shared = shared_of == NULL ? shared_bytes : shared_of(asked);
        int fit = 0;

        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, function, asked, shared);
        if (error == cudaSuccess && fit * asked > best) {
            best = fit * asked;
            *threads = asked;
            *blocks = fit * multiprocessors;
        }
    }
    return error;
}

DRIVER_OF_KERNEL(cuOccupancyMaxPotentialBlockSize,
                 (int *blocks, int *threads, CUfunction function, CUoccupancyB2DSize shared_of,
                  size_t shared_bytes, int limit),
                 best_width(blocks, threads, function, shared_of, shared_bytes, limit))

/* Launches ***********************************************************************************/

/* Finds the arguments in bytes that are laid out as the kernel has its parameters. */
static cudaError_t find_arguments(const struct runtime_kernel *kernel, void **extra,
                                  void **out_arguments)
{
    char *buffer = NULL;
    const size_t *bytes = NULL;

    for (size_t i = 0; extra[i] != CU_LAUNCH_PARAM_END; i += 2) {
        if (extra[i] == CU_LAUNCH_PARAM_BUFFER_POINTER) {
            buffer = extra[i + 1];
        } else if (extra[i] == CU_LAUNCH_PARAM_BUFFER_SIZE) {
            bytes = extra[i + 1];
        } else {
            return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
        }
    }
    if ((buffer == NULL || bytes == NULL) && kernel->parameter_count > 0) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    if (bytes != NULL && *bytes > kernel->parameter_bytes) {
        return runtime_refuse(cudaErrorLaunchOutOfResources, REFUSAL_MORE_ARGUMENTS);
    }
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const uint64_t start = kernel->parameters[2 * i], length = kernel->parameters[2 * i + 1];

        if (start > *bytes || length > *bytes - start) {
            return runtime_refuse(cudaErrorInvalidValue, REFUSAL_ARGUMENTS);
        }
        out_arguments[i] = buffer + start;
    }
    return cudaSuccess;
}

/* Launches with the arguments in one of the two forms. */
static cudaError_t launch(const cudaLaunchConfig_t *config, CUfunction function, void **arguments,
                          void **extra)
{
    struct runtime_kernel *kernel = runtime_find_kernel(function);
    cudaError_t error = driver_check_owner(config->stream);

    if (error == cudaSuccess) {
        error = runtime_resolve_kernel(kernel);
    }
    if (error != cudaSuccess || extra == NULL) {
        return error == cudaSuccess ? cudaLaunchKernelExC(config, function, arguments) : error;
    }
    if (arguments != NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_VALUE);
    }
    void **found = calloc(kernel->parameter_count + 1, sizeof(*found));
    if (found == NULL) {
        return runtime_refuse(cudaErrorMemoryAllocation, REFUSAL_HOST_MEMORY);
    }
    error = find_arguments(kernel, extra, found);
    if (error == cudaSuccess) {
        error = cudaLaunchKernelExC(config, function, found);
    }
    free(found);
    return error;
}

/* The attributes of both are laid out alike. */
static cudaLaunchConfig_t config_of(const CUlaunchConfig *config)
{
    return (cudaLaunchConfig_t){
        .gridDim = {config->gridDimX, config->gridDimY, config->gridDimZ},
        .blockDim = {config->blockDimX, config->blockDimY, config->blockDimZ},
        .dynamicSmemBytes = config->sharedMemBytes,
        .stream = config->hStream,
        .attrs = (cudaLaunchAttribute *)(void *)config->attrs,
        .numAttrs = config->numAttrs,
    };
}

static cudaError_t launch_with(const CUlaunchConfig *config, CUfunction function, void **arguments,
                               void **extra)
{
    if (config == NULL) {
        return runtime_refuse(cudaErrorInvalidValue, REFUSAL_NULL_POINTER);
    }
    const cudaLaunchConfig_t own = config_of(config);

    return launch(&own, function, arguments, extra);
}

_Static_assert(sizeof(CUlaunchAttribute) == sizeof(cudaLaunchAttribute), "laid out alike");

#define GEOMETRY                                                                                   \
    unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,         \
        unsigned block_z, unsigned shared_bytes, CUstream stream
#define CONFIG                                                                                     \
    .gridDim = {grid_x, grid_y, grid_z}, .blockDim = {block_x, block_y, block_z},                  \
    .dynamicSmemBytes = shared_bytes, .stream = stream

DRIVER_OF_KERNEL(cuLaunchKernel, (CUfunction function, GEOMETRY, void **arguments, void **extra),
                 launch(&(cudaLaunchConfig_t){CONFIG}, function, arguments, extra))
DRIVER_OF_KERNEL(cuLaunchKernelEx,
                 (const CUlaunchConfig *config, CUfunction function, void **arguments,
                  void **extra),
                 launch_with(config, function, arguments, extra))
DRIVER_OF_KERNEL(cuLaunchCooperativeKernel, (CUfunction function, GEOMETRY, void **arguments),
                 launch(&(cudaLaunchConfig_t){CONFIG, .numAttrs = 1,
                                              .attrs =
                                                  &(cudaLaunchAttribute){
                                                      .id = cudaLaunchAttributeCooperative,
                                                      .val = {.cooperative = 1},
                                                  }},
                        function, arguments, NULL))
