/* store_submissions.c: the class as it was handed in; see store.h. */
#include "batch/pseudonym.h"
#include "batch/store_query.h"

#include "base/text.h"

#include <inttypes.h>

/* What is not said takes nothing back; see class_known.h. */
#define KEEP_OR(column, value) #column " = iif(" value " = '', " #column ", " value ")"

/* The same of what an export says. A roster knows better. */
#define FILL_OR(column, value)                                                                     \
#column " = iif(" value " = '' OR (was_in_roster AND " #column " <> ''), " #column ", " value  \
            ")"

static const char put_student[] =
    "INSERT INTO students (student, pseudonym, in_roster, name, email, canvas_id, login, moodle_id)"
    " VALUES (?1, ?2, 0, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (student) DO UPDATE SET "   //
    FILL_OR(name, "?3") ", " FILL_OR(email, "?4") ", " FILL_OR(canvas_id, "?5") ", " //
    FILL_OR(login, "?6") ", " FILL_OR(moodle_id, "?7");

static const char rename_student[] =
    "UPDATE students SET student = ?1, pseudonym = ?2 WHERE student = ?3"
    " AND NOT EXISTS (SELECT 1 FROM students WHERE student = ?1)";

static const char put_person[] =
    "INSERT INTO students (student, pseudonym, in_roster, was_in_roster, person_id, name, email,"
    " canvas_id, sis_id, login, section, moodle_id, submitted)"
    " VALUES (?1, ?2, 1, 1, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
    " ON CONFLICT (student) DO UPDATE SET in_roster = 1, was_in_roster = 1, "          //
    KEEP_OR(person_id, "?3") ", " KEEP_OR(name, "?4") ", " KEEP_OR(email, "?5") ", "   //
    KEEP_OR(canvas_id, "?6") ", " KEEP_OR(sis_id, "?7") ", " KEEP_OR(login, "?8") ", " //
    KEEP_OR(section, "?9") ", " KEEP_OR(moodle_id,
                                        "?10") ", " //
                                               "submitted = iif(?11 = 0, submitted, ?11)";

/* A time that came before belongs to the files of then. Other files are pending; the same ones, at
 * another place or back again, are not. */
static const char put_submission[] =
    "INSERT INTO submissions (student, submission, pseudonym, path, is_folder, submitted, stamp)"
    " VALUES ((SELECT id FROM students WHERE student = ?1), ?2, ?3, ?4, ?5, ?6, ?7)"
    " ON CONFLICT (submission) DO UPDATE SET student = excluded.student, path = excluded.path,"
    " is_folder = excluded.is_folder, is_gone = 0,"
    " submitted = iif(excluded.submitted = 0, submitted, excluded.submitted),"
    " state = iif(stamp = ?7, state, 'pending'), run = iif(stamp = ?7, run, NULL),"
    " message = iif(stamp = ?7, message, ''), tries = iif(stamp = ?7, tries, 0),"
    " time_content = iif(?6 <> 0 AND ?6 <> submitted, '',"
    " iif(time_content = '' AND stamp <> ?7, content, time_content)),"
    " content = iif(stamp = ?7, content, ''), stamp = ?7";

static enum error put_students(struct store *store, const struct class_list *list, const char *key,
                               struct diagnostic *diagnostic)
{
    char pseudonym[PSEUDONYM_BYTES];
    struct query query;

    query_begin(&query, store, put_student, diagnostic);
    for (size_t i = 0; i < list->entry_count && query.error == ERROR_NONE; i++) {
        const struct class_entry *entry = &list->entries[i];
        pseudonym_make(key, "student", entry->student, pseudonym);
        query_text(&query, entry->student);
        query_text(&query, pseudonym);
        query_text(&query, entry->name);
        query_text(&query, entry->email);
        query_text(&query, entry->canvas_id);
        query_text(&query, entry->login);
        query_text(&query, entry->moodle_id);
        query_run(&query);
    }
    return query_end(&query);
}

/* Those whose key has changed stay who they are, with all that is theirs. */
static enum error rename_people(struct store *store, const struct class_list *list, const char *key,
                                struct diagnostic *diagnostic)
{
    char pseudonym[PSEUDONYM_BYTES];
    struct query query;

