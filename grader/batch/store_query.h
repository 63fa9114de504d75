/* store_query.h: SQL statements and transactions of a store; private to store*.c.
 *
 *     query_begin(&query, store, "SELECT name FROM students WHERE id = ?", diagnostic);
 *     query_integer(&query, id);
 *     while (query_row(&query)) {
 *         name = query_get_text(&query, 0, arena);
 *     }
 *     error = query_end(&query);
 *
 * After its first error a query does nothing more, and query_end() returns that error.
 */
#ifndef GPUGRADE_BATCH_STORE_QUERY_H
#define GPUGRADE_BATCH_STORE_QUERY_H

#include "base/text.h"
#include "batch/store.h"

#include <sqlite3.h>

struct store {
    sqlite3 *db;
    char *path;     /* of the file; owned */
    int lock_fd;    /* -1: opened for reading only */
    bool is_alone;  /* STORE_ALONE */
    unsigned depth; /* of nested transactions */
};

struct query {
    struct store *store;
    sqlite3_stmt *statement;
    int bound; /* values so far */
    enum error error;
    struct diagnostic *diagnostic;
};

/* True for a submission whose files are others than those with which its time came. */
#define HAS_OLD_TIME(table)                                                                        \
    "(" table ".submitted <> 0 AND " table ".time_content <> '' AND " table ".content <> ''"       \
    " AND " table ".content <> " table ".time_content)"

/* Describes the last error of the database in the diagnostic. Returns ERROR_ENVIRONMENT,
 * ERROR_SYNTAX (the file is damaged) or ERROR_INTERNAL. */
enum error store_error(struct store *store, int code, struct diagnostic *diagnostic);

/* Reports data that no version of the grader writes; returns ERROR_SYNTAX. */
enum error store_damaged(const struct store *store, const char *what,
                         struct diagnostic *diagnostic);

void query_begin(struct query *query, struct store *store, const char *sql,
                 struct diagnostic *diagnostic);

/* Bind the next `?`. Bound memory must stay valid until the end of the query. */
void query_text(struct query *query, const char *text);
void query_integer(struct query *query, int64_t value);
void query_number(struct query *query, double value);
void query_blob(struct query *query, const void *bytes, size_t length);

/* Goes to the next row; false at the end, and on an error. */
bool query_row(struct query *query);

/* Columns of this row, from 0. */
const char *query_get_text(struct query *query, int column, struct arena *arena);
const char *query_peek_text(struct query *query, int column); /* until the next row */
int64_t query_get_integer(struct query *query, int column);
double query_get_number(struct query *query, int column);
bool query_get_blob(struct query *query, int column, const void **out_bytes, size_t *out_length);

/* Runs a statement that returns no rows, and clears the bound values, so that it can run again. */
void query_run(struct query *query);

enum error query_end(struct query *query);

/* Runs the query to its end. */
enum error query_finish(struct query *query);

/* Runs statements without values. */
enum error store_execute(struct store *store, const char *sql, struct diagnostic *diagnostic);

/* Starts a read transaction: the reader sees one unchanged state of the file until store_end(). */
enum error store_begin_read(struct store *store, struct diagnostic *diagnostic);

/* Ends a transaction, and keeps its changes if `error` is ERROR_NONE. Returns the first error. */
enum error store_settle(struct store *store, enum error error, struct diagnostic *diagnostic);

/* A setting; "" if there is none. */
enum error store_setting(struct store *store, struct arena *arena, const char *name,
                         const char **out_value, struct diagnostic *diagnostic);

/* Appends the marks of device code in the format of the store. */
void store_pack_marks(const struct device_code *code, struct text *out);

/* Adds a line to the events. */
enum error store_log(struct store *store, const char *kind, const char *about, const char *message,
                     struct diagnostic *diagnostic);

#endif
