/* store_upgrade.c: see store_upgrade.h. */
#include "batch/store_upgrade.h"

#include "batch/store_query.h"
#include "batch/store_schema.h"

#include <inttypes.h>
#include <stdio.h>

/* Version 2: rosters are remembered, for who is graded without one later. */
static const char remember_rosters[] =
    "ALTER TABLE students ADD COLUMN was_in_roster INTEGER NOT NULL DEFAULT 0"
    " CHECK (was_in_roster IN (0, 1));"
    "ALTER TABLE students ADD COLUMN submitted INTEGER NOT NULL DEFAULT 0;"
    "UPDATE students SET was_in_roster = in_roster";

/* Version 3: criteria that a person grades are open. A check of a table cannot be changed. */
static const char allow_open[] =
    "CREATE TABLE criteria_3 ("
    " run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,"
    " criterion TEXT NOT NULL,"
    " status TEXT NOT NULL"
    " CHECK (status IN ('passed', 'partial', 'failed', 'skipped', 'error', 'open')),"
    " points REAL NOT NULL,"
    " code TEXT NOT NULL,"
    " PRIMARY KEY (run, criterion)"
    ") STRICT, WITHOUT ROWID;"
    "INSERT INTO criteria_3 SELECT run, criterion, status, points, code FROM criteria;"
    "DROP TABLE criteria;"
    "ALTER TABLE criteria_3 RENAME TO criteria";

/* Version 4: what people decided about students. */
static const char keep_decisions[] =
    "CREATE TABLE decisions ("
    " id INTEGER PRIMARY KEY,"
    " student INTEGER NOT NULL REFERENCES students,"
    " kind TEXT NOT NULL"
    " CHECK (kind IN ('until', 'days', 'excuse', 'drop', 'points', 'grade', 'comment')),"
    " about TEXT NOT NULL,"
    " value REAL NOT NULL,"
    " text TEXT NOT NULL,"
    " made_at INTEGER NOT NULL,"
    " made_by TEXT NOT NULL,"
    " undone_at INTEGER NOT NULL DEFAULT 0,"
    " undone_by TEXT NOT NULL DEFAULT ''"
    ") STRICT;"
    "CREATE INDEX decisions_by_student ON decisions (student)";

/* Version 5: what a class is ranked by. */
static const char keep_ranks[] = "ALTER TABLE runs ADD COLUMN ranked REAL NOT NULL DEFAULT 0;"
                                 "ALTER TABLE runs ADD COLUMN gpu TEXT NOT NULL DEFAULT ''";

/* Version 6: of which files a time is. */
static const char keep_time_content[] =
    "ALTER TABLE submissions ADD COLUMN time_content TEXT NOT NULL DEFAULT ''";

const char *const store_steps[] = {store_schema,   remember_rosters, allow_open,
                                   keep_decisions, keep_ranks,       keep_time_content};
const size_t store_step_count = sizeof store_steps / sizeof store_steps[0];

static enum error read_number(struct store *store, const char *sql, int64_t *out,
                              struct diagnostic *diagnostic)
{
    struct query query;
    int64_t value = 0;

    query_begin(&query, store, sql, diagnostic);
    if (query_row(&query)) {
        value = query_get_integer(&query, 0);
    }
    enum error error = query_end(&query);
    if (error == ERROR_NONE) {
        *out = value;
    }
    return error;
}

enum error store_version(struct store *store, int *out_version, struct diagnostic *diagnostic)
{
    int64_t version = 0, application = 0, tables = 0;

    enum error error = read_number(store, "PRAGMA user_version", &version, diagnostic);
    if (error == ERROR_NONE) {
        error = read_number(store, "PRAGMA application_id", &application, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = read_number(store, "SELECT count(*) FROM sqlite_schema", &tables, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    bool is_empty = version == 0 && application == 0 && tables == 0;
    if (!is_empty && (application != STORE_APPLICATION || version < 1)) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "%s is the database of another program; name another folder", store->path);
        return ERROR_SYNTAX;
    }
    *out_version = (int)version;
    return ERROR_NONE;
}

static enum error take_steps(struct store *store, const char *const *steps, int first, int last,
                             struct diagnostic *diagnostic)
{
    char sql[96];

    for (int i = first; i < last; i++) {
        enum error error = store_execute(store, steps[i], diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
    }
    snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             STORE_APPLICATION, last);
    return store_execute(store, sql, diagnostic);
}

enum error store_upgrade(struct store *store, const char *const *steps, size_t step_count,
                         struct diagnostic *diagnostic)
{
    int version = 0;

    enum error error = store_version(store, &version, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    if (version > (int)step_count) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "%s was created by a newer gpugrade: its schema is version %d, but this "
                       "gpugrade knows versions up to %zu; use the newer one",
                       store->path, version, step_count);
        return ERROR_UNSUPPORTED;
    }
    if (version == (int)step_count) {
        return ERROR_NONE;
    }
    error = store_begin(store, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    error = take_steps(store, steps, version, (int)step_count, diagnostic);
    return store_settle(store, error, diagnostic);
}
