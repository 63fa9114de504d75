/* cuda_error.c: looks up the rows of cuda_errors.def and driver_errors.def. */
#include "wire/cuda_error.h"

#include <stddef.h>

struct row {
    int code;
    const char *name;
    const char *text;
};

static const struct row rows[] = {
#define CUDA_STATUS(name, code, name_text, text) {code, name_text, text},
#include "wire/cuda_errors.def"
#undef CUDA_STATUS
};

static const struct row *find_row(int code)
{
    static const struct row unknown = {-1, "unrecognized error code", "unrecognized error code"};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        if (rows[i].code == code) {
            return &rows[i];
        }
    }
    return &unknown;
}

const char *cuda_status_name(int code)
{
    return find_row(code)->name;
}

const char *cuda_status_text(int code)
{
    return find_row(code)->text;
}

const char *driver_status_name(int code)
{
    switch (code) {
#define DRIVER_STATUS(name, number)                                                                \
    case number:                                                                                   \
        return #name;
#include "wire/driver_errors.def"
#undef DRIVER_STATUS
    default:
        return NULL;
    }
}

int driver_status_of(int code)
{
    switch (code) {
    case CUDA_STATUS_INVALID_SYMBOL:
        return CUDA_STATUS_SYMBOL_NOT_FOUND;
    case CUDA_STATUS_INVALID_DEVICE_FUNCTION:
        return CUDA_STATUS_INVALID_RESOURCE_HANDLE;
    default: /* what the runtime alone has is about the values of a call */
        return driver_status_name(code) != NULL ? code : CUDA_STATUS_INVALID_VALUE;
    }
}
