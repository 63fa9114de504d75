/* driver.c: see driver.h. */
#include "device/cuda/driver.h"

#include <dlfcn.h>

/* Looks every function up; returns the name of one that is missing, NULL if there is none. */
static const char *find_calls(struct driver *driver)
{
    static const char *const symbols[] = {
#define DRIVER_CALL(field, symbol, parameters) #symbol,
#include "device/cuda/driver_calls.def"
#undef DRIVER_CALL
    };
    void **const fields[] = {
#define DRIVER_CALL(field, symbol, parameters) (void **)&driver->field,
#include "device/cuda/driver_calls.def"
#undef DRIVER_CALL
    };
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        *fields[i] = dlsym(driver->library, symbols[i]);
        if (*fields[i] == NULL) {
            return symbols[i];
        }
    }
    return NULL;
}

enum error driver_open(const char *library, struct driver *out_driver,
                       struct diagnostic *diagnostic)
{
    struct driver driver = {.library = dlopen(library, RTLD_NOW | RTLD_LOCAL)};
    if (driver.library == NULL) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "there is no NVIDIA driver on this machine (%s); install one, or use the "
                       "emulated device (--device emulated)",
                       dlerror());
        return ERROR_ENVIRONMENT;
    }
    const char *missing = find_calls(&driver);
    if (missing != NULL) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the NVIDIA driver is too old: it has no %s; install one for CUDA 12 or "
                       "later, or use the emulated device (--device emulated)",
                       missing);
        driver_close(&driver);
        return ERROR_ENVIRONMENT;
    }
    CUresult result = driver.init(0);
    if (result != CUDA_SUCCESS) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "the NVIDIA driver finds no GPU that works (%s); see what nvidia-smi says, "
                       "or use the emulated device (--device emulated)",
                       driver_error_name(&driver, result));
        driver_close(&driver);
        return ERROR_ENVIRONMENT;
    }
    *out_driver = driver;
    return ERROR_NONE;
}

void driver_close(struct driver *driver)
{
    if (driver != NULL && driver->library != NULL) {
        dlclose(driver->library);
        *driver = (struct driver){0};
    }
}

const char *driver_error_name(const struct driver *driver, CUresult result)
{
    const char *name = NULL;
    if (driver->error_name(result, &name) != CUDA_SUCCESS || name == NULL) {
        return "an unknown error";
    }
    return name;
}
