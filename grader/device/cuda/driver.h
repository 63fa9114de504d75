/* driver.h: NVIDIA's driver library, opened at run time.
 *
 * Nothing links against libcuda, so one binary runs with and without a GPU: the functions of
 * driver_calls.def are looked up in the library when a device is opened. A driver that is older
 * than one of the functions is refused with a message that names it.
 */
#ifndef GPUGRADE_DEVICE_CUDA_DRIVER_H
#define GPUGRADE_DEVICE_CUDA_DRIVER_H

#include "base/diagnostic.h"
#include "device/cuda/driver_abi.h"

#define DRIVER_LIBRARY "libcuda.so.1"

struct driver {
    void *library; /* of dlopen */
#define DRIVER_CALL(field, symbol, parameters) CUresult(*field) parameters;
#include "device/cuda/driver_calls.def"
#undef DRIVER_CALL
};

/* Opens the library (a name that the loader knows, or a path), looks up its functions and
 * initialises it. Errors: ERROR_ENVIRONMENT: there is no driver, it is too old, it finds no GPU. */
enum error driver_open(const char *library, struct driver *out_driver,
                       struct diagnostic *diagnostic);

/* Closes the library. A driver that ran a kernel stays in the process all the same. */
void driver_close(struct driver *driver);

/* The driver's name of a result, "CUDA_ERROR_OUT_OF_MEMORY"; "an unknown error" if it has none. */
const char *driver_error_name(const struct driver *driver, CUresult result);

#endif
