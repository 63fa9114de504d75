/* class_folder.c: see class_folder.h. */
#include "batch/class_folder.h"

#include "base/file.h"
#include "base/text.h"
#include "submission/entry_name.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* A submission of more files than intake_list.h takes is refused, so a change beyond that does not
 * matter; this bounds the time that a folder of millions of files costs. */
enum { STAMP_ENTRIES_MAX = 20000 };

/* Longer endings first. */
static const struct {
    const char *ending;
    enum class_item_kind kind;
} endings[] = {
    {".tar.gz", CLASS_ITEM_ARCHIVE},  {".tar.xz", CLASS_ITEM_ARCHIVE},
    {".tar.zst", CLASS_ITEM_ARCHIVE}, {".tar.bz2", CLASS_ITEM_ARCHIVE},
    {".tgz", CLASS_ITEM_ARCHIVE},     {".txz", CLASS_ITEM_ARCHIVE},
    {".tbz2", CLASS_ITEM_ARCHIVE},    {".tzst", CLASS_ITEM_ARCHIVE},
    {".tar", CLASS_ITEM_ARCHIVE},     {".zip", CLASS_ITEM_ARCHIVE},
    {".7z", CLASS_ITEM_ARCHIVE},      {".rar", CLASS_ITEM_ARCHIVE},
    {".cu", CLASS_ITEM_SOURCE},       {".ipynb", CLASS_ITEM_SOURCE},
};

static const size_t ending_count = sizeof endings / sizeof endings[0];

/* The row of `endings` for a name; ending_count if there is none. */
static size_t find_ending(const char *name)
{
    size_t length = strlen(name);
    size_t i = 0;

    for (; i < ending_count; i++) {
        size_t ending = strlen(endings[i].ending);
        if (length > ending && strcasecmp(name + length - ending, endings[i].ending) == 0) {
            break;
        }
    }
    return i;
}

size_t class_item_stem(const char *name)
{
    size_t i = find_ending(name);

    return strlen(name) - (i < ending_count ? strlen(endings[i].ending) : 0);
}

/* RESULTS may lie within SUBMISSIONS. */
static bool holds_store(int folder_fd, const char *name)
{
    int fd = openat(folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat status;
    bool found = fd >= 0 && fstatat(fd, "gpugrade.sqlite", &status, AT_SYMLINK_NOFOLLOW) == 0;

    if (fd >= 0) {
        close(fd);
    }
    return found;
}

static enum class_item_kind kind_of(int folder_fd, const char *name)
{
    struct stat status;

    if (fstatat(folder_fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        return CLASS_ITEM_LINK; /* it went away meanwhile */
    }
    if (S_ISDIR(status.st_mode)) {
        return holds_store(folder_fd, name) ? CLASS_ITEM_RESULTS : CLASS_ITEM_FOLDER;
    }
    if (!S_ISREG(status.st_mode)) {
        return CLASS_ITEM_LINK;
    }
    size_t i = find_ending(name);
    return i < ending_count ? endings[i].kind : CLASS_ITEM_FILE;
}

static int compare_items(const void *left, const void *right)
{
    return strcmp(((const struct class_item *)left)->name,
                  ((const struct class_item *)right)->name);
}

static enum error refuse(const char *path, struct diagnostic *diagnostic)
{
    bool is_missing = errno == ENOENT;

    diagnostic_set(diagnostic, BLAME_USAGE, "the folder '%s' cannot be read: %s%s", path,
                   strerror(errno),
                   errno == ENOTDIR ? "; unpack the export and name the folder" : "");
    return is_missing ? ERROR_NOT_FOUND : ERROR_IO;
}

enum error class_folder_read(struct arena *arena, const char *path, struct class_folder *out_folder,
                             struct diagnostic *diagnostic)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream = fd < 0 ? NULL : fdopendir(fd);
    struct class_item *items = NULL;
    size_t count = 0;
    size_t capacity = 0;
    const struct dirent *entry;

    if (stream == NULL) {
        enum error error = refuse(path, diagnostic);
        if (fd >= 0) {
            close(fd);
        }
        return error;
    }
    while ((entry = readdir(stream)) != NULL) {
        bool is_dots = strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0;
        if (is_dots || entry_name_is_left_out(entry->d_name)) {
            continue;
        }
        const char *name = arena_strdup(arena, entry->d_name);
        arena_grow(arena, &items, &capacity, count + 1, sizeof *items);
        items[count++] = (struct class_item){
            .name = name,
            .path = arena_printf(arena, "%s%s%s", path, text_ends_with(path, "/") ? "" : "/", name),
            .kind = kind_of(fd, name),
        };
    }
    closedir(stream);
    if (count > 0) {
        qsort(items, count, sizeof *items, compare_items);
    }
    *out_folder = (struct class_folder){.path = path, .items = items, .count = count};
    return ERROR_NONE;
}

const struct class_item *class_folder_find(const struct class_folder *folder, const char *name)
{
    const struct class_item key = {.name = name};

    return folder->count == 0
               ? NULL
               : bsearch(&key, folder->items, folder->count, sizeof *folder->items, compare_items);
}

size_t class_folder_count(const struct class_folder *folder, enum class_item_kind kind)
{
    size_t count = 0;

    for (size_t i = 0; i < folder->count; i++) {
        count += folder->items[i].kind == kind;
    }
    return count;
}

static int compare_walked(const FTSENT **left, const FTSENT **right)
{
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

static void stamp_entry(const FTSENT *entry, size_t root_length, struct text *facts)
{
    const struct stat *status = entry->fts_statp;

    text_append(facts, entry->fts_path + root_length);
    text_append_char(facts, '\0');
    if (entry->fts_info == FTS_D) {
        text_append(facts, "folder\n"); /* its files have times of their own */
    } else if (entry->fts_info == FTS_F || entry->fts_info == FTS_SL ||
               entry->fts_info == FTS_SLNONE || entry->fts_info == FTS_DEFAULT) {
        text_printf(facts, "%o %lld %lld.%09ld %lld.%09ld\n", (unsigned)status->st_mode & S_IFMT,
                    (long long)status->st_size, (long long)status->st_mtim.tv_sec,
                    status->st_mtim.tv_nsec, (long long)status->st_ctim.tv_sec,
                    status->st_ctim.tv_nsec);
    } else {
        text_printf(facts, "unreadable %d\n", entry->fts_errno);
    }
}

const char *class_item_stamp(struct arena *arena, const char *path)
{
    char *roots[] = {arena_strdup(arena, path), NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, compare_walked);
    char *hex = arena_alloc(arena, 65);
    struct text facts;
    FTSENT *entry;

    text_init(&facts);
    for (size_t i = 0; walk != NULL && i < STAMP_ENTRIES_MAX && (entry = fts_read(walk)) != NULL;
         i++) {
        bool is_hidden = entry->fts_level > 0 && entry_name_is_left_out(entry->fts_name);
        if (is_hidden) {
            (void)fts_set(walk, entry, FTS_SKIP);
        } else if (entry->fts_info != FTS_DP) {
            stamp_entry(entry, strlen(path), &facts);
        }
    }
    if (walk != NULL) {
        fts_close(walk);
    }
    hash_bytes(facts.bytes, facts.length, hex);
    text_release(&facts);
    return hex;
}
