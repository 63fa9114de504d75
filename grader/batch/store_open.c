/* store_open.c: opens a store, for one writer and any number of readers.
 *
 * The lock is a record lock (fcntl) on a file of its own: unlike flock's it is not shared with
 * children that are forked, so it is gone as soon as the writer is, it works on network file
 * systems, and it tells who holds it. It is lost when its process closes the file for any reason,
 * so a process opens one store for writing once.
 */
#include "batch/pseudonym.h"
#include "batch/store_query.h"
#include "batch/store_upgrade.h"

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOLDER_MODE = 0700, FILE_MODE = 0600, BUSY_MS = 10000 };

static char *path_in(const char *folder, const char *name)
{
    struct text path;

    text_init(&path);
    text_printf(&path, "%s/%s", folder, name);
    return path.bytes; /* the text's memory, handed on */
}

static enum error refuse(const char *path, const char *what, int cause,
                         struct diagnostic *diagnostic)
{
    diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s cannot be %s: %s", path, what,
                   strerror(cause));
    return ERROR_ENVIRONMENT;
}

static enum error refuse_missing(const char *path, struct diagnostic *diagnostic)
{
    diagnostic_set(diagnostic, BLAME_USAGE,
                   "%s has no results yet; grade into this folder first, with gpugrade batch",
                   path);
    return ERROR_NOT_FOUND;
}

static enum error refuse_busy(const char *path, long holder, struct diagnostic *diagnostic)
{
    if (holder > 0) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "process %ld is writing to %s; wait until it ends, or stop it", holder,
                       path);
    } else {
        diagnostic_set(
            diagnostic, BLAME_USAGE,
            "a process, perhaps on another machine, is writing to %s; wait until it ends", path);
    }
    return ERROR_BUSY;
}

/* Takes the lock, with the file that carries it. */
static enum error take_lock(struct store *store, const char *folder, struct diagnostic *diagnostic)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    char *path = path_in(folder, "gpugrade.lock");
    int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, FILE_MODE);
    enum error error = ERROR_NONE;

    if (fd < 0) {
        error = errno == ENOENT || errno == ENOTDIR ? refuse_missing(folder, diagnostic)
                                                    : refuse(path, "opened", errno, diagnostic);
    } else if (fcntl(fd, F_SETLK, &lock) == 0) {
        store->lock_fd = fd;
    } else if (errno == EACCES || errno == EAGAIN) {
        bool is_known = fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
        error = refuse_busy(store->path, is_known ? (long)lock.l_pid : 0, diagnostic);
        close(fd);
    } else {
        error = refuse(path, "locked", errno, diagnostic);
        close(fd);
    }
    free(path);
    return error;
}

/* Makes the file, for its owner only, before SQLite would make it for others too. */
static enum error make_file(const char *path, struct diagnostic *diagnostic)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, FILE_MODE);

    if (fd < 0 && errno != EEXIST) {
        return refuse(path, "created", errno, diagnostic);
    }
    descriptor_close(&fd);
    return ERROR_NONE;
}

static enum error open_database(struct store *store, const char *name, int flags,
                                struct diagnostic *diagnostic)
{
    int code = sqlite3_open_v2(name, &store->db, flags | SQLITE_OPEN_EXRESCODE, NULL);

    if (store->db == NULL) {
        return refuse(store->path, "opened", ENOMEM, diagnostic);
    }
    if (code != SQLITE_OK) {
        return store_error(store, code, diagnostic);
    }
    sqlite3_busy_timeout(store->db, BUSY_MS);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    enum error error = store_execute(store,
                                     "PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY;"
                                     "PRAGMA cell_size_check = ON",
                                     diagnostic);
    if (error == ERROR_NONE && store->is_alone) { /* before the file is looked at */
        error = store_execute(store, "PRAGMA locking_mode = EXCLUSIVE", diagnostic);
    }
    return error;
}

/* A commit is on the disk when it returns, also if the power fails afterwards. *out_version as
 * store_version() tells it. */
static enum error open_for_writing(struct store *store, int *out_version,
                                   struct diagnostic *diagnostic)
{
    enum error error = open_database(store, store->path, SQLITE_OPEN_READWRITE, diagnostic);

    if (error == ERROR_NONE) {
        error = store_version(store, out_version, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = store_execute(store, "PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL",
                              diagnostic);
    }
    return error;
}

static enum error make_key(struct store *store, struct diagnostic *diagnostic)
{
    char key[PSEUDONYM_KEY_BYTES];
    struct query query;

    if (!pseudonym_key(key)) {
        return refuse(store->path, "given a key for pseudonyms", errno, diagnostic);
    }
    query_begin(&query, store,
                "INSERT INTO settings (name, value) VALUES ('pseudonym_key', ?)"
                " ON CONFLICT (name) DO NOTHING",
                diagnostic);
    query_text(&query, key);
    return query_finish(&query);
}

static enum error bring_up_to_date(struct store *store, struct diagnostic *diagnostic)
{
    enum error error = store_begin(store, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    error = store_upgrade(store, store_steps, store_step_count, diagnostic);
    if (error == ERROR_NONE) {
        error = make_key(store, diagnostic);
    }
    return store_settle(store, error, diagnostic);
}

static enum error open_writer(struct store *store, const char *folder,
                              struct diagnostic *diagnostic)
{
    int version = 0;

