/* store_archives.c: the archived reports of runs, one after the other; see store.h. */
#include "batch/archive_pack.h"
#include "batch/store_query.h"

#include <stdlib.h>

/* The archive of a row's first column; freed by the caller. */
static enum error unpack(struct query *query, char **out_bytes, size_t *out_length)
{
    const void *packed;
    size_t length;

    if (!query_get_blob(query, 0, &packed, &length) ||
        !archive_unpack(packed, length, out_bytes, out_length)) {
        return store_damaged(query->store, "an archived report cannot be unpacked",
                             query->diagnostic);
    }
    return ERROR_NONE;
}

enum error store_archive(struct store *store, struct arena *arena, const char *submission,
                         const char **out_bytes, size_t *out_length, struct diagnostic *diagnostic)
{
    struct query query;
    char *bytes = NULL;
    size_t length = 0;

    query_begin(&query, store,
                "SELECT archives.bytes FROM submissions JOIN archives USING (run)"
                " WHERE submission = ?1 UNION ALL"
                " SELECT archives.bytes FROM submissions JOIN archives USING (run)"
                " WHERE submissions.pseudonym = ?1 LIMIT 1",
                diagnostic);
    query_text(&query, submission);
    bool is_there = query_row(&query);
    enum error error = is_there ? unpack(&query, &bytes, &length) : query.error;
    if (error == ERROR_NONE && !is_there) {
        diagnostic_set(diagnostic, BLAME_USAGE, "%s has no report on '%s': it has not been graded",
                       store->path, submission);
        error = ERROR_NOT_FOUND;
    }
    query_end(&query);
    if (error == ERROR_NONE) {
        *out_bytes = arena_strndup(arena, bytes, length);
        *out_length = length;
    }
    free(bytes);
    return error;
}

/* The runs that count now. */
static enum error list_runs(struct store *store, struct arena *arena, int64_t **out_runs,
                            size_t *out_count, struct diagnostic *diagnostic)
{
    struct query query;
    int64_t *runs = NULL;
    size_t count = 0, capacity = 0;

    query_begin(&query, store,
                "SELECT DISTINCT run FROM submissions WHERE run IS NOT NULL ORDER BY run",
                diagnostic);
    while (query_row(&query)) {
        arena_grow(arena, &runs, &capacity, count + 1, sizeof *runs);
        runs[count++] = query_get_integer(&query, 0);
    }
    *out_runs = runs;
    *out_count = count;
    return query_end(&query);
}

static enum error visit_run(struct store *store, int64_t run, store_visit *visit, void *context,
                            struct diagnostic *diagnostic)
{
    struct query query;
    char *bytes = NULL;
    size_t length = 0;

    query_begin(&query, store, "SELECT bytes FROM archives WHERE run = ?", diagnostic);
    query_integer(&query, run);
    bool is_there = query_row(&query);
    enum error error = is_there ? unpack(&query, &bytes, &length) : query.error;
    if (error == ERROR_NONE && !is_there) {
        error = store_damaged(store, "a run has no archived report", diagnostic);
    }
    query_end(&query);
    if (error == ERROR_NONE) {
        error = visit(context, run, bytes, length, diagnostic);
    }
    free(bytes);
    return error;
}

enum error store_each_run(struct store *store, bool keep, store_visit *visit, void *context,
                          struct diagnostic *diagnostic)
{
    struct arena *arena = arena_new();
    int64_t *runs = NULL;
    size_t count = 0;

    /* Within a transaction of the caller there is no other one: with a savepoint inside of another,
     * SQLite walks through all that has changed so far, each time that marks are put. */
    bool is_own = store->depth == 0 || !keep;
    enum error error = !is_own              ? ERROR_NONE
                       : store->lock_fd < 0 ? store_begin_read(store, diagnostic)
                                            : store_begin(store, diagnostic);
    if (error == ERROR_NONE) {
        error = list_runs(store, arena, &runs, &count, diagnostic);
        for (size_t i = 0; error == ERROR_NONE && i < count; i++) {
            error = visit_run(store, runs[i], visit, context, diagnostic);
        }
        if (is_own && (error != ERROR_NONE || !keep)) {
            store_end(store, false, NULL);
        } else if (is_own) {
            error = store_end(store, true, diagnostic);
        }
    }
    arena_free(arena);
    return error;
}
