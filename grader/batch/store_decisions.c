/* store_decisions.c: what people decided about students; see store.h. A decision is never changed
 * and never deleted, but for the mark that it was undone. */
#include "batch/person_index.h"
#include "batch/store_query.h"

#include "base/near_word.h"
#include "base/text.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

static const char unknown_kind[] = "a decision is of a kind that is not known";

struct store_people {
    struct store *store;
    struct class_known known;
    struct person_index index; /* by the place in known.students */
};

static enum error refuse_student(const struct class_known *known, const char *word, bool is_several,
                                 struct diagnostic *diagnostic)
{
    struct near_word near = near_word_start(word);

    if (is_several) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       "several students could be '%s'; use the id, which is the first column of "
                       "gpugrade report --format csv",
                       word);
        return ERROR_NOT_FOUND;
    }
    for (size_t i = 0; i < known->student_count; i++) {
        near_word_offer(&near, known->students[i].person.student);
        near_word_offer(&near, known->students[i].person.name);
        near_word_offer(&near, known->students[i].person.email);
    }
    diagnostic_set(diagnostic, BLAME_USAGE,
                   "there is no student '%s'%s the first columns of gpugrade report --format csv "
                   "list them",
                   word, near_word_question(&near, ""));
    return ERROR_NOT_FOUND;
}

