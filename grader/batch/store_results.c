/* store_results.c: what came of submissions; see store.h.
 *
 * A run keeps its number when it is replaced, so all submissions with its content follow it.
 */
#include "batch/archive_pack.h"
#include "batch/run_facts.h"
#include "batch/store_query.h"

#include "report/score/report_archive.h"

#include <stdlib.h>
#include <time.h>

/* Counts a try that has ended. Those of a submission that was graded whole before start anew. */
static enum error count_try(struct store *store, int64_t submission, struct diagnostic *diagnostic)
{
    struct query query;

    query_begin(&query, store,
                "UPDATE submissions SET tries = iif(state IN ('pending', 'trouble') OR EXISTS"
                " (SELECT 1 FROM criteria WHERE run = submissions.run AND status = 'error'),"
                " tries + 1, 1) WHERE id = ?",
                diagnostic);
    query_integer(&query, submission);
    return query_finish(&query);
}

enum error store_link(struct store *store, int64_t submission, const char *content,
                      const char *evidence, bool *out_known, struct diagnostic *diagnostic)
{
    struct query query;

    query_begin(&query, store,
                "UPDATE submissions SET state = 'graded', run = runs.id, content = runs.content,"
                " message = '', tries = ifnull((SELECT max(tries) FROM submissions"
                " WHERE run = runs.id), 1) FROM runs"
                " WHERE submissions.id = ? AND submissions.run IS NOT runs.id"
                " AND runs.content = ? AND runs.evidence = ?"
                " AND runs.seed = (SELECT value FROM settings WHERE name = 'seed')"
                " AND runs.rubric = (SELECT CAST(value AS INTEGER) FROM settings"
                " WHERE name = 'rubric')",
                diagnostic);
    query_integer(&query, submission);
    query_text(&query, content);
    query_text(&query, evidence);
    enum error error = query_finish(&query);
    if (error == ERROR_NONE) {
        *out_known = sqlite3_changes64(store->db) > 0;
    }
    return error;
}

static enum error put_machine(struct store *store, const struct report *report,
                              int64_t *out_machine, struct diagnostic *diagnostic)
{
    struct query query;
    struct text line;

    text_init(&line);
    run_machine(report, &line);
    query_begin(&query, store,
                "INSERT INTO machines (text) VALUES (?)"
                " ON CONFLICT (text) DO UPDATE SET text = text RETURNING id",
                diagnostic);
    query_text(&query, line.bytes);
    if (query_row(&query)) {
        *out_machine = query_get_integer(&query, 0);
    }
    enum error error = query_finish(&query);
    text_release(&line);
    return error;
}

/* By what a report is ranked; 0: not at all. */
static struct report_rank rank_of(const struct report *report)
{
    struct report_rank rank = {.gpu = ""};

    report_rank(report, &rank);
    return rank;
}

static enum error put_row(struct store *store, const struct store_result *result, int64_t machine,
                          int64_t *out_run, struct diagnostic *diagnostic)
{
    const struct report_rank rank = rank_of(result->report);
    struct query query;

    query_begin(
        &query, store,
        "INSERT INTO runs (content, evidence, seed, rubric, machine, grader, started, seconds,"
        " speedup, ranked, gpu) VALUES (?, ?, (SELECT value FROM settings WHERE name = 'seed'),"
        " (SELECT CAST(value AS INTEGER) FROM settings WHERE name = 'rubric'), ?, ?, ?, ?, ?, ?,"
        " ?)"
        " ON CONFLICT (content, evidence, seed) DO UPDATE SET rubric = excluded.rubric,"
        " machine = excluded.machine, grader = excluded.grader, started = excluded.started,"
        " seconds = excluded.seconds, speedup = excluded.speedup, ranked = excluded.ranked,"
        " gpu = excluded.gpu RETURNING id",
        diagnostic);
    query_text(&query, result->outcome->content);
    query_text(&query, result->evidence);
    query_integer(&query, machine);
    query_text(&query, result->report->grader_version);
    query_integer(&query, result->started);
    query_number(&query, result->seconds);
    query_number(&query, report_speedup(result->report));
    query_number(&query, rank.value);
    query_text(&query, rank.gpu);
    if (query_row(&query)) {
        *out_run = query_get_integer(&query, 0);
    }
    return query_finish(&query);
}

