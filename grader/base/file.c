/* file.c: whole files and whole folders; see file.h. */
#include "base/file.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPY_BLOCK_BYTES = 1 << 16 };

/* Opens a regular file for reading and learns its size. O_NONBLOCK: a fifo must not stop us. */
static enum error open_regular(const char *path, int extra_flags, enum blame blame, int *out_fd,
                               size_t *out_bytes, struct diagnostic *diagnostic)
{
    struct stat status;

    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | extra_flags);
    if (fd < 0) {
        bool missing = errno == ENOENT || errno == ENOTDIR;
        diagnostic_set_at(diagnostic, blame, path, 0, 0, "cannot open %s: %s", path,
                          strerror(errno));
        return missing ? ERROR_NOT_FOUND : ERROR_IO;
    }
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        close(fd);
        diagnostic_set_at(diagnostic, blame, path, 0, 0,
                          "%s is not a regular file; replace it with an ordinary file", path);
        return ERROR_IO;
    }
    *out_fd = fd;
    *out_bytes = (size_t)status.st_size;
    return ERROR_NONE;
}

/* Reads until the end of the file or until `capacity` bytes are there; false on an error. */
static bool read_all(int fd, char *bytes, size_t capacity, size_t *out_length)
{
    size_t length = 0;

    while (length < capacity) {
        ssize_t got = read(fd, bytes + length, capacity - length);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            return false;
        }
        if (got == 0) {
            break;
        }
        length += (size_t)got;
    }
    *out_length = length;
    return true;
}

static bool write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t put = write(fd, bytes, length);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return false;
        }
        bytes += put;
        length -= (size_t)put;
    }
    return true;
}

enum error file_read(struct arena *arena, const char *path, size_t limit_bytes, enum blame blame,
                     char **out_bytes, size_t *out_length, struct diagnostic *diagnostic)
{
    int fd;
    size_t bytes;
    size_t length;

    enum error error = open_regular(path, 0, blame, &fd, &bytes, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    if (bytes > limit_bytes) {
        close(fd);
        diagnostic_set_at(diagnostic, blame, path, 0, 0,
                          "%s has %zu bytes, but at most %zu are read; make it smaller", path,
                          bytes, limit_bytes);
        return ERROR_LIMIT;
    }
    char *text = arena_alloc(arena, bytes + 1);
    bool good = read_all(fd, text, bytes, &length);
    int cause = errno;
    close(fd);
    if (!good) {
        diagnostic_set_at(diagnostic, blame, path, 0, 0, "cannot read %s: %s", path,
                          strerror(cause));
        return ERROR_IO;
    }
    text[length] = '\0';
    *out_bytes = text;
    *out_length = length;
    return ERROR_NONE;
}

/* Creates a new file beside `path`, with `mode` less the umask. The name of the file is written to
 * temporary [capacity]. */
static int create_beside(const char *path, unsigned mode, char *temporary, size_t capacity)
{
    int fd = -1;

    for (unsigned attempt = 0; fd < 0 && attempt < 100; attempt++) {
        int needed = snprintf(temporary, capacity, "%s.%ld.%llx.partial", path, (long)getpid(),
                              (unsigned long long)clock_now_ns());
        if (needed < 0 || (size_t)needed >= capacity) {
            errno = ENAMETOOLONG;
            return -1;
        }
        fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
        if (fd < 0 && errno != EEXIST) {
            return -1;
        }
    }
    return fd;
}

/* An exact mode is that of the file, else the umask is taken off it. */
static enum error write_new(const char *path, unsigned mode, bool is_exact, const void *bytes,
                            size_t length, struct diagnostic *diagnostic)
{
    char temporary[PATH_MAX];

    int fd = create_beside(path, is_exact ? 0600 : mode, temporary, sizeof temporary);
    if (fd < 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot write %s: %s", path, strerror(errno));
        return ERROR_IO;
    }
    bool good =
        write_all(fd, bytes, length) && (!is_exact || fchmod(fd, mode) == 0) && fsync(fd) == 0;
    int cause = errno;
    if (close(fd) != 0 && good) {
        good = false;
        cause = errno;
    }
    if (good && rename(temporary, path) != 0) {
        good = false;
        cause = errno;
    }
    if (!good) {
        unlink(temporary);
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot write %s: %s", path, strerror(cause));
        return ERROR_IO;
    }
    return ERROR_NONE;
}

enum error file_write_atomic(const char *path, const void *bytes, size_t length,
                             struct diagnostic *diagnostic)
{
    return write_new(path, 0666, false, bytes, length, diagnostic);
}

enum error file_write_mode(const char *path, unsigned mode, const void *bytes, size_t length,
                           struct diagnostic *diagnostic)
{
    return write_new(path, mode, true, bytes, length, diagnostic);
}

/* Copies at most limit_bytes + 1 bytes; sets errno to EFBIG when there are more than the limit. */
static bool copy_bytes(int from, int to, size_t limit_bytes)
{
    char block[COPY_BLOCK_BYTES];
    size_t total = 0;
    ssize_t copied = 0;

    /* In the kernel, where both file systems can; the loop below does what is left. */
    do {
        total += (size_t)copied;
        copied = copy_file_range(from, NULL, to, NULL, limit_bytes - total, 0);
    } while (copied > 0);
    for (;;) {
        size_t length;
        if (!read_all(from, block, sizeof block, &length)) {
            return false;
        }
        if (length == 0) {
            return true;
        }
        total += length;
        if (total > limit_bytes) {
            errno = EFBIG;
            return false;
        }
        if (!write_all(to, block, length)) {
            return false;
        }
    }
}

/* Whose fault it is if a source cannot be opened: what is there and is no ordinary file was made
 * so; one that is missing or cannot be read, of the grader's own too, is nobody's making. */
static enum blame blame_for_source(const char *path)
{
    struct stat status;

    return lstat(path, &status) == 0 && !S_ISREG(status.st_mode) ? BLAME_STUDENT
                                                                 : BLAME_ENVIRONMENT;
}

enum error file_copy(const char *from, const char *to, unsigned mode, size_t limit_bytes,
                     struct diagnostic *diagnostic)
{
    int source;
    size_t bytes;

    enum error error =
        open_regular(from, O_NOFOLLOW, blame_for_source(from), &source, &bytes, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    if (bytes > limit_bytes) {
        close(source);
        diagnostic_set_at(diagnostic, BLAME_STUDENT, from, 0, 0,
                          "%s has %zu bytes, but at most %zu are accepted; make it smaller", from,
                          bytes, limit_bytes);
        return ERROR_LIMIT;
    }
    int target = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (target < 0 && errno == EEXIST && unlink(to) == 0) {
        target = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    }
    if (target < 0) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot write %s: %s", to, strerror(errno));
        close(source);
        return ERROR_IO;
    }
    bool good = copy_bytes(source, target, limit_bytes) && fchmod(target, mode) == 0;
    int cause = errno;
    close(source);
    if (close(target) != 0 && good) {
        good = false;
        cause = errno;
    }
    if (!good) {
        unlink(to);
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot copy %s to %s: %s", from, to,
                       strerror(cause));
        return cause == EFBIG ? ERROR_LIMIT : ERROR_IO;
    }
    return ERROR_NONE;
}