enum error store_people(struct store *store, struct arena *arena,
                        const struct store_people **out_people, struct diagnostic *diagnostic)
{
    struct store_people *people = arena_alloc(arena, sizeof *people);
    enum error error = store_known(store, arena, &people->known, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    people->store = store;
    people->index = (struct person_index){.arena = arena};
    for (size_t i = 0; i < people->known.student_count; i++) {
        person_index_add(&people->index, &people->known.students[i].person, i);
    }
    person_index_sort(&people->index);
    *out_people = people;
    return ERROR_NONE;
}

enum error store_find_student(const struct store_people *people, const char *word,
                              struct store_student *out_student, struct diagnostic *diagnostic)
{
    const struct class_entry meant = {.student = word,
                                      .name = word,
                                      .email = word,
                                      .canvas_id = word,
                                      .login = word,
                                      .moodle_id = word};
    struct store_student student = {.id = 0};
    struct query query;

    long found = person_index_find(&people->index, &meant);
    if (found < 0) {
        return refuse_student(&people->known, word, found == PERSON_SEVERAL, diagnostic);
    }
    student.student = people->known.students[found].person.student;
    query_begin(&query, people->store, "SELECT id FROM students WHERE student = ?", diagnostic);
    query_text(&query, student.student);
    if (query_row(&query)) {
        student.id = query_get_integer(&query, 0);
    }
    enum error error = query_end(&query);
    if (error == ERROR_NONE) {
        *out_student = student;
    }
    return error;
}

static bool is_same(const struct class_decision *one, const struct class_decision *other)
{
    return one->kind == other->kind && strcmp(one->about, other->about) == 0 &&
           one->value == other->value && strcmp(one->text, other->text) == 0;
}

/* Finds the same decision among those that hold, or the one whose place it takes. The one that
 * holds of those that replace each other is the newest. */
static enum error find_holding(struct store *store, struct arena *arena, int64_t student,
                               const struct class_decision *decision,
                               struct store_decided *out_found, struct diagnostic *diagnostic)
{
    struct query query;
    bool is_found = false;

    query_begin(&query, store,
                "SELECT id, kind, about, value, text FROM decisions WHERE student = ?"
                " AND undone_at = 0 ORDER BY id DESC",
                diagnostic);
    query_integer(&query, student);
    while (!is_found && query_row(&query)) {
        struct class_decision found = {.number = query_get_integer(&query, 0),
                                       .about = query_get_text(&query, 2, arena),
                                       .value = query_get_number(&query, 3),
                                       .text = query_get_text(&query, 4, arena)};
        if (!decision_find(query_peek_text(&query, 1), &found.kind)) {
            query.error = store_damaged(store, unknown_kind, diagnostic);
        } else if (is_same(&found, decision)) {
            out_found->number = found.number;
            is_found = true;
        } else if (decision_replaces(decision, &found)) {
            out_found->replaced = found;
            is_found = true;
        }
    }
    return query_end(&query);
}

static enum error put_decision(struct store *store, int64_t student,
                               const struct class_decision *decision, int64_t *out_number,
                               struct diagnostic *diagnostic)
{
    struct query query;

    query_begin(&query, store,
                "INSERT INTO decisions (student, kind, about, value, text, made_at, made_by)"
                " VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id",
                diagnostic);
    query_integer(&query, student);
    query_text(&query, decision_name(decision->kind));
    query_text(&query, decision->about);
    query_number(&query, decision->value);
    query_text(&query, decision->text);
    query_integer(&query, (int64_t)time(NULL));
    query_text(&query, decision->made_by);
    if (query_row(&query)) {
        *out_number = query_get_integer(&query, 0);
    }
    return query_finish(&query);
}

/* Appends the names of what a student handed in, oldest first: "'first.zip', 'second.zip'". */
static enum error list_attempts(struct store *store, int64_t student, struct text *out,
                                struct diagnostic *diagnostic)
{
    struct query query;
    const char *between = "";

    query_begin(&query, store,
                "SELECT submission FROM submissions WHERE student = ? ORDER BY submitted, id",
                diagnostic);
    query_integer(&query, student);
    while (query_row(&query)) {
        text_printf(out, "%s'%s'", between, query_peek_text(&query, 0));
        between = ", ";
    }
    return query_end(&query);
}

/* An attempt that is dropped must be one of the student's. */
static enum error check_drop(struct store *store, int64_t student,
                             const struct class_decision *decision, struct diagnostic *diagnostic)
{
    struct text known;
    struct query query;

    if (decision->kind != DECISION_DROP) {
        return ERROR_NONE;
    }
    query_begin(&query, store, "SELECT 1 FROM submissions WHERE student = ? AND submission = ?",
                diagnostic);
    query_integer(&query, student);
    query_text(&query, decision->about);
    bool is_there = query_row(&query);
    enum error error = query_end(&query);
    if (error != ERROR_NONE || is_there) {
        return error;
    }
    text_init(&known);
    error = list_attempts(store, student, &known, diagnostic);
    if (error == ERROR_NONE) {
        diagnostic_set(diagnostic, BLAME_USAGE, "this student handed in no '%s'; what there is: %s",
                       decision->about, known.length > 0 ? known.bytes : "nothing");
        error = ERROR_NOT_FOUND;
    }
    text_release(&known);
    return error;
}

enum error store_decide(struct store *store, struct arena *arena, int64_t student,
                        const struct class_decision *decision, struct store_decided *out_decided,
                        struct diagnostic *diagnostic)
{
    struct store_decided decided = {.number = 0};
    enum error error = store_begin(store, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    error = check_drop(store, student, decision, diagnostic);
    if (error == ERROR_NONE) {
        error = find_holding(store, arena, student, decision, &decided, diagnostic);
    }
    decided.is_new = error == ERROR_NONE && decided.number == 0;
    if (decided.is_new) {
        error = put_decision(store, student, decision, &decided.number, diagnostic);
    }
    error = store_settle(store, error, diagnostic);
    if (error == ERROR_NONE) {
        *out_decided = decided;
    }
    return error;
}

static enum error mark_undone(struct store *store, int64_t number, const char *by,
                              struct diagnostic *diagnostic)
{
    struct query query;
    int64_t undone_at = -1;

    query_begin(&query, store, "SELECT undone_at FROM decisions WHERE id = ?", diagnostic);
    query_integer(&query, number);
    if (query_row(&query)) {
        undone_at = query_get_integer(&query, 0);
    }
    enum error error = query_end(&query);
    if (error != ERROR_NONE) {
        return error;
    }
    if (undone_at != 0) {
        diagnostic_set(diagnostic, BLAME_USAGE,
                       undone_at < 0 ? "there is no decision %" PRId64
                                       "; gpugrade mark RESULTS lists them"
                                     : "decision %" PRId64 " was undone before",
                       number);
        return undone_at < 0 ? ERROR_NOT_FOUND : ERROR_EXISTS;
    }
    query_begin(&query, store, "UPDATE decisions SET undone_at = ?, undone_by = ? WHERE id = ?",
                diagnostic);
    query_integer(&query, (int64_t)time(NULL));
    query_text(&query, by);
    query_integer(&query, number);
    return query_finish(&query);
}

enum error store_undo(struct store *store, int64_t number, const char *by,
                      struct diagnostic *diagnostic)
{
    enum error error = store_begin(store, diagnostic);

    return error != ERROR_NONE
               ? error
               : store_settle(store, mark_undone(store, number, by, diagnostic), diagnostic);
}

enum error store_decisions(struct store *store, struct arena *arena,
                           const struct store_decision **out_decisions, size_t *out_count,
                           struct diagnostic *diagnostic)
{
    struct store_decision *decisions = NULL;
    size_t capacity = 0, count = 0;
    struct query query;

    query_begin(&query, store,
                "SELECT d.student, s.student, d.id, d.kind, d.about, d.value, d.text, d.made_at,"
                " d.made_by, d.undone_at, d.undone_by FROM decisions d"
                " JOIN students s ON s.id = d.student ORDER BY d.student, d.id",
                diagnostic);
    while (query_row(&query)) {
        arena_grow(arena, &decisions, &capacity, count + 1, sizeof *decisions);
        struct store_decision *read = &decisions[count++];
        *read = (struct store_decision){
            .student = {query_get_integer(&query, 0), query_get_text(&query, 1, arena)},
            .decision = {.number = query_get_integer(&query, 2),
                         .about = query_get_text(&query, 4, arena),
                         .value = query_get_number(&query, 5),
                         .text = query_get_text(&query, 6, arena),
                         .made_at = query_get_integer(&query, 7),
                         .made_by = query_get_text(&query, 8, arena),
                         .undone_at = query_get_integer(&query, 9),
                         .undone_by = query_get_text(&query, 10, arena)},
        };
        if (!decision_find(query_peek_text(&query, 3), &read->decision.kind)) {
            query.error = store_damaged(store, unknown_kind, diagnostic);
        }
    }
    enum error error = query_end(&query);
    if (error == ERROR_NONE) {
        *out_decisions = decisions;
        *out_count = count;
    }
    return error;
}

const struct class_decision *store_replacement(const struct store_decision *decisions, size_t count,
                                               size_t index)
{
    const struct store_decision *told = &decisions[index];
    const struct class_decision *found = NULL;

    for (size_t i = index + 1;
         i < count && told->decision.undone_at == 0 && decisions[i].student.id == told->student.id;
         i++) {
        const struct class_decision *later = &decisions[i].decision;
        if (later->undone_at == 0 && decision_replaces(later, &told->decision)) {
            found = later;
        }
    }
    return found;
}
