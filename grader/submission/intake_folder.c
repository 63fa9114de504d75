/* intake_folder.c: walks a tree with a list of folders that are still to be visited, so its depth
 * costs no stack; see intake_folder.h. */
#include "submission/intake_folder.h"

#include "base/text.h"
#include "submission/entry_name.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct walk {
    struct intake_list *list;
    int root_fd;
    const char **pending; /* names relative to the root, "" for the root itself */
    size_t pending_count, pending_capacity;
};

static void push(struct walk *walk, const char *name)
{
    arena_grow(walk->list->arena, &walk->pending, &walk->pending_capacity, walk->pending_count + 1,
               sizeof *walk->pending);
    walk->pending[walk->pending_count++] = name;
}

static enum error refuse_unreadable(const struct walk *walk, const char *name, int cause,
                                    struct diagnostic *diagnostic)
{
    struct text quoted;

    text_init(&quoted);
    entry_name_quote(name, strlen(name), &quoted);
    diagnostic_set_at(diagnostic, BLAME_USAGE, walk->list->shown, 0, 0,
                      "%s cannot be read: %s; change its permissions (chmod u+r) or remove it",
                      name[0] == '\0' ? "the folder" : quoted.bytes, strerror(cause));
    text_release(&quoted);
    return ERROR_IO;
}

/* Reads at most `length` bytes; a file that became shorter meanwhile gives fewer. */
static bool read_bytes(int fd, char *bytes, size_t length, size_t *out_length)
{
    size_t done = 0;

    while (done < length) {
        ssize_t step = read(fd, bytes + done, length - done);
        if (step < 0 && errno == EINTR) {
            continue;
        }
        if (step < 0) {
            return false;
        }
        if (step == 0) {
            break;
        }
        done += (size_t)step;
    }
    *out_length = done;
    return true;
}

static const char *stray_kind(mode_t mode)
{
    return S_ISLNK(mode)    ? "a symbolic link"
           : S_ISFIFO(mode) ? "a named pipe"
           : S_ISSOCK(mode) ? "a socket"
                            : "a device";
}

static enum error read_opened(struct walk *walk, int fd, const char *name,
                              struct diagnostic *diagnostic)
{
    struct stat status;
    size_t length;

    if (fstat(fd, &status) != 0) {
        return refuse_unreadable(walk, name, errno, diagnostic);
    }
    if (!S_ISREG(status.st_mode)) { /* it was exchanged after it was looked at */
        intake_list_stray(walk->list, name, stray_kind(status.st_mode));
        return ERROR_NONE;
    }
    enum error error = intake_list_fits(walk->list, name, (uint64_t)status.st_size, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    char *bytes = arena_alloc(walk->list->arena, (size_t)status.st_size + 1);
    if (!read_bytes(fd, bytes, (size_t)status.st_size, &length)) {
        return refuse_unreadable(walk, name, errno, diagnostic);
    }
    return intake_list_file(walk->list, name, bytes, length, diagnostic);
}

static enum error read_file(struct walk *walk, int folder_fd, const char *entry, const char *name,
                            struct diagnostic *diagnostic)
{
    int fd = openat(folder_fd, entry, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

    if (fd < 0 && errno == ELOOP) {
        intake_list_stray(walk->list, name, "a symbolic link");
        return ERROR_NONE;
    }
    if (fd < 0) {
        return errno == ENOENT ? ERROR_NONE : refuse_unreadable(walk, name, errno, diagnostic);
    }
    enum error error = read_opened(walk, fd, name, diagnostic);
    close(fd);
    return error;
}

static enum error read_entry(struct walk *walk, int folder_fd, const char *folder,
                             const char *entry, struct diagnostic *diagnostic)
{
    struct arena *arena = walk->list->arena;
    const char *raw = folder[0] == '\0' ? entry : arena_printf(arena, "%s/%s", folder, entry);
    const char *name = NULL;
    struct stat status;

    enum error error = intake_list_name(walk->list, raw, strlen(raw), &name, diagnostic);
    if (error != ERROR_NONE || name == NULL) {
        return error;
    }
    if (fstatat(folder_fd, entry, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        return ERROR_NONE; /* it went away while the folder was read */
    }
    if (S_ISDIR(status.st_mode)) {
        push(walk, name);
        return intake_list_folder(walk->list, name, diagnostic);
    }
    if (S_ISREG(status.st_mode)) {
        return read_file(walk, folder_fd, entry, name, diagnostic);
    }
    intake_list_stray(walk->list, name, stray_kind(status.st_mode));
    return ERROR_NONE;
}

/* Opens a folder below the root, part by part, following no link. */
static int open_below(int root_fd, const char *name)
{
    int fd = openat(root_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    while (fd >= 0 && *name != '\0') {
        char part[NAME_MAX + 1];
        size_t length = strcspn(name, "/");
        if (length > NAME_MAX) {
            close(fd);
            errno = ENAMETOOLONG;
            return -1;
        }
        memcpy(part, name, length);
        part[length] = '\0';
        int next = openat(fd, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        int cause = errno;
        close(fd);
        errno = cause;
        fd = next;
        name += length + (name[length] == '/' ? 1 : 0);
    }
    return fd;
}

static enum error walk_folder(struct walk *walk, const char *folder, struct diagnostic *diagnostic)
{
    int fd = open_below(walk->root_fd, folder);
    DIR *stream = fd < 0 ? NULL : fdopendir(fd);
    enum error error = ERROR_NONE;
    struct dirent *entry;

    if (stream == NULL) {
        error = refuse_unreadable(walk, folder, errno, diagnostic);
        if (fd >= 0) {
            close(fd);
        }
        return error;
    }
    while (error == ERROR_NONE && (entry = readdir(stream)) != NULL) {
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0) {
            error = read_entry(walk, fd, folder, entry->d_name, diagnostic);
        }
    }
    closedir(stream);
    return error;
}

enum error intake_read_folder(struct intake_list *list, const char *path,
                              struct diagnostic *diagnostic)
{
    struct walk walk = {.list = list, .root_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    enum error error = ERROR_NONE;

    if (walk.root_fd < 0) {
        diagnostic_set(diagnostic, BLAME_USAGE, "the folder '%s' cannot be read: %s", list->shown,
                       strerror(errno));
        return errno == ENOENT ? ERROR_NOT_FOUND : ERROR_IO;
    }
    push(&walk, "");
    while (error == ERROR_NONE && walk.pending_count > 0) {
        error = walk_folder(&walk, walk.pending[--walk.pending_count], diagnostic);
    }
    close(walk.root_fd);
    return error;
}