enum error folder_make_temporary(struct arena *arena, char **out_path,
                                 struct diagnostic *diagnostic)
{
    const char *parent = getenv("TMPDIR");

    if (parent == NULL || parent[0] != '/') {
        parent = "/tmp";
    }
    char *path = arena_printf(arena, "%s/gpugrade-XXXXXX", parent);
    if (mkdtemp(path) == NULL) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "cannot create a folder in %s: %s; set TMPDIR to a folder with space",
                       parent, strerror(errno));
        return ERROR_IO;
    }
    *out_path = path;
    return ERROR_NONE;
}

/* Makes a folder; an existing one is fine. The set-group bit that it inherits stays. */
static bool make_one(const char *path, unsigned mode, bool is_exact)
{
    struct stat status;

    if (mkdir(path, mode) != 0) {
        int cause = errno; /* folder_exists() changes it */
        bool exists = folder_exists(path);
        errno = cause;
        return exists;
    }
    return !is_exact ||
           (stat(path, &status) == 0 && ((status.st_mode & 0777) == mode ||
                                         chmod(path, (status.st_mode & S_ISGID) | mode) == 0));
}

static enum error make_folders(const char *path, unsigned mode, bool is_exact,
                               struct diagnostic *diagnostic)
{
    char partial[PATH_MAX];
    size_t length = strlen(path);

    if (length == 0 || length >= sizeof partial) {
        diagnostic_set(
            diagnostic, BLAME_ENVIRONMENT,
            "cannot create a folder whose path has %zu characters; at most %zu are allowed", length,
            sizeof partial - 1);
        return ERROR_IO;
    }
    for (size_t i = 1; i <= length; i++) {
        if (path[i] != '/' && path[i] != '\0') {
            continue;
        }
        memcpy(partial, path, i);
        partial[i] = '\0';
        if (!make_one(partial, mode, is_exact)) {
            diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "cannot create the folder %s: %s",
                           partial, strerror(errno));
            return ERROR_IO;
        }
    }
    return ERROR_NONE;
}

enum error folder_make(const char *path, unsigned mode, struct diagnostic *diagnostic)
{
    return make_folders(path, mode, true, diagnostic);
}

enum error folder_make_usual(const char *path, struct diagnostic *diagnostic)
{
    return make_folders(path, 0777, false, diagnostic);
}

bool file_exists(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

bool folder_exists(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

const char *path_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash == NULL ? path : slash + 1;
}

void hash_bytes(const void *bytes, size_t length, char out_hex[65])
{
    SHA2_CTX context;
    uint8_t digest[SHA256_DIGEST_LENGTH];

    SHA256Init(&context);
    SHA256Update(&context, bytes, length);
    SHA256Final(digest, &context);
    for (size_t i = 0; i < sizeof digest; i++) {
        snprintf(out_hex + 2 * i, 3, "%02x", digest[i]);
    }
}