    query_begin(&query, store, rename_student, diagnostic);
    for (size_t i = 0; i < list->person_count && query.error == ERROR_NONE; i++) {
        const struct class_person *person = &list->people[i];
        if (person->before != NULL) {
            pseudonym_make(key, "student", person->student, pseudonym);
            query_text(&query, person->student);
            query_text(&query, pseudonym);
            query_text(&query, person->before);
            query_run(&query);
        }
    }
    return query_end(&query);
}

static enum error put_people(struct store *store, const struct class_list *list, const char *key,
                             struct diagnostic *diagnostic)
{
    char pseudonym[PSEUDONYM_BYTES];
    struct query query;

    if (list->person_count == 0) {
        return ERROR_NONE;
    }
    enum error error = store_execute(store, "UPDATE students SET in_roster = 0", diagnostic);
    if (error == ERROR_NONE) {
        error = rename_people(store, list, key, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    query_begin(&query, store, put_person, diagnostic);
    for (size_t i = 0; i < list->person_count && query.error == ERROR_NONE; i++) {
        const struct class_person *person = &list->people[i];
        pseudonym_make(key, "student", person->student, pseudonym);
        query_text(&query, person->student);
        query_text(&query, pseudonym);
        query_text(&query, person->id);
        query_text(&query, person->name);
        query_text(&query, person->email);
        query_text(&query, person->canvas_id);
        query_text(&query, person->sis_id);
        query_text(&query, person->login);
        query_text(&query, person->section);
        query_text(&query, person->moodle_id);
        query_integer(&query, person->submitted);
        query_run(&query);
    }
    return query_end(&query);
}

static enum error put_submissions(struct store *store, const struct class_list *list,
                                  const char *key, struct diagnostic *diagnostic)
{
    char pseudonym[PSEUDONYM_BYTES];
    struct query query;

    enum error error = store_execute(store, "UPDATE submissions SET is_gone = 1", diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    query_begin(&query, store, put_submission, diagnostic);
    for (size_t i = 0; i < list->entry_count && query.error == ERROR_NONE; i++) {
        const struct class_entry *entry = &list->entries[i];
        pseudonym_make(key, "work", entry->submission, pseudonym);
        query_text(&query, entry->student);
        query_text(&query, entry->submission);
        query_text(&query, pseudonym);
        query_text(&query, entry->path);
        query_integer(&query, entry->is_folder);
        query_integer(&query, entry->submitted);
        query_text(&query, entry->stamp);
        query_run(&query);
    }
    return query_end(&query);
}

/* Whose the submissions are before a class is put. */
static const char note_holders[] =
    "CREATE TEMP TABLE held AS SELECT submission, student FROM submissions WHERE NOT is_gone";

/* Decisions go with the submissions: where all that a student had are found to be those of one
 * person, as by a roster that came later, they are about that person. */
static const char move_decisions[] =
    "CREATE TEMP TABLE moved AS SELECT h.student AS old, min(s.student) AS new FROM held h"
    " JOIN submissions s USING (submission) JOIN students t ON t.id = h.student"
    " WHERE NOT t.in_roster GROUP BY h.student"
    " HAVING min(s.student) = max(s.student) AND min(s.student) <> h.student;"
    "UPDATE decisions SET student = (SELECT new FROM moved WHERE old = student)"
    " WHERE student IN (SELECT old FROM moved);"
    "DROP TABLE moved; DROP TABLE held";

/* How many submissions there are, how many of them pending, and how many are gone. */
static enum error log_class(struct store *store, struct diagnostic *diagnostic)
{
    return store_execute(
        store,
        "INSERT INTO events (at, kind, about, message) SELECT CAST(strftime('%s', 'now') AS "
        "INTEGER), 'class', '',"
        " printf('%d submissions, %d to be graded, %d gone', ifnull(sum(NOT is_gone), 0),"
        " ifnull(sum(state = 'pending' AND NOT is_gone), 0), ifnull(sum(is_gone), 0))"
        " FROM submissions",
        diagnostic);
}

enum error store_put_class(struct store *store, const struct class_list *list,
                           struct diagnostic *diagnostic)
{
    struct arena *arena = arena_new();
    const char *key = "";

    enum error error = store_begin(store, diagnostic);
    if (error == ERROR_NONE) {
        error = store_setting(store, arena, "pseudonym_key", &key, diagnostic);
        if (error == ERROR_NONE) {
            error = put_people(store, list, key, diagnostic);
        }
        if (error == ERROR_NONE) {
            error = put_students(store, list, key, diagnostic);
        }
        if (error == ERROR_NONE) {
            error = store_execute(store, note_holders, diagnostic);
        }
        if (error == ERROR_NONE) {
            error = put_submissions(store, list, key, diagnostic);
        }
        if (error == ERROR_NONE) {
            error = store_execute(store, move_decisions, diagnostic);
        }
        if (error == ERROR_NONE) { /* whose submissions were found to be somebody else's */
            error = store_execute(store,
                                  "DELETE FROM students WHERE NOT in_roster"
                                  " AND id NOT IN (SELECT student FROM submissions)"
                                  " AND id NOT IN (SELECT student FROM decisions)",
                                  diagnostic);
        }
        if (error == ERROR_NONE) {
            error = log_class(store, diagnostic);
        }
        error = store_settle(store, error, diagnostic);
    }
    arena_free(arena);
    return error;
}

static enum error read_known_students(struct store *store, struct arena *arena,
                                      struct class_known *known, struct diagnostic *diagnostic)
{
    struct class_known_student *students = NULL;
    size_t capacity = 0;
    struct query query;

    query_begin(&query, store,
                "SELECT student, person_id, name, email, canvas_id, sis_id, login, section,"
                " moodle_id, iif(submitted <> 0, submitted, ifnull((SELECT max(s.submitted)"
                " FROM submissions s WHERE s.student = students.id), 0)), in_roster, was_in_roster"
                " FROM students ORDER BY student",
                diagnostic);
    while (query_row(&query)) {
        arena_grow(arena, &students, &capacity, known->student_count + 1, sizeof *students);
        students[known->student_count++] = (struct class_known_student){
            .person =
                {
                    .student = query_get_text(&query, 0, arena),
                    .id = query_get_text(&query, 1, arena),
                    .name = query_get_text(&query, 2, arena),
                    .email = query_get_text(&query, 3, arena),
                    .canvas_id = query_get_text(&query, 4, arena),
                    .sis_id = query_get_text(&query, 5, arena),
                    .login = query_get_text(&query, 6, arena),
                    .section = query_get_text(&query, 7, arena),
                    .moodle_id = query_get_text(&query, 8, arena),
                    .submitted = query_get_integer(&query, 9),
                },
            .in_roster = query_get_integer(&query, 10) != 0,
            .was_in_roster = query_get_integer(&query, 11) != 0,
        };
    }
    known->students = students;
    return query_end(&query);
}

static enum error read_known_submissions(struct store *store, struct arena *arena,
                                         struct class_known *known, struct diagnostic *diagnostic)
{
    struct class_known_submission *submissions = NULL;
    size_t capacity = 0;
    struct query query;

    query_begin(&query, store,
                "SELECT w.submission, s.student, w.submitted, w.is_gone FROM submissions w"
                " JOIN students s ON s.id = w.student ORDER BY w.submission",
                diagnostic);
    while (query_row(&query)) {
        arena_grow(arena, &submissions, &capacity, known->submission_count + 1,
                   sizeof *submissions);
        submissions[known->submission_count++] = (struct class_known_submission){
            .submission = query_get_text(&query, 0, arena),
            .student = query_get_text(&query, 1, arena),
            .submitted = query_get_integer(&query, 2),
            .is_gone = query_get_integer(&query, 3) != 0,
        };
    }
    known->submissions = submissions;
    return query_end(&query);
}

enum error store_known(struct store *store, struct arena *arena, struct class_known *out_known,
                       struct diagnostic *diagnostic)
{
    struct class_known known = {.student_count = 0};
    enum error error = read_known_students(store, arena, &known, diagnostic);

    if (error == ERROR_NONE) {
        error = read_known_submissions(store, arena, &known, diagnostic);
    }
    if (error == ERROR_NONE) {
        *out_known = known;
    }
    return error;
}