    enum error error = take_lock(store, folder, diagnostic);
    if (error == ERROR_NONE && !file_exists(store->path)) {
        error = refuse_missing(folder, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = open_for_writing(store, &version, diagnostic);
    }
    if (error == ERROR_NONE && version == 0) {
        error = refuse_missing(folder, diagnostic);
    }
    return error == ERROR_NONE ? bring_up_to_date(store, diagnostic) : error;
}

/* True if settings were put: a store whose maker was killed before may be made again. */
static enum error is_begun(struct store *store, bool *out_begun, struct diagnostic *diagnostic)
{
    struct query query;

    query_begin(&query, store, "SELECT 1 FROM settings WHERE name = 'seed'", diagnostic);
    bool begun = query_row(&query);
    enum error error = query_end(&query);
    if (error == ERROR_NONE) {
        *out_begun = begun;
    }
    return error;
}

static enum error open_new(struct store *store, const char *folder, struct diagnostic *diagnostic)
{
    bool begun = false;
    int version = 0;

    enum error error = folder_make(folder, FOLDER_MODE, diagnostic);
    if (error == ERROR_NONE) {
        error = take_lock(store, folder, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = make_file(store->path, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = open_for_writing(store, &version, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = bring_up_to_date(store, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = is_begun(store, &begun, diagnostic);
    }
    if (error == ERROR_NONE && begun) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "%s already has results; continue with --resume, or name another folder",
                       folder);
        return ERROR_EXISTS;
    }
    return error;
}

/* The file's name as a URI. */
static void append_uri(struct text *out, const char *path)
{
    text_append(out, "file:");
    for (const unsigned char *at = (const unsigned char *)path; *at != '\0'; at++) {
        if (isalnum(*at) || strchr("/-._~", *at) != NULL) {
            text_append_char(out, (char)*at);
        } else {
            text_printf(out, "%%%02X", *at);
        }
    }
}

/* On a file system that cannot be written nobody changes the file, and no journal can be kept; a
 * journal that was left must be played back first. */
static enum error open_unchanging(struct store *store, struct diagnostic *diagnostic)
{
    struct text uri;
    struct stat journal;

    text_init(&uri);
    text_printf(&uri, "%s-wal", store->path);
    if (stat(uri.bytes, &journal) == 0 && journal.st_size > 0) {
        text_release(&uri);
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "%s was not closed properly, and its folder cannot be written to; copy the "
                       "folder to a place where you can write",
                       store->path);
        return ERROR_ENVIRONMENT;
    }
    text_clear(&uri);
    append_uri(&uri, store->path);
    text_append(&uri, "?immutable=1");
    enum error error =
        open_database(store, uri.bytes, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, diagnostic);
    text_release(&uri);
    return error;
}

static enum error open_for_reading(struct store *store, const char *folder,
                                   struct diagnostic *diagnostic)
{
    if (access(store->path, F_OK) != 0) {
        return refuse_missing(folder, diagnostic);
    }
    if (access(store->path, R_OK) != 0) {
        return refuse(store->path, "read", errno, diagnostic);
    }
    if (access(folder, W_OK) != 0 || access(store->path, W_OK) != 0) {
        return open_unchanging(store, diagnostic);
    }
    return open_database(store, store->path, SQLITE_OPEN_READWRITE, diagnostic);
}

/* Readers do not change a schema: an older one is brought up to date by a writer first. */
static enum error open_reader(struct store *store, const char *folder,
                              struct diagnostic *diagnostic)
{
    int version = 0;

    enum error error = open_for_reading(store, folder, diagnostic);
    if (error == ERROR_NONE) {
        error = store_version(store, &version, diagnostic);
    }
    if (error == ERROR_NONE && version != (int)store_step_count) {
        sqlite3_close(store->db);
        store->db = NULL;
        error = open_writer(store, folder, diagnostic);
        descriptor_close(&store->lock_fd);
    }
    return error != ERROR_NONE ? error : store_execute(store, "PRAGMA query_only = ON", diagnostic);
}

enum error store_open(const char *folder, enum store_mode mode, struct store **out_store,
                      struct diagnostic *diagnostic)
{
    struct store *store = calloc(1, sizeof *store);
    enum error error;

    if (store == NULL) {
        return refuse(folder, "opened", ENOMEM, diagnostic);
    }
    store->lock_fd = -1;
    store->path = path_in(folder, "gpugrade.sqlite");
    store->is_alone = (mode & STORE_ALONE) != 0;
    switch ((unsigned)mode & ~(unsigned)STORE_ALONE) {
    case STORE_CREATE:
        error = open_new(store, folder, diagnostic);
        break;
    case STORE_WRITE:
        error = open_writer(store, folder, diagnostic);
        break;
    default:
        error = open_reader(store, folder, diagnostic);
        break;
    }
    if (error != ERROR_NONE) {
        store_close(store);
        return error;
    }
    *out_store = store;
    return ERROR_NONE;
}

void store_close(struct store *store)
{
    if (store == NULL) {
        return;
    }
    sqlite3_close(store->db);
    descriptor_close(&store->lock_fd);
    free(store->path);
    free(store);
}
