/* archive_pack.c: see archive_pack.h. */
#include "batch/archive_pack.h"

#include <stdlib.h>
#include <zstd.h>

enum { LEVEL = 6 };

bool archive_pack(const char *bytes, size_t length, void **out_packed, size_t *out_length)
{
    if (length > ARCHIVE_BYTES_MAX) {
        return false;
    }
    size_t capacity = ZSTD_compressBound(length);
    ZSTD_CCtx *context = ZSTD_createCCtx();
    void *packed = malloc(capacity);
    size_t made = 0;
    bool good = context != NULL && packed != NULL;
    if (good) {
        ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
        made = ZSTD_compress2(context, packed, capacity, bytes, length);
        good = !ZSTD_isError(made);
    }
    ZSTD_freeCCtx(context);
    if (!good) {
        free(packed);
        return false;
    }
    *out_packed = packed;
    *out_length = made;
    return true;
}

bool archive_unpack(const void *packed, size_t length, char **out_bytes, size_t *out_length)
{
    unsigned long long size = ZSTD_getFrameContentSize(packed, length);

    /* What is unknown or an error is larger than any limit. */
    if (size > ARCHIVE_BYTES_MAX) {
        return false;
    }
    char *bytes = malloc((size_t)size + 1);
    if (bytes == NULL || ZSTD_decompress(bytes, (size_t)size, packed, length) != (size_t)size) {
        free(bytes);
        return false;
    }
    bytes[size] = '\0';
    *out_bytes = bytes;
    *out_length = (size_t)size;
    return true;
}
