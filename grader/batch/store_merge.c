/* store_merge.c: takes over what another store has graded; see store.h.
 *
 * The other file is attached, so that all of it is one transaction of this one; the lock of the
 * other is held meanwhile: nobody grades into it. It is opened by one connection at a time, so that
 * it needs no memory shared with another one (STORE_ALONE). Rows are found again by what names
 * them: the submission, the key of a run, the line of a machine.
 */
#include "batch/store_query.h"

#include "base/text.h"

#include <string.h>
#include <sys/stat.h>

/* Conditions on a run: some criterion of it is in error. */
#define ERROR_HERE "EXISTS (SELECT 1 FROM main.criteria WHERE run = m.run AND status = 'error')"
#define ERROR_THERE "EXISTS (SELECT 1 FROM other.criteria WHERE run = o.run AND status = 'error')"

/* `taken`: what is taken over, with the number here and the number there. Files that have changed
 * between the two gradings (another stamp) stay to be graded here. */
static const char list_taken[] =
    "CREATE TEMP TABLE taken AS SELECT m.id AS id, o.id AS other, o.run AS other_run"
    " FROM main.submissions m JOIN other.submissions o ON o.submission = m.submission"
    " WHERE o.state <> 'pending' AND m.stamp = o.stamp AND (m.state = 'pending'"
    " OR (m.state = 'trouble' AND (o.state <> 'trouble' OR o.tries > m.tries))"
    " OR (m.state = 'graded' AND " ERROR_HERE " AND o.state <> 'trouble'"
    "     AND (NOT " ERROR_THERE " OR o.tries > m.tries)))";

static const char take_machines[] =
    "INSERT INTO main.machines (text) SELECT DISTINCT text FROM other.machines"
    " WHERE id IN (SELECT machine FROM other.runs) ON CONFLICT (text) DO NOTHING";

/* `new_runs`: the number there, and the key, of runs that are not here yet, or by an older rubric,
 * or with a criterion in error. */
static const char list_new_runs[] =
    "CREATE TEMP TABLE new_runs AS SELECT DISTINCT o.id AS other, o.content, o.evidence, o.seed"
    " FROM taken t JOIN other.runs o ON o.id = t.other_run WHERE NOT EXISTS (SELECT 1"
    " FROM main.runs m WHERE m.content = o.content AND m.evidence = o.evidence"
    " AND m.seed = o.seed AND m.rubric = (SELECT CAST(value AS INTEGER) FROM main.settings"
    " WHERE name = 'rubric') AND NOT EXISTS (SELECT 1 FROM main.criteria"
    " WHERE run = m.id AND status = 'error'))";

static const char take_runs[] =
    "INSERT INTO main.runs (content, evidence, seed, rubric, machine, grader, started, seconds,"
    " speedup, ranked, gpu) SELECT o.content, o.evidence, o.seed, (SELECT CAST(value AS INTEGER)"
    " FROM main.settings WHERE name = 'rubric'), (SELECT id FROM main.machines WHERE text ="
    " (SELECT text FROM other.machines WHERE id = o.machine)), o.grader, o.started, o.seconds,"
    " o.speedup, o.ranked, o.gpu FROM other.runs o WHERE o.id IN (SELECT other FROM new_runs)"
    " ON CONFLICT (content, evidence, seed) DO UPDATE SET rubric = excluded.rubric,"
    " machine = excluded.machine, grader = excluded.grader, started = excluded.started,"
    " seconds = excluded.seconds, speedup = excluded.speedup, ranked = excluded.ranked,"
    " gpu = excluded.gpu";

/* `numbers`: of each run that is taken, there and here. */
static const char list_numbers[] =
    "CREATE TEMP TABLE numbers AS SELECT n.other AS other, m.id AS id FROM new_runs n"
    " JOIN main.runs m USING (content, evidence, seed)";

