/* result_file.c: see result_file.h. */
#include "cli/result_file.h"

#include "base/file.h"
#include "cli/console.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum error result_file_check(struct arena *arena, const char *option, const char *path,
                             struct diagnostic *diagnostic)
{
    struct stat status;
    const char *slash = strrchr(path, '/');
    const char *parent = slash == NULL   ? "."
                         : slash == path ? "/"
                                         : arena_strndup(arena, path, (size_t)(slash - path));

    if (strcmp(path, "-") == 0) {
        return ERROR_NONE;
    }
    bool exists = stat(path, &status) == 0;
    if (path[0] == '\0' || (exists && S_ISDIR(status.st_mode))) {
        diagnostic_set(diagnostic, BLAME_USAGE, "--%s needs the name of a file, got '%s'", option,
                       path);
        return ERROR_RANGE;
    }
    bool atomic = !exists || S_ISREG(status.st_mode);
    if (access(atomic ? parent : path, W_OK) != 0) {
        diagnostic_set(diagnostic, BLAME_USAGE, "--%s: '%s' cannot be written: %s", option, path,
                       strerror(errno));
        return ERROR_IO;
    }
    return ERROR_NONE;
}

/* Writes to a device or a named pipe, which a rename must not replace. */
static bool write_in_place(const char *path, const struct text *text)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool written = fd >= 0 && console_write(fd, text);

    if (fd >= 0) {
        close(fd);
    }
    return written;
}

bool result_file_write(const char *path, const struct text *text)
{
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    struct stat status;
    sigset_t all, before;

    if (strcmp(path, "-") == 0) {
        if (!console_write(STDOUT_FILENO, text)) {
            console_complain("environment: the result cannot be written to standard output: %s",
                             strerror(errno));
            return false;
        }
        return true;
    }
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        if (!write_in_place(path, text)) {
            console_complain("environment: '%s' cannot be written: %s", path, strerror(errno));
            return false;
        }
        return true;
    }
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    enum error error = file_write_atomic(path, text->bytes, text->length, &diagnostic);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (error != ERROR_NONE) {
        console_report(&diagnostic);
    }
    return error == ERROR_NONE;
}

enum error result_folder_check(const char *folder, struct diagnostic *diagnostic)
{
    DIR *stream = opendir(folder);
    const struct dirent *entry;
    bool is_empty = true;

    if (stream == NULL && errno == ENOENT) {
        return ERROR_NONE;
    }
    if (stream == NULL) {
        diagnostic_set(diagnostic, BLAME_USAGE, "'%s' is not a readable folder: %s", folder,
                       strerror(errno));
        return ERROR_IO;
    }
    while ((entry = readdir(stream)) != NULL) {
        is_empty =
            is_empty && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0);
    }
    closedir(stream);
    if (!is_empty) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "'%s' is not empty; name a folder that is empty or does not exist yet",
                       folder);
        return ERROR_RANGE;
    }
    return ERROR_NONE;
}