/* Removes the rows of a run from a table, before they are written anew. */
static enum error clear(struct store *store, const char *sql, int64_t run,
                        struct diagnostic *diagnostic)
{
    struct query query;

    query_begin(&query, store, sql, diagnostic);
    query_integer(&query, run);
    return query_finish(&query);
}

static enum error put_criteria(struct store *store, int64_t run, const struct report *report,
                               struct diagnostic *diagnostic)
{
    struct query query;

    enum error error = clear(store, "DELETE FROM criteria WHERE run = ?", run, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    query_begin(&query, store,
                "INSERT INTO criteria (run, criterion, status, points, code)"
                " VALUES (?, ?, ?, ?, ?)",
                diagnostic);
    for (size_t i = 0; i < report->verdict_count && query.error == ERROR_NONE; i++) {
        const struct verdict *verdict = &report->verdicts[i];
        query_integer(&query, run);
        query_text(&query, verdict->criterion->id);
        query_text(&query, status_name(verdict->status));
        query_number(&query, verdict->points);
        query_text(&query, code_id(verdict->cause.code));
        query_run(&query);
    }
    return query_end(&query);
}

static enum error put_findings(struct store *store, int64_t run, const struct report *report,
                               struct diagnostic *diagnostic)
{
    struct query query;

    enum error error = clear(store, "DELETE FROM findings WHERE run = ?", run, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    query_begin(&query, store,
                "INSERT INTO findings (run, number, code, severity, message, kernel, launch, count,"
                " file, line) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                diagnostic);
    for (size_t i = 0; i < report->finding_count && query.error == ERROR_NONE; i++) {
        const struct finding *finding = &report->findings[i];
        const struct place *place = finding->main_place < finding->place_count
                                        ? &finding->places[finding->main_place]
                                        : NULL;
        query_integer(&query, run);
        query_integer(&query, (int64_t)i);
        query_text(&query, code_id(finding->code));
        query_text(&query, finding->severity == SEVERITY_ERROR ? "error" : "warning");
        query_text(&query, finding->message);
        query_text(&query, finding->kernel);
        query_text(&query, finding->launch);
        query_integer(&query, (int64_t)finding->count);
        query_text(&query, place == NULL ? "" : place->file);
        query_integer(&query, place == NULL ? 0 : place->line);
        query_run(&query);
    }
    return query_end(&query);
}

static enum error put_device_code(struct store *store, int64_t run, const struct report *report,
                                  struct diagnostic *diagnostic)
{
    struct query query;

    enum error error = clear(store, "DELETE FROM device_code WHERE run = ?", run, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    query_begin(&query, store,
                "INSERT INTO device_code (run, program, instructions, marks) VALUES (?, ?, ?, ?)",
                diagnostic);
    for (size_t i = 0; i < report->device_code_count && query.error == ERROR_NONE; i++) {
        const struct device_code *code = &report->device_code[i];
        struct text marks;
        text_init(&marks);
        store_pack_marks(code, &marks);
        query_integer(&query, run);
        query_text(&query, code->program);
        query_integer(&query, (int64_t)code->instructions);
        query_blob(&query, marks.bytes, marks.length);
        query_run(&query);
        text_release(&marks);
    }
    return query_end(&query);
}

static enum error put_archive(struct store *store, int64_t run, const char *archive, size_t length,
                              struct diagnostic *diagnostic)
{
    struct query query;
    void *packed;
    size_t packed_length;

    if (!archive_pack(archive, length, &packed, &packed_length)) {
        diagnostic_set(diagnostic, BLAME_GRADER,
                       "a report of %zu bytes cannot be stored; the limit is %d bytes", length,
                       ARCHIVE_BYTES_MAX);
        return ERROR_LIMIT;
    }
    query_begin(&query, store,
                "INSERT INTO archives (run, bytes) VALUES (?, ?)"
                " ON CONFLICT (run) DO UPDATE SET bytes = excluded.bytes",
                diagnostic);
    query_integer(&query, run);
    query_blob(&query, packed, packed_length);
    enum error error = query_finish(&query);
    free(packed);
    return error;
}

static enum error put_run(struct store *store, const struct store_result *result, int64_t *out_run,
                          struct diagnostic *diagnostic)
{
    int64_t machine = 0, run = 0;

    enum error error = put_machine(store, result->report, &machine, diagnostic);
    if (error == ERROR_NONE) {
        error = put_row(store, result, machine, &run, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = put_criteria(store, run, result->report, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = put_findings(store, run, result->report, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = put_device_code(store, run, result->report, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = put_archive(store, run, result->outcome->archive, result->outcome->archive_length,
                            diagnostic);
    }
    *out_run = run;
    return error;
}

static enum error put_graded(struct store *store, const struct store_result *result,
                             struct diagnostic *diagnostic)
{
    struct query query;
    int64_t run = 0;

    enum error error = put_run(store, result, &run, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    query_begin(&query, store,
                "UPDATE submissions SET state = 'graded', run = ?, content = ?, message = '',"
                " seconds = ? WHERE id = ?",
                diagnostic);
    query_integer(&query, run);
    query_text(&query, result->outcome->content);
    query_number(&query, result->seconds);
    query_integer(&query, result->submission);
    return query_finish(&query);
}

static enum error put_nothing(struct store *store, const struct store_result *result,
                              struct diagnostic *diagnostic)
{
    struct query query;

    query_begin(&query, store,
                "UPDATE submissions SET state = 'nothing', run = NULL, content = ?, message = ?,"
                " seconds = ? WHERE id = ?",
                diagnostic);
    query_text(&query, result->outcome->content);
    query_text(&query, result->outcome->message);
    query_number(&query, result->seconds);
    query_integer(&query, result->submission);
    return query_finish(&query);
}

/* What was graded before stays graded: a machine that fails today takes no marks away. */
static enum error put_trouble(struct store *store, const struct store_result *result,
                              struct diagnostic *diagnostic)
{
    struct query query;

    query_begin(&query, store,
                "UPDATE submissions SET state = 'trouble', content = ?, message = ?, seconds = ?"
                " WHERE id = ? AND state NOT IN ('graded', 'nothing')",
                diagnostic);
    query_text(&query, result->outcome->content);
    query_text(&query, result->outcome->message);
    query_number(&query, result->seconds);
    query_integer(&query, result->submission);
    enum error error = query_finish(&query);
    if (error != ERROR_NONE) {
        return error;
    }
    query_begin(&query, store,
                "INSERT INTO events (at, kind, about, message)"
                " SELECT ?, 'trouble', submission, ? FROM submissions WHERE id = ?",
                diagnostic);
    query_integer(&query, (int64_t)time(NULL));
    query_text(&query, result->outcome->message);
    query_integer(&query, result->submission);
    return query_finish(&query);
}

static enum error put_kind(struct store *store, const struct store_result *result,
                           struct diagnostic *diagnostic)
{
    switch (result->outcome->kind) {
    case OUTCOME_GRADED:
        return put_graded(store, result, diagnostic);
    case OUTCOME_NOTHING:
        return put_nothing(store, result, diagnostic);
    default:
        return put_trouble(store, result, diagnostic);
    }
}

enum error store_put_result(struct store *store, const struct store_result *result,
                            struct diagnostic *diagnostic)
{
    enum error error = store_begin(store, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    error = count_try(store, result->submission, diagnostic);
    if (error == ERROR_NONE) {
        error = put_kind(store, result, diagnostic);
    }
    return store_settle(store, error, diagnostic);
}

static enum error put_rank(struct store *store, int64_t run, const struct report *report,
                           struct diagnostic *diagnostic)
{
    const struct report_rank rank = rank_of(report);
    struct query query;

    query_begin(&query, store, "UPDATE runs SET ranked = ?, gpu = ? WHERE id = ?", diagnostic);
    query_number(&query, rank.value);
    query_text(&query, rank.gpu);
    query_integer(&query, run);
    return query_finish(&query);
}

enum error store_put_marks(struct store *store, int64_t run, const struct report *report,
                           struct diagnostic *diagnostic)
{
    struct text archive;

    enum error error = store_begin(store, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    text_init(&archive);
    report_archive_write(report, &archive);
    error = put_criteria(store, run, report, diagnostic);
    if (error == ERROR_NONE) {
        error = put_rank(store, run, report, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = put_archive(store, run, archive.bytes, archive.length, diagnostic);
    }
    text_release(&archive);
    return store_settle(store, error, diagnostic);
}
