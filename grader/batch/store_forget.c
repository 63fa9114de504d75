/* store_forget.c: removes what a store knows of a student; see store.h.
 *
 * Runs belong to contents, not to students. One that another student's submission has too stays.
 * Those that no submission has any more go as well, because nothing tells whose they were.
 */
#include "batch/store_query.h"

#include "base/text.h"

#include <stdio.h>

static enum error count(struct store *store, const char *sql, int64_t student, size_t *out,
                        struct diagnostic *diagnostic)
{
    struct query query;

    query_begin(&query, store, sql, diagnostic);
    query_integer(&query, student);
    if (query_row(&query)) {
        *out = (size_t)query_get_integer(&query, 0);
    }
    return query_end(&query);
}

static enum error count_all(struct store *store, int64_t student, struct store_forgotten *out,
                            struct diagnostic *diagnostic)
{
    enum error error = count(store, "SELECT count(*) FROM submissions WHERE student = ?", student,
                             &out->submissions, diagnostic);

    if (error == ERROR_NONE) {
        error = count(store, "SELECT count(*) FROM decisions WHERE student = ?", student,
                      &out->decisions, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = count(store,
                      "SELECT count(DISTINCT run) FROM submissions WHERE student = ?1"
                      " AND run IN (SELECT run FROM submissions WHERE student <> ?1)",
                      student, &out->shared, diagnostic);
    }
    return error;
}

static enum error remove_all(struct store *store, int64_t student, struct diagnostic *diagnostic)
{
    static const char *const steps[] = {
        "DELETE FROM events WHERE about IN (SELECT submission FROM submissions WHERE student = ?)",
        "DELETE FROM decisions WHERE student = ?",
        "DELETE FROM submissions WHERE student = ?",
        "DELETE FROM students WHERE id = ?",
    };
    enum error error = ERROR_NONE;

    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && error == ERROR_NONE; i++) {
        struct query query;
        query_begin(&query, store, steps[i], diagnostic);
        query_integer(&query, student);
        error = query_finish(&query);
    }
    return error != ERROR_NONE
               ? error
               : store_execute(store,
                               "DELETE FROM runs WHERE id NOT IN"
                               " (SELECT run FROM submissions WHERE run IS NOT NULL)",
                               diagnostic);
}

enum error store_forget(struct store *store, int64_t student, bool keep,
                        struct store_forgotten *out_forgotten, struct diagnostic *diagnostic)
{
    struct store_forgotten forgotten = {.submissions = 0};
    enum error error = store_execute(store, "PRAGMA secure_delete = ON", diagnostic);

    if (error == ERROR_NONE) {
        error = store_begin(store, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    error = count_all(store, student, &forgotten, diagnostic);
    if (error == ERROR_NONE) {
        error = remove_all(store, student, diagnostic);
    }
    if (error != ERROR_NONE || !keep) {
        store_end(store, false, NULL);
    } else {
        error = store_end(store, true, diagnostic);
    }
    /* The journal and free pages hold old bytes. */
    if (error == ERROR_NONE && keep) {
        error = store_execute(store, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)", diagnostic);
    }
    if (error == ERROR_NONE) {
        *out_forgotten = forgotten;
    }
    return error;
}
