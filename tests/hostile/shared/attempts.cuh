/* attempts.cuh: for programs that try many things none of which may succeed. What succeeds is said
 * on standard error, and the program aborts before it has printed anything: then the criterion of
 * the printout fails and its cause shows what was possible. */
#ifndef ATTEMPTS_CUH
#define ATTEMPTS_CUH

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char attempts_succeeded[512];

/* Notes what was possible and should not have been. */
static inline void attempt(bool succeeded, const char *what)
{
    size_t length = strlen(attempts_succeeded);
    if (succeeded) {
        snprintf(attempts_succeeded + length, sizeof attempts_succeeded - length, " %s;", what);
    }
}

static inline void attempt_read(const char *path)
{
    char bytes[200] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && read(fd, bytes, sizeof bytes - 1) > 0) {
        bytes[strcspn(bytes, "\n")] = '\0';
        attempt(true, path);
        attempt(true, bytes);
    }
    if (fd >= 0) {
        close(fd);
    }
}

static inline void attempt_write(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (fd >= 0) {
        attempt(true, path);
        close(fd);
    }
}

static inline void attempts_end(void)
{
    if (attempts_succeeded[0] != '\0') {
        fprintf(stderr, "possible:%s\n", attempts_succeeded);
        _exit(99);
    }
}

#endif
