/* cuda_error.c: looks up the rows of cuda_errors.def. */
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
