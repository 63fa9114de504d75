/* store_query.c: see store_query.h.
 *
 * Transactions nest: the outermost is SQLite's, those inside are savepoints. Some errors (a full
 * disk) end SQLite's transaction altogether; then nothing more may be changed until the outermost
 * one has been given up, or half of it would stay.
 */
#include "batch/store_query.h"

#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* errno of the last failure of a file; 0: none. */
static int errno_of(sqlite3_file *file)
{
    int cause = 0;

    if (file != NULL && file->pMethods != NULL) {
        file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &cause);
    }
    return cause;
}

/* Why the system refused: of the journal, else of the file, as far as SQLite kept it. */
static int find_errno(sqlite3 *db)
{
    sqlite3_file *journal = NULL, *file = NULL;

    sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &journal);
    sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    int cause = errno_of(journal);
    cause = cause != 0 ? cause : errno_of(file);
    return cause != 0 ? cause : sqlite3_system_errno(db);
}

static bool is_out_of_space(int code, int cause)
{
    return (code & 0xff) == SQLITE_FULL || ((code & 0xff) == SQLITE_IOERR &&
                                            (cause == ENOSPC || cause == EDQUOT || cause == EFBIG));
}

enum error store_error(struct store *store, int code, struct diagnostic *diagnostic)
{
    int cause = find_errno(store->db);

    if (is_out_of_space(code, cause)) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "no space is left for %s; nothing in it is lost: free some space and "
                       "continue with --resume",
                       store->path);
        return ERROR_ENVIRONMENT;
    }
    switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
    case SQLITE_ERROR: /* a table or a column is missing */
        return store_damaged(store, sqlite3_errmsg(store->db), diagnostic);
    case SQLITE_CONSTRAINT:
    case SQLITE_MISUSE:
    case SQLITE_RANGE:
        diagnostic_set(diagnostic, BLAME_GRADER, "%s rejects a value that it should store: %s",
                       store->path, sqlite3_errmsg(store->db));
        return ERROR_INTERNAL;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "%s is in use by another program; close that program and try again",
                       store->path);
        return ERROR_ENVIRONMENT;
    default:
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "%s cannot be used: %s%s%s", store->path,
                       sqlite3_errmsg(store->db), cause != 0 ? ", " : "",
                       cause != 0 ? strerror(cause) : "");
        return ERROR_ENVIRONMENT;
    }
}

enum error store_damaged(const struct store *store, const char *what, struct diagnostic *diagnostic)
{
    diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                   "%s is damaged: %s; restore a copy of it, or grade into a new folder",
                   store->path, what);
    return ERROR_SYNTAX;
}

/* Remembers the first error of a query. */
static bool query_check(struct query *query, int code)
{
    if (code != SQLITE_OK && query->error == ERROR_NONE) {
        query->error = store_error(query->store, code, query->diagnostic);
    }
    return query->error == ERROR_NONE;
}

void query_begin(struct query *query, struct store *store, const char *sql,
                 struct diagnostic *diagnostic)
{
    *query = (struct query){.store = store, .diagnostic = diagnostic};
    query_check(query, sqlite3_prepare_v2(store->db, sql, -1, &query->statement, NULL));
}

void query_text(struct query *query, const char *text)
{
    if (query->error == ERROR_NONE) {
        query_check(query, sqlite3_bind_text(query->statement, ++query->bound, text_or_empty(text),
                                             -1, SQLITE_STATIC));
    }
}

void query_integer(struct query *query, int64_t value)
{
    if (query->error == ERROR_NONE) {
        query_check(query, sqlite3_bind_int64(query->statement, ++query->bound, value));
    }
}

void query_number(struct query *query, double value)
{
    if (query->error == ERROR_NONE) {
        query_check(query, sqlite3_bind_double(query->statement, ++query->bound, value));
    }
}

void query_blob(struct query *query, const void *bytes, size_t length)
{
    if (query->error == ERROR_NONE) {
        /* A NULL pointer would bind NULL. */
        query_check(query, sqlite3_bind_blob64(query->statement, ++query->bound,
                                               length == 0 ? "" : bytes, length, SQLITE_STATIC));
    }
}

bool query_row(struct query *query)
{
    if (query->error != ERROR_NONE) {
        return false;
    }
    int code = sqlite3_step(query->statement);
    return code == SQLITE_ROW || (code != SQLITE_DONE && query_check(query, code));
}

const char *query_peek_text(struct query *query, int column)
{
    return text_or_empty((const char *)sqlite3_column_text(query->statement, column));
}