static const char take_children[] =
    "DELETE FROM main.criteria WHERE run IN (SELECT id FROM numbers); "
    "DELETE FROM main.findings WHERE run IN (SELECT id FROM numbers); "
    "DELETE FROM main.device_code WHERE run IN (SELECT id FROM numbers); "
    "DELETE FROM main.archives WHERE run IN (SELECT id FROM numbers); "
    "INSERT INTO main.criteria (run, criterion, status, points, code)"
    " SELECT n.id, o.criterion, o.status, o.points, o.code"
    " FROM numbers n JOIN other.criteria o ON o.run = n.other; "
    "INSERT INTO main.findings (run, number, code, severity, message, kernel, launch, count, file,"
    " line) SELECT n.id, o.number, o.code, o.severity, o.message, o.kernel, o.launch, o.count,"
    " o.file, o.line FROM numbers n JOIN other.findings o ON o.run = n.other; "
    "INSERT INTO main.device_code (run, program, instructions, marks)"
    " SELECT n.id, o.program, o.instructions, o.marks"
    " FROM numbers n JOIN other.device_code o ON o.run = n.other; "
    "INSERT INTO main.archives (run, bytes)"
    " SELECT n.id, o.bytes FROM numbers n JOIN other.archives o ON o.run = n.other";

static const char take_known[] =
    "INSERT INTO main.known_code (evidence, program, instructions, marks)"
    " SELECT evidence, program, instructions, marks FROM other.known_code"
    " WHERE NOT EXISTS (SELECT 1 FROM main.known_code) ORDER BY id";

static const char take_submissions[] =
    "UPDATE main.submissions SET state = o.state, content = o.content, message = o.message,"
    " tries = o.tries, seconds = o.seconds, run = (SELECT m.id FROM main.runs m JOIN other.runs r"
    " ON r.content = m.content AND r.evidence = m.evidence AND r.seed = m.seed WHERE r.id = o.run)"
    " FROM taken t JOIN other.submissions o ON o.id = t.other"
    " WHERE main.submissions.id = t.id";

static const char drop_lists[] = "DROP TABLE IF EXISTS temp.taken;"
                                 "DROP TABLE IF EXISTS temp.new_runs;"
                                 "DROP TABLE IF EXISTS temp.numbers";

static enum error refuse_other(const struct store *store, const struct store *other,
                               const char *what, struct diagnostic *diagnostic)
{
    diagnostic_set(diagnostic, BLAME_USAGE,
                   "%s has a different %s than %s: only parts of the same grading can be merged",
                   other->path, what, store->path);
    return ERROR_RANGE;
}

/* Both must have graded the same way. */
static enum error compare_settings(struct store *store, struct store *other, struct arena *arena,
                                   struct diagnostic *diagnostic)
{
    struct store_settings here, there;
    struct store_rubric rubric_here, rubric_there;

