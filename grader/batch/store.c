/* store.c: what is fixed for all runs of a store, and its rubrics; see store.h. */
#include "batch/store_query.h"

#include "base/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEED_BYTES = 19 };

static const char *seed_text(struct arena *arena, uint64_t seed)
{
    return arena_printf(arena, "0x%" PRIx64, seed);
}

enum error store_setting(struct store *store, struct arena *arena, const char *name,
                         const char **out_value, struct diagnostic *diagnostic)
{
    const char *value = "";
    struct query query;

    query_begin(&query, store, "SELECT value FROM settings WHERE name = ?", diagnostic);
    query_text(&query, name);
    if (query_row(&query)) {
        value = query_get_text(&query, 0, arena);
    }
    enum error error = query_end(&query);
    if (error == ERROR_NONE) {
        *out_value = value;
    }
    return error;
}

static enum error put_setting(struct store *store, const char *name, const char *value,
                              struct diagnostic *diagnostic)
{
    struct query query;

    query_begin(&query, store,
                "INSERT INTO settings (name, value) VALUES (?, ?)"
                " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                diagnostic);
    query_text(&query, name);
    query_text(&query, value);
    return query_finish(&query);
}

enum error store_zone(struct store *store, struct arena *arena, const char **out_zone,
                      struct diagnostic *diagnostic)
{
    return store_setting(store, arena, "zone", out_zone, diagnostic);
}

enum error store_put_zone(struct store *store, const char *zone, struct diagnostic *diagnostic)
{
    enum error error = store_begin(store, diagnostic);

    return error != ERROR_NONE
               ? error
               : store_settle(store, put_setting(store, "zone", zone, diagnostic), diagnostic);
}

/* Puts a setting that may not change. */
static enum error fix_setting(struct store *store, struct arena *arena, const char *name,
                              const char *value, struct diagnostic *diagnostic)
{
    const char *before = "";

    enum error error = store_setting(store, arena, "seed", &before, diagnostic);
    if (error != ERROR_NONE || before[0] == '\0') {
        return error != ERROR_NONE ? error : put_setting(store, name, value, diagnostic);
    }
    error = store_setting(store, arena, name, &before, diagnostic);
    if (error == ERROR_NONE && strcmp(before, value) != 0) {
        diagnostic_set(
            diagnostic, BLAME_USAGE,
            "%s was graded with %s '%s', but now it is '%s'; use the same, or name another folder",
            store->path, name, before, value);
        return ERROR_RANGE;
    }
    return error;
}

enum error store_put_settings(struct store *store, const struct store_settings *settings,
                              struct diagnostic *diagnostic)
{
    struct arena *arena = arena_new();

    enum error error = store_begin(store, diagnostic);
    if (error == ERROR_NONE) {
        error = fix_setting(store, arena, "coursework", settings->coursework, diagnostic);
        if (error == ERROR_NONE) {
            error = fix_setting(store, arena, "options", settings->options, diagnostic);
        }
        if (error == ERROR_NONE) { /* last: it tells that all are there */
            error = fix_setting(store, arena, "seed", seed_text(arena, settings->seed), diagnostic);
        }
        if (error == ERROR_NONE) {
            error = put_setting(store, "submissions", settings->submissions, diagnostic);
        }
        error = store_settle(store, error, diagnostic);
    }
    arena_free(arena);
    return error;
}

enum error store_settings(struct store *store, struct arena *arena,
                          struct store_settings *out_settings, struct diagnostic *diagnostic)
{
    static const char *const names[] = {"coursework", "submissions", "options", "seed"};
    const char *values[4];
    char *end;

    for (size_t i = 0; i < 4; i++) {
        enum error error = store_setting(store, arena, names[i], &values[i], diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
    }
    if (values[3][0] == '\0') {
        diagnostic_set(
            diagnostic, BLAME_USAGE,
            "%s has no settings: grading stopped before the first submission; start it again",
            store->path);
        return ERROR_NOT_FOUND;
    }
    errno = 0;
    uint64_t seed = strtoull(values[3], &end, 16);
    if (errno != 0 || *end != '\0' || strlen(values[3]) >= SEED_BYTES) {
        return store_damaged(store, "its seed is not a number", diagnostic);
    }
    *out_settings = (struct store_settings){
        .coursework = values[0], .submissions = values[1], .options = values[2], .seed = seed};
    return ERROR_NONE;
}

/* The rubric in use; *out_rubric is untouched, and its number 0, if there is none. */
static enum error read_rubric(struct store *store, struct arena *arena,
                              struct store_rubric *out_rubric, int64_t *out_number,
                              struct diagnostic *diagnostic)
{
    struct query query;

