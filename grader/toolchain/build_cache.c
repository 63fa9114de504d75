/* build_cache.c: see build_cache.h. */
#include "toolchain/build_cache.h"

#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENTRY_BYTES_MAX ((size_t)16 << 20)
#define CACHE_BYTES_MAX ((uint64_t)256 << 20)
enum { HASH_DIGITS = 64 };

static bool entry_path(const struct toolchain *toolchain, const char *key, char *out_path,
                       size_t capacity)
{
    int length = snprintf(out_path, capacity, "%s/programs/%s", toolchain->cache_folder, key);

    return length > 0 && (size_t)length < capacity;
}

bool build_cache_take(const struct toolchain *toolchain, const char *key, struct arena *arena,
                      const char **out_bytes, size_t *out_length)
{
    char path[4200];
    char hash[HASH_DIGITS + 1];
    char *bytes = NULL;
    size_t length = 0;

    if (!entry_path(toolchain, key, path, sizeof path) ||
        file_read(arena, path, ENTRY_BYTES_MAX + HASH_DIGITS, BLAME_ENVIRONMENT, &bytes, &length,
                  NULL) != ERROR_NONE ||
        length < HASH_DIGITS) {
        return false;
    }
    length -= HASH_DIGITS;
    hash_bytes(bytes, length, hash);
    if (memcmp(bytes + length, hash, HASH_DIGITS) != 0) {
        return false;
    }
    /* It was used now; that it cannot be noted does no harm. */
    utimensat(AT_FDCWD, path, NULL, 0);
    *out_bytes = bytes;
    *out_length = length;
    return true;
}

/* The bound ************************************************************************************/

struct cache_entry {
    const char *path;
    uint64_t bytes;
    struct timespec used;
};

static int compare_use(const void *left, const void *right)
{
    const struct timespec *one = &((const struct cache_entry *)left)->used;
    const struct timespec *other = &((const struct cache_entry *)right)->used;

    if (one->tv_sec != other->tv_sec) {
        return one->tv_sec < other->tv_sec ? -1 : 1;
    }
    return one->tv_nsec < other->tv_nsec ? -1 : one->tv_nsec > other->tv_nsec;
}

/* Removes the entries that were not used longest until there is room for `bytes` more. */
static void make_room(const struct toolchain *toolchain, struct arena *arena, uint64_t bytes)
{
    struct cache_entry *entries = NULL;
    size_t count = 0, capacity = 0;
    uint64_t total = bytes;
    const char *folder = arena_printf(arena, "%s/programs", toolchain->cache_folder);
    DIR *stream = opendir(folder); /* which sets FD_CLOEXEC */
    struct dirent *found;

    while (stream != NULL && (found = readdir(stream)) != NULL) {
        struct stat status;
        const char *path = arena_printf(arena, "%s/%s", folder, found->d_name);
        if (lstat(path, &status) == 0 && S_ISREG(status.st_mode)) {
            arena_grow(arena, &entries, &capacity, count + 1, sizeof *entries);
            entries[count++] = (struct cache_entry){path, (uint64_t)status.st_size, status.st_mtim};
            total += (uint64_t)status.st_size;
        }
    }
    if (stream != NULL) {
        closedir(stream);
    }
    if (total <= CACHE_BYTES_MAX) {
        return;
    }
    qsort(entries, count, sizeof *entries, compare_use);
    /* A quarter more, so that this is rare. */
    for (size_t i = 0; i < count && total > CACHE_BYTES_MAX / 4 * 3; i++) {
        unlink(entries[i].path);
        total -= entries[i].bytes;
    }
}

void build_cache_keep(const struct toolchain *toolchain, const char *key, const char *bytes,
                      size_t length)
{
    char path[4200];
    char hash[HASH_DIGITS + 1];

    if (length > ENTRY_BYTES_MAX || !entry_path(toolchain, key, path, sizeof path)) {
        return;
    }
    struct arena *arena = arena_new();
    struct text text;
    text_init(&text);
    text_append_bytes(&text, bytes, length);
    hash_bytes(bytes, length, hash);
    text_append(&text, hash);
    /* What a student wrote is nobody else's. */
    if (folder_make(arena_printf(arena, "%s/programs", toolchain->cache_folder), 0700, NULL) ==
        ERROR_NONE) {
        make_room(toolchain, arena, text.length);
        file_write_mode(path, 0600, text.bytes, text.length, NULL);
    }
    text_release(&text);
    arena_free(arena);
}

/* What entries are made of ***********************************************************************/

uint64_t build_entry_number(struct build_entry_reader *reader)
{
    uint64_t number = 0;
    size_t digits = 0;

    while (digits < reader->length && digits < 19 && reader->rest[digits] >= '0' &&
           reader->rest[digits] <= '9') {
        number = number * 10 + (uint64_t)(reader->rest[digits] - '0');
        digits++;
    }
    if (digits == 0 || digits >= reader->length || reader->rest[digits] != ' ') {
        reader->is_good = false;
        return 0;
    }
    reader->rest += digits + 1;
    reader->length -= digits + 1;
    return number;
}

const char *build_entry_bytes(struct build_entry_reader *reader, struct arena *arena,
                              size_t *out_length)
{
    uint64_t length = build_entry_number(reader);

    if (!reader->is_good || length > reader->length) {
        reader->is_good = false;
        *out_length = 0;
        return "";
    }
    const char *bytes = arena_strndup(arena, reader->rest, length);
    reader->rest += length;
    reader->length -= length;
    *out_length = length;
    return bytes;
}

void build_entry_append(struct text *text, const char *bytes, size_t length)
{
    text_printf(text, "%zu ", length);
    text_append_bytes(text, bytes, length);
}