    enum error error = store_settings(store, arena, &here, diagnostic);
    if (error == ERROR_NONE) {
        error = store_settings(other, arena, &there, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = store_rubric(store, arena, &rubric_here, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = store_rubric(other, arena, &rubric_there, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    if (strcmp(here.coursework, there.coursework) != 0) {
        return refuse_other(store, other, "coursework", diagnostic);
    }
    if (strcmp(here.options, there.options) != 0) {
        return refuse_other(store, other, "set of options", diagnostic);
    }
    if (here.seed != there.seed) {
        return refuse_other(store, other, "seed", diagnostic);
    }
    if (strcmp(rubric_here.sha256, rubric_there.sha256) != 0) {
        return refuse_other(store, other, "rubric", diagnostic);
    }
    if (strcmp(rubric_here.evidence, rubric_there.evidence) != 0) {
        return refuse_other(store, other, "set of coursework files", diagnostic);
    }
    return ERROR_NONE;
}

static enum error refuse_unknown(struct store *store, const struct store *other,
                                 struct diagnostic *diagnostic)
{
    struct query query;
    enum error error = ERROR_NONE;

    query_begin(&query, store,
                "SELECT submission FROM other.submissions"
                " WHERE submission NOT IN (SELECT submission FROM main.submissions)"
                " ORDER BY submission LIMIT 1",
                diagnostic);
    if (query_row(&query)) {
        diagnostic_set(
            diagnostic, BLAME_USAGE,
            "%s has graded '%s', which is not in the class of %s; read in the class first",
            other->path, query_peek_text(&query, 0), store->path);
        error = ERROR_RANGE;
    }
    enum error query_error = query_end(&query);
    return query_error != ERROR_NONE ? query_error : error;
}

static enum error take_all(struct store *store, struct diagnostic *diagnostic)
{
    const char *const steps[] = {drop_lists,       list_taken,   take_machines, list_new_runs,
                                 take_runs,        list_numbers, take_children, take_known,
                                 take_submissions, drop_lists};
    enum error error = ERROR_NONE;

    for (size_t i = 0; error == ERROR_NONE && i < sizeof steps / sizeof steps[0]; i++) {
        error = store_execute(store, steps[i], diagnostic);
    }
    return error;
}

static enum error attach(struct store *store, const struct store *other,
                         struct diagnostic *diagnostic)
{
    const char *modes = store->is_alone
                            ? "PRAGMA locking_mode = EXCLUSIVE"
                            : "PRAGMA locking_mode = EXCLUSIVE; PRAGMA main.locking_mode = NORMAL";
    struct query query;

    enum error error = store_execute(store, modes, diagnostic); /* of what is attached */
    if (error != ERROR_NONE) {
        return error;
    }
    query_begin(&query, store, "ATTACH ? AS other", diagnostic);
    query_text(&query, other->path);
    return query_finish(&query);
}

/* A store that others read gives up nothing of that. */
static enum error detach(struct store *store, struct diagnostic *diagnostic)
{
    enum error error = store_execute(store, "DETACH other", diagnostic);

    if (error == ERROR_NONE && !store->is_alone) {
        error = store_execute(store, "PRAGMA locking_mode = NORMAL", diagnostic);
    }
    return error;
}

static enum error merge_open(struct store *store, struct store *other,
                             struct diagnostic *diagnostic)
{
    struct arena *arena = arena_new();

    enum error error = compare_settings(store, other, arena, diagnostic);
    arena_free(arena);
    if (error == ERROR_NONE) {
        sqlite3_close(other->db);
        other->db = NULL;
        error = attach(store, other, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    error = store_begin(store, diagnostic);
    if (error == ERROR_NONE) {
        error = refuse_unknown(store, other, diagnostic);
        if (error == ERROR_NONE) {
            error = take_all(store, diagnostic);
        }
        if (error == ERROR_NONE) {
            error = store_log(store, "merge", other->path, "", diagnostic);
        }
        error = store_settle(store, error, diagnostic);
    }
    enum error detached = detach(store, error == ERROR_NONE ? diagnostic : NULL);
    return error != ERROR_NONE ? error : detached;
}

/* True if the other folder holds this very store: its lock must not be touched. */
static bool is_same_file(const struct store *store, const char *other_folder)
{
    struct stat here, there;
    struct text path;

    text_init(&path);
    text_printf(&path, "%s/%s", other_folder, "gpugrade.sqlite");
    bool is_same = stat(store->path, &here) == 0 && stat(path.bytes, &there) == 0 &&
                   here.st_dev == there.st_dev && here.st_ino == there.st_ino;
    text_release(&path);
    return is_same;
}

enum error store_merge(struct store *store, const char *other_folder, struct diagnostic *diagnostic)
{
    struct store *other = NULL;

    if (is_same_file(store, other_folder)) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "%s cannot be merged with itself; name another folder", store->path);
        return ERROR_RANGE;
    }
    enum error error = store_open(other_folder, STORE_WRITE | STORE_ALONE, &other, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    error = merge_open(store, other, diagnostic);
    store_close(other);
    return error;
}