    *out_number = 0;
    query_begin(&query, store,
                "SELECT id, sha256, evidence, text FROM rubrics WHERE id ="
                " (SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'rubric')",
                diagnostic);
    if (query_row(&query)) {
        *out_number = query_get_integer(&query, 0);
        *out_rubric = (struct store_rubric){.sha256 = query_get_text(&query, 1, arena),
                                            .evidence = query_get_text(&query, 2, arena),
                                            .text = query_get_text(&query, 3, arena)};
    }
    return query_end(&query);
}

enum error store_rubric(struct store *store, struct arena *arena, struct store_rubric *out_rubric,
                        struct diagnostic *diagnostic)
{
    int64_t number;

    enum error error = read_rubric(store, arena, out_rubric, &number, diagnostic);
    if (error == ERROR_NONE && number == 0) {
        diagnostic_set(
            diagnostic, BLAME_USAGE,
            "%s has no rubric: grading stopped before the first submission; start it again",
            store->path);
        return ERROR_NOT_FOUND;
    }
    return error;
}

/* Adds the rubric unless it was used before; *out_number is its row. */
static enum error add_rubric(struct store *store, const struct store_rubric *rubric,
                             int64_t *out_number, struct diagnostic *diagnostic)
{
    struct query query;

    query_begin(&query, store,
                "INSERT INTO rubrics (sha256, evidence, text, put) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (sha256) DO UPDATE SET evidence = excluded.evidence,"
                " text = excluded.text RETURNING id",
                diagnostic);
    query_text(&query, rubric->sha256);
    query_text(&query, rubric->evidence);
    query_text(&query, rubric->text);
    query_integer(&query, (int64_t)time(NULL));
    if (query_row(&query)) {
        *out_number = query_get_integer(&query, 0);
    }
    return query_finish(&query);
}

/* What counted by the rubric before counts by this one; or nothing does, until it is graded. */
static enum error carry_over(struct store *store, int64_t before, int64_t now, bool sees_the_same,
                             struct diagnostic *diagnostic)
{
    struct query query;

    if (!sees_the_same) {
        return store_execute(store,
                             "UPDATE submissions SET state = 'pending', run = NULL, message = '',"
                             " tries = 0",
                             diagnostic);
    }
    query_begin(&query, store,
                "UPDATE runs SET rubric = ? WHERE rubric = ?"
                " AND id IN (SELECT run FROM submissions WHERE run IS NOT NULL)",
                diagnostic);
    query_integer(&query, now);
    query_integer(&query, before);
    return query_finish(&query);
}

static enum error change_rubric(struct store *store, const struct store_rubric *rubric,
                                struct arena *arena, struct diagnostic *diagnostic)
{
    struct store_rubric before = {0};
    int64_t number = 0, now = 0;

    enum error error = read_rubric(store, arena, &before, &number, diagnostic);
    if (error == ERROR_NONE) {
        error = add_rubric(store, rubric, &now, diagnostic);
    }
    if (error != ERROR_NONE || (now == number && strcmp(before.evidence, rubric->evidence) == 0)) {
        return error;
    }
    const char *seen = rubric->continues != NULL ? rubric->continues : rubric->evidence;
    bool sees_the_same = number != 0 && strcmp(before.evidence, seen) == 0;
    error = carry_over(store, number, now, sees_the_same, diagnostic);
    if (error == ERROR_NONE) {
        error = put_setting(store, "rubric", arena_printf(arena, "%" PRId64, now), diagnostic);
    }
    if (error == ERROR_NONE) {
        error = store_log(store, "rubric", rubric->sha256,
                          sees_the_same ? "earlier results stay valid" : "", diagnostic);
    }
    return error;
}

enum error store_put_rubric(struct store *store, const struct store_rubric *rubric,
                            struct diagnostic *diagnostic)
{
    struct arena *arena = arena_new();

    enum error error = store_begin(store, diagnostic);
    if (error == ERROR_NONE) {
        error = change_rubric(store, rubric, arena, diagnostic);
        error = store_settle(store, error, diagnostic);
    }
    arena_free(arena);
    return error;
}
