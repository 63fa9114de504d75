/* launch_on_gpu.c: runs the launches of a list on a real GPU, through the driver alone.
 *
 *   launch_on_gpu KERNELS.ptx LAUNCHES.txt [LEVEL]
 *
 * libcuda is opened at run time, so this builds where there is none; then it ends with status 77.
 * The driver assembles the PTX at optimisation LEVEL (default 4; 0 leaves every access of the PTX
 * as it is). Prints "NAME HASH" for each launch; under ncu its kernels appear in the same order.
 */
#include "launch_list.h"

#include "device/cuda/driver_abi.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* DRIVER_CALL(name in this file, name in libcuda, parameters) */
#define DRIVER_CALLS                                                                               \
    DRIVER_CALL(init, "cuInit", (unsigned))                                                        \
    DRIVER_CALL(device_get, "cuDeviceGet", (CUdevice *, int))                                      \
    DRIVER_CALL(device_name, "cuDeviceGetName", (char *, int, CUdevice))                           \
    DRIVER_CALL(context_retain, "cuDevicePrimaryCtxRetain", (CUcontext *, CUdevice))               \
    DRIVER_CALL(context_set, "cuCtxSetCurrent", (CUcontext))                                       \
    DRIVER_CALL(module_load, "cuModuleLoadDataEx",                                                 \
                (CUmodule *, const void *, unsigned, CUjit_option *, void **))                     \
    DRIVER_CALL(module_function, "cuModuleGetFunction", (CUfunction *, CUmodule, const char *))    \
    DRIVER_CALL(allocate, "cuMemAlloc_v2", (CUdeviceptr *, size_t))                                \
    DRIVER_CALL(release, "cuMemFree_v2", (CUdeviceptr))                                            \
    DRIVER_CALL(upload, "cuMemcpyHtoD_v2", (CUdeviceptr, const void *, size_t))                    \
    DRIVER_CALL(download, "cuMemcpyDtoH_v2", (void *, CUdeviceptr, size_t))                        \
    DRIVER_CALL(launch, "cuLaunchKernel",                                                          \
                (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, \
                 CUstream, void **, void **))                                                      \
    DRIVER_CALL(synchronize, "cuCtxSynchronize", (void))

struct driver {
#define DRIVER_CALL(field, symbol, parameters) CUresult(*field) parameters;
    DRIVER_CALLS
#undef DRIVER_CALL
};

static void demand(CUresult result, const char *what)
{
    if (result != CUDA_SUCCESS) {
        fprintf(stderr, "launch_on_gpu: %s: error %d\n", what, (int)result);
        exit(1);
    }
}

static void *find_call(void *library, const char *symbol)
{
    void *call = dlsym(library, symbol);
    if (call == NULL) {
        fprintf(stderr, "launch_on_gpu: the driver has no %s\n", symbol);
        exit(3);
    }
    return call;
}

static void open_driver(struct driver *driver)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == NULL) {
        fprintf(stderr, "launch_on_gpu: there is no GPU driver here\n");
        exit(77);
    }
#define DRIVER_CALL(field, symbol, parameters)                                                     \
    *(void **)&driver->field = find_call(library, symbol);
    DRIVER_CALLS
#undef DRIVER_CALL
}

static CUmodule open_module(const struct driver *driver, const char *ptx, int level)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    char name[128];
    CUjit_option option = CU_JIT_OPTIMIZATION_LEVEL;
    void *value = (void *)(intptr_t)level;
    demand(driver->init(0), "cuInit");
    demand(driver->device_get(&device, 0), "cuDeviceGet");
    demand(driver->device_name(name, sizeof name, device), "cuDeviceGetName");
    fprintf(stderr, "launch_on_gpu: %s\n", name);
    demand(driver->context_retain(&context, device), "cuDevicePrimaryCtxRetain");
    demand(driver->context_set(context), "cuCtxSetCurrent");
    demand(driver->module_load(&module, ptx, 1, &option, &value), "cuModuleLoadDataEx");
    return module;
}

static void run_item(const struct driver *driver, CUmodule module, const struct launch_item *item)
{
    CUfunction function;
    CUdeviceptr arrays[LAUNCH_ARGUMENTS_MAX] = {0};
    void *bytes[LAUNCH_ARGUMENTS_MAX] = {0};
    void *parameters[LAUNCH_ARGUMENTS_MAX];
    int32_t values[LAUNCH_ARGUMENTS_MAX];
    demand(driver->module_function(&function, module, item->kernel), item->kernel);
    for (size_t i = 0; i < item->argument_count; i++) {
        const struct launch_argument *argument = &item->arguments[i];
        values[i] = argument->value;
        parameters[i] = argument->kind == ARGUMENT_INT ? (void *)&values[i] : (void *)&arrays[i];
        if (argument->kind == ARGUMENT_INT) {
            continue;
        }
        bytes[i] = calloc(1, argument->bytes);
        if (argument->kind == ARGUMENT_IN) {
            launch_fill_input(argument, bytes[i]);
        }
        demand(driver->allocate(&arrays[i], argument->bytes), "cuMemAlloc");
        demand(driver->upload(arrays[i], bytes[i], argument->bytes), "cuMemcpyHtoD");
    }
    demand(driver->launch(function, item->grid[0], item->grid[1], item->grid[2], item->block[0],
                          item->block[1], item->block[2], item->dynamic_bytes, NULL, parameters,
                          NULL),
           item->name);
    demand(driver->synchronize(), item->name);
    uint64_t hash = LAUNCH_HASH_START;
    for (size_t i = 0; i < item->argument_count; i++) {
        const struct launch_argument *argument = &item->arguments[i];
        if (argument->kind == ARGUMENT_OUT) {
            demand(driver->download(bytes[i], arrays[i], argument->bytes), "cuMemcpyDtoH");
            hash = launch_hash(hash, bytes[i], argument->bytes);
        }
        if (argument->kind != ARGUMENT_INT) {
            demand(driver->release(arrays[i]), "cuMemFree");
        }
        free(bytes[i]);
    }
    printf("%s %016llx\n", item->name, (unsigned long long)hash);
}

int main(int argument_count, char **arguments)
{
    struct driver driver;
    struct launch_item item;
    if (argument_count < 3 || argument_count > 4) {
        fprintf(stderr, "usage: %s KERNELS.ptx LAUNCHES.txt [LEVEL]\n", arguments[0]);
        return 2;
    }
    open_driver(&driver);
    char *ptx = launch_read_file(arguments[1]);
    int level = argument_count == 4 ? (int)strtol(arguments[3], NULL, 10) : 4;
    CUmodule module = open_module(&driver, ptx, level);
    FILE *list = fopen(arguments[2], "re");
    if (list == NULL) {
        fprintf(stderr, "launch_on_gpu: %s: cannot be read\n", arguments[2]);
        return 3;
    }
    while (launch_list_next(list, &item)) {
        run_item(&driver, module, &item);
    }
    fclose(list);
    free(ptx);
    return 0;
}