const char *query_get_text(struct query *query, int column, struct arena *arena)
{
    const char *text = query_peek_text(query, column);

    return text[0] == '\0' ? "" : arena_strdup(arena, text);
}

int64_t query_get_integer(struct query *query, int column)
{
    return sqlite3_column_int64(query->statement, column);
}

double query_get_number(struct query *query, int column)
{
    return sqlite3_column_double(query->statement, column);
}

bool query_get_blob(struct query *query, int column, const void **out_bytes, size_t *out_length)
{
    const void *bytes = sqlite3_column_blob(query->statement, column);
    int length = sqlite3_column_bytes(query->statement, column);

    if (bytes == NULL || length <= 0) {
        return false;
    }
    *out_bytes = bytes;
    *out_length = (size_t)length;
    return true;
}

void query_run(struct query *query)
{
    while (query_row(query)) {
    }
    if (query->statement != NULL) {
        sqlite3_reset(query->statement);
        sqlite3_clear_bindings(query->statement);
    }
    query->bound = 0;
}

enum error query_end(struct query *query)
{
    sqlite3_finalize(query->statement);
    query->statement = NULL;
    return query->error;
}

enum error query_finish(struct query *query)
{
    query_run(query);
    return query_end(query);
}

enum error store_execute(struct store *store, const char *sql, struct diagnostic *diagnostic)
{
    int code = sqlite3_exec(store->db, sql, NULL, NULL, NULL);

    return code == SQLITE_OK ? ERROR_NONE : store_error(store, code, diagnostic);
}

/* True if SQLite has given up the outermost transaction by itself. */
static bool is_given_up(const struct store *store)
{
    return store->depth > 0 && sqlite3_get_autocommit(store->db) != 0;
}

static enum error begin(struct store *store, const char *outermost, struct diagnostic *diagnostic)
{
    char sql[64];

    if (is_given_up(store)) {
        diagnostic_set(
            diagnostic, BLAME_ENVIRONMENT,
            "an earlier change to %s failed, so none of the changes that belong to it is kept",
            store->path);
        return ERROR_ENVIRONMENT;
    }
    snprintf(sql, sizeof sql, "SAVEPOINT level%u", store->depth);
    enum error error = store_execute(store, store->depth == 0 ? outermost : sql, diagnostic);
    store->depth += error == ERROR_NONE ? 1 : 0;
    return error;
}

enum error store_begin(struct store *store, struct diagnostic *diagnostic)
{
    return begin(store, "BEGIN IMMEDIATE", diagnostic);
}

enum error store_begin_read(struct store *store, struct diagnostic *diagnostic)
{
    return begin(store, "BEGIN", diagnostic);
}

/* Takes back the innermost transaction; errors have been told already. */
static void roll_back(struct store *store)
{
    char sql[96];

    if (sqlite3_get_autocommit(store->db) != 0) {
        return;
    }
    if (store->depth == 0) {
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
        return;
    }
    snprintf(sql, sizeof sql, "ROLLBACK TO level%u; RELEASE level%u", store->depth, store->depth);
    sqlite3_exec(store->db, sql, NULL, NULL, NULL);
}

enum error store_end(struct store *store, bool keep, struct diagnostic *diagnostic)
{
    char sql[64];
    bool was_given_up = is_given_up(store);

    store->depth--;
    if (!keep || was_given_up) {
        roll_back(store);
        if (keep) {
            diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                           "a change to %s failed; none of it is kept", store->path);
            return ERROR_ENVIRONMENT;
        }
        return ERROR_NONE;
    }
    snprintf(sql, sizeof sql, "RELEASE level%u", store->depth);
    enum error error = store_execute(store, store->depth == 0 ? "COMMIT" : sql, diagnostic);
    if (error != ERROR_NONE) {
        roll_back(store);
    }
    return error;
}

enum error store_settle(struct store *store, enum error error, struct diagnostic *diagnostic)
{
    if (error != ERROR_NONE) {
        store_end(store, false, NULL);
        return error;
    }
    return store_end(store, true, diagnostic);
}

enum error store_log(struct store *store, const char *kind, const char *about, const char *message,
                     struct diagnostic *diagnostic)
{
    struct query query;

    query_begin(&query, store, "INSERT INTO events (at, kind, about, message) VALUES (?, ?, ?, ?)",
                diagnostic);
    query_integer(&query, (int64_t)time(NULL));
    query_text(&query, kind);
    query_text(&query, about);
    query_text(&query, message);
    return query_finish(&query);
}
