/* unpack_main.c: the helper gpugrade-unpack: an archive on descriptor 0, records on 1.
 *
 * libarchive reads the bytes of strangers, so it runs in a process of its own, in the sandbox, that
 * opens no file. It is given the whole archive, because a zip is read from its end. Exit status: 0
 * if the stream is whole, whatever it says.
 */
#include "submission/intake_archive.h"
#include "submission/unpack/unpack_archive.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

enum { EXIT_INPUT = 1, EXIT_OUTPUT = 2 };

static bool write_bytes(void *context, const void *bytes, size_t length)
{
    const char *from = bytes;

    (void)context;
    while (length > 0) {
        ssize_t put = write(STDOUT_FILENO, from, length);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put <= 0) {
            return false;
        }
        from += put;
        length -= (size_t)put;
    }
    return true;
}

/* Reads until the end; NULL if that fails or is too much. */
static char *read_input(size_t *out_length)
{
    char *bytes = malloc(INTAKE_ARCHIVE_BYTES_MAX);
    size_t length = 0;

    while (bytes != NULL) {
        ssize_t got = read(STDIN_FILENO, bytes + length, INTAKE_ARCHIVE_BYTES_MAX - length);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got == 0) {
            *out_length = length;
            return bytes;
        }
        if (got < 0) {
            break;
        }
        length += (size_t)got;
        if (length == INTAKE_ARCHIVE_BYTES_MAX) {
            break;
        }
    }
    free(bytes);
    return NULL;
}

int main(void)
{
    const struct unpack_output output = {.write = write_bytes};
    size_t length = 0;
    char *bytes = read_input(&length);

    if (bytes == NULL) {
        return EXIT_INPUT;
    }
    setlocale(LC_CTYPE, "C.UTF-8"); /* without it, names beyond ASCII are refused */
    bool good = unpack_archive(bytes, length, &output);
    free(bytes);
    return good ? EXIT_SUCCESS : EXIT_OUTPUT;
}
