/* store_class.c: all rows of a class, in a few passes over the tables; see store.h.
 *
 *     students                     --> one entry each
 *     decisions                    --> what people decided about them
 *     submissions, by student      --> attempts of the entries
 *     criteria, by submission      --> marks and raw points of the attempts; what was judged at all
 *     final_marks.h                --> which attempt is the row's, and its mark
 *     findings, by submission      --> counted over the rows: class_findings.h
 *     runs                         --> by what the class is ranked: class_ranks.h
 *
 * All passes see one state of the file, whoever writes meanwhile.
 */
#include "batch/class_findings.h"
#include "batch/class_ranks.h"
#include "batch/final_marks.h"
#include "batch/run_facts.h"
#include "batch/store_query.h"

#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS_PER_DAY = 86400 };

/* What keeps a submission from counting: it is not there, or a person dropped it. */
#define STANDING                                                                                   \
    "CASE WHEN s.is_gone THEN 2 WHEN EXISTS (SELECT 1 FROM decisions d"                            \
    " WHERE d.student = s.student AND d.kind = 'drop' AND d.about = s.submission"                  \
    " AND d.undone_at = 0) THEN 1 ELSE 0 END"

/* One submission of a student. */
struct reported_attempt {
    int64_t submission;             /* its number in the store */
    enum attempt_standing standing; /* OTHER: it can count */
    struct class_row told;
    bool has_old_time;
    struct class_mark *marks; /* [criterion_count]; NULL unless graded */
    double raw;
};

struct reported_to_student {
    int64_t id;
    struct class_row row; /* who it is */
    bool in_roster;
    struct reported_attempt *attempts; /* [handed_in_count], first those that can count, by time */
    size_t attempt_count;              /* that can count */
    size_t handed_in_count;
    struct final_terms terms;
};

struct class_reading {
    struct store *store;
    struct arena *arena;
    const struct rubric *rubric;
    bool pseudonyms;
    struct reported_to_student *students; /* [student_count] by number */
    size_t student_count;
    struct reported_attempt *attempts; /* [attempt_count] by student, as they have them */
    size_t attempt_count;
    struct final_seen *seen; /* [criterion_count] of the rubric */
    struct diagnostic *diagnostic;
};

static enum error read_students(struct class_reading *reading)
{
    size_t capacity = 0;
    struct query query;

    query_begin(&query, reading->store,
                "SELECT id, in_roster, pseudonym, student, name, email, canvas_id, sis_id, login,"
                " section, iif(moodle_id = '', person_id, moodle_id) FROM students ORDER BY id",
                reading->diagnostic);
    while (query_row(&query)) {
        struct arena *arena = reading->arena;
        arena_grow(arena, &reading->students, &capacity, reading->student_count + 1,
                   sizeof *reading->students);
        struct reported_to_student *student = &reading->students[reading->student_count++];
        *student = (struct reported_to_student){.id = query_get_integer(&query, 0),
                                                .in_roster = query_get_integer(&query, 1) != 0};
        student->row = (struct class_row){.name = "",
                                          .email = "",
                                          .canvas_id = "",
                                          .sis_id = "",
                                          .login = "",
                                          .section = "",
                                          .moodle_id = ""};
        student->row.student = query_get_text(&query, reading->pseudonyms ? 2 : 3, arena);
        if (reading->pseudonyms) {
            continue;
        }
        student->row.name = query_get_text(&query, 4, arena);
        student->row.email = query_get_text(&query, 5, arena);
        student->row.canvas_id = query_get_text(&query, 6, arena);
        student->row.sis_id = query_get_text(&query, 7, arena);
        student->row.login = query_get_text(&query, 8, arena);
        student->row.section = query_get_text(&query, 9, arena);
        student->row.moodle_id = query_get_text(&query, 10, arena);
    }
    return query_end(&query);
}

/* Without what names people, if names are made up. */
static struct class_decision read_decision(const struct class_reading *reading,
                                           const struct class_decision *decision)
{
    struct class_decision told = *decision;

    if (reading->pseudonyms) {
        told.about = told.kind == DECISION_DROP ? "" : told.about;
        told.text = told.made_by = "";
        told.made_at -= told.made_at % SECONDS_PER_DAY;
    }
    return told;
}

/* Gives each student the decisions that hold. */
static enum error read_decisions(struct class_reading *reading)
{
    const struct store_decision *decisions;
    size_t count = 0, at = 0;

    enum error error =
        store_decisions(reading->store, reading->arena, &decisions, &count, reading->diagnostic);
    struct class_decision *own = arena_array(reading->arena, count, sizeof *own);
    for (size_t i = 0; error == ERROR_NONE && i < reading->student_count; i++) {
        struct reported_to_student *student = &reading->students[i];
        struct class_row *row = &student->row;
        row->decisions = own;
        for (; at < count && decisions[at].student.id <= student->id; at++) {
            if (decisions[at].decision.undone_at == 0 &&
                store_replacement(decisions, count, at) == NULL) {
                own[row->decision_count++] = read_decision(reading, &decisions[at].decision);
            }
        }
        own += row->decision_count;
        student->terms = (struct final_terms){.rubric = reading->rubric,
                                              .decisions = row->decisions,
                                              .decision_count = row->decision_count};
    }
    return error;
}

/* The state by its name in the store; false if there is none. */
static bool state_find(const char *name, enum class_state *out_state)
{
    for (unsigned i = CLASS_GRADED; i <= CLASS_PENDING; i++) {
        if (strcmp(class_state_name((enum class_state)i), name) == 0) {
            *out_state = (enum class_state)i;
            return true;
        }
    }
    return false;
}

/* Why there are no points. What the grader says may name folders, and so people. */
static const char *trouble_of(const struct class_reading *reading, enum class_state state,
                              const char *message)
{
    if (state != CLASS_NOTHING && state != CLASS_TROUBLE) {
        return "";
    }
    if (!reading->pseudonyms) {
        return message;
    }
    return state == CLASS_NOTHING ? "nothing that can be graded was handed in"
                                  : "the grader or the machine failed";
}

/* The name of the first file of a path: of a file, a folder or loose files. */
static const char *file_of(const struct class_reading *reading, const char *path)
{
    const char *end = path + strcspn(path, "\n");
    const char *name = end;

    while (name > path && name[-1] != '/') {
        name--;
    }
    return arena_strndup(reading->arena, name, (size_t)(end - name));
}

static bool read_attempt(struct class_reading *reading, struct query *query,
                         struct reported_attempt *attempt)
{
    struct class_row *told = &attempt->told;

    static const enum attempt_standing standings[] = {ATTEMPT_OTHER, ATTEMPT_DROPPED, ATTEMPT_GONE};

    attempt->submission = query_get_integer(query, 1);
    attempt->standing = standings[query_get_integer(query, 14)];
    if (!state_find(query_peek_text(query, 2), &told->state)) {
        return false;
    }
    told->submission = query_get_text(query, reading->pseudonyms ? 3 : 4, reading->arena);
    told->file = reading->pseudonyms ? "" : file_of(reading, query_peek_text(query, 11));
    told->submitted = query_get_integer(query, 5);
    told->content = query_get_text(query, 6, reading->arena);
    told->trouble = trouble_of(reading, told->state, query_get_text(query, 7, reading->arena));
    told->tries = (uint32_t)query_get_integer(query, 8);
    told->seconds = query_get_number(query, 9);
    told->speedup = query_get_number(query, 10);
    told->ranked = query_get_number(query, 12);
    told->ranked_on = query_get_text(query, 13, reading->arena);
    attempt->has_old_time = query_get_integer(query, 15) != 0;
    if (told->state == CLASS_GRADED) {
        attempt->marks =
            arena_array(reading->arena, reading->rubric->criterion_count, sizeof *attempt->marks);
    }
    return true;
}

static enum error read_attempts(struct class_reading *reading)
{
    size_t capacity = 0, at = 0;
    struct query query;

    query_begin(
        &query, reading->store,
        "SELECT s.student, s.id, s.state, s.pseudonym, s.submission, s.submitted, s.content,"
        " s.message, s.tries, ifnull(r.seconds, s.seconds), ifnull(r.speedup, 0), s.path,"
        " ifnull(r.ranked, 0), ifnull(r.gpu, ''), " STANDING
        " AS standing, " HAS_OLD_TIME("s") " FROM submissions s LEFT JOIN runs r ON r.id = s.run"
                                           " ORDER BY s.student, standing > 0, s.submitted, s.id",
        reading->diagnostic);
    while (query_row(&query)) {
        int64_t student = query_get_integer(&query, 0);
        arena_grow(reading->arena, &reading->attempts, &capacity, reading->attempt_count + 1,
                   sizeof *reading->attempts);
        struct reported_attempt *attempt = &reading->attempts[reading->attempt_count++];
        *attempt = (struct reported_attempt){0};
        while (at < reading->student_count && reading->students[at].id < student) {
            at++;
        }
        if (at == reading->student_count || reading->students[at].id != student ||
            !read_attempt(reading, &query, attempt)) {
            query.error = store_damaged(reading->store, "a submission has no student or no state",
                                        reading->diagnostic);
            break;
        }
        reading->students[at].attempt_count += attempt->standing == ATTEMPT_OTHER;
        reading->students[at].handed_in_count++;
    }
    for (size_t i = 0, first = 0; i < reading->student_count && reading->attempts != NULL; i++) {
        reading->students[i].attempts = reading->attempts + first;
        first += reading->students[i].handed_in_count;
    }
    return query_end(&query);
}

/* A submission, and whose it is, in the order of submissions. */
struct place_of {
    int64_t submission;
    size_t index;
};

static int compare_places(const void *left_pointer, const void *right_pointer)
{
    const struct place_of *left = left_pointer, *right = right_pointer;

    return (left->submission > right->submission) - (left->submission < right->submission);
}

/* The place of a submission at or behind *at; false if it has none. Submissions are asked for in
 * their order. */
static bool next_place(const struct place_of *places, size_t count, int64_t submission, size_t *at)
{
    while (*at < count && places[*at].submission < submission) {
        (*at)++;
    }
    return *at < count && places[*at].submission == submission;
}

static bool read_mark(const struct class_reading *reading, struct query *query,
                      struct reported_attempt *attempt)
{
    const char *id = query_peek_text(query, 1);
    struct class_mark mark = {.is_judged = true, .points = query_get_number(query, 3)};

    if (!status_find(query_peek_text(query, 2), &mark.status) || attempt->marks == NULL) {
        return false;
    }
    if (!code_find(query_peek_text(query, 4), &mark.code)) {
        mark.code = CODE_NONE; /* of another version of the grader */
    }
    for (size_t i = 0; i < reading->rubric->criterion_count; i++) {
        if (strcmp(reading->rubric->criteria[i].id, id) == 0) {
            attempt->marks[i] = mark;
            break;
        }
    }
    return true;
}

static enum error read_marks(struct class_reading *reading)
{
    struct place_of *places = arena_array(reading->arena, reading->attempt_count, sizeof *places);
    struct query query;
    size_t at = 0;

    for (size_t i = 0; i < reading->attempt_count; i++) {
        places[i] = (struct place_of){.submission = reading->attempts[i].submission, .index = i};
    }
    qsort(places, reading->attempt_count, sizeof *places, compare_places);
    query_begin(&query, reading->store,
                "SELECT s.id, c.criterion, c.status, c.points, c.code"
                " FROM submissions s JOIN criteria c ON c.run = s.run ORDER BY s.id",
                reading->diagnostic);
    while (query_row(&query)) {
        if (!next_place(places, reading->attempt_count, query_get_integer(&query, 0), &at) ||
            !read_mark(reading, &query, &reading->attempts[places[at].index])) {
            query.error = store_damaged(reading->store, "a criterion has no run or no status",
                                        reading->diagnostic);
            break;
        }
    }
    return query_end(&query);
}

/* Adds up what attempts got, by the grader or by a person, and finds what marks are out of. */
static void sum_marks(struct class_reading *reading)
{
    const struct rubric *rubric = reading->rubric;

    for (size_t i = 0; i < reading->student_count; i++) {
        const struct reported_to_student *student = &reading->students[i];
        for (size_t k = 0; k < student->handed_in_count; k++) {
            struct reported_attempt *attempt = &student->attempts[k];
            if (attempt->marks == NULL) {
                continue;
            }
            final_grade(&student->terms, attempt->marks);
            for (size_t c = 0; c < rubric->criterion_count; c++) {
                const struct class_mark *mark = &attempt->marks[c];
                attempt->raw += mark->is_judged ? mark->points : 0;
                if (attempt->standing == ATTEMPT_OTHER) {
                    final_see(&reading->seen[c], mark);
                }
            }
        }
    }
    for (size_t i = 0; i < reading->student_count; i++) {
        reading->students[i].terms.maximum = final_maximum(rubric, reading->seen);
    }
}

/* The attempt that keeps its student from a mark: the last that is not settled, if it can be in
 * time. */
static size_t last_unsettled(const struct final_terms *terms, const struct attempt *attempts,
                             size_t count)
{
    size_t last = 0;

    for (size_t i = 0; i < count; i++) {
        bool is_late = final_mark(terms, 0, attempts[i].submitted).is_cut_off;
        bool last_is_late = final_mark(terms, 0, attempts[last].submitted).is_cut_off;
        if (!attempts[i].is_settled && (attempts[last].is_settled || !is_late || last_is_late)) {
            last = i;
        }
    }
    return last;
}

/* The attempt that a row shows: the one that counts. */
static struct reported_attempt *choose_attempt(const struct class_reading *reading,
                                               const struct reported_to_student *student)
{
    struct attempt *attempts =
        arena_array(reading->arena, student->attempt_count, sizeof *attempts);

    for (size_t i = 0; i < student->attempt_count; i++) {
        const struct reported_attempt *told = &student->attempts[i];
        attempts[i] = (struct attempt){.raw = told->raw,
                                       .submitted = told->told.submitted,
                                       .is_settled = told->told.state == CLASS_GRADED ||
                                                     told->told.state == CLASS_NOTHING};
    }
    int chosen = final_attempt(&student->terms, attempts, student->attempt_count);
    return &student->attempts[chosen >= 0 ? (size_t)chosen
                                          : last_unsettled(&student->terms, attempts,
                                                           student->attempt_count)];
}

static bool is_complete(const struct class_reading *reading, const struct class_mark *marks)
{
    for (size_t i = 0; i < reading->rubric->criterion_count; i++) {
        if (!marks[i].is_judged || !status_is_judged(marks[i].status)) {
            return false;
        }
    }
    return true;
}

/* A row, and which submission it shows. */
struct reported_row {
    struct class_row row;
    int64_t submission; /* 0: none */
};

/* The second at which something came says whose it is to those who know it: the day is left. */
static void blur(struct class_row *row)
{
    const int64_t late_s = row->final.late_s;

    row->submitted -= row->submitted % SECONDS_PER_DAY;
    row->final.late_s = (late_s + SECONDS_PER_DAY - 1) / SECONDS_PER_DAY * SECONDS_PER_DAY;
}

static int compare_attempts(const void *left_pointer, const void *right_pointer)
{
    const struct reported_attempt *left = left_pointer, *right = right_pointer;
    int64_t a = left->told.submitted, b = right->told.submitted;

    return a != b ? (a > b) - (a < b)
                  : (left->submission > right->submission) - (left->submission < right->submission);
}

/* Tells of all that a student handed in. Call it last: it sorts the attempts by time alone. */
static void tell_attempts(const struct class_reading *reading,
                          const struct reported_to_student *student, struct class_row *row)
{
    size_t count = student->handed_in_count;
    struct class_attempt *told = arena_array(reading->arena, count, sizeof *told);

    if (reading->pseudonyms || count == 0) {
        return;
    }
    qsort(student->attempts, count, sizeof *student->attempts, compare_attempts);
    for (size_t i = 0; i < count; i++) {
        const struct reported_attempt *attempt = &student->attempts[i];
        told[i] = (struct class_attempt){
            .submission = attempt->told.submission,
            .submitted = attempt->told.submitted,
            .state = attempt->told.state,
            .standing = attempt->standing,
            .has_old_time = attempt->has_old_time,
            .trouble = attempt->told.trouble,
            .final = final_mark(&student->terms, attempt->raw, attempt->told.submitted),
            .marks = attempt->marks,
        };
    }
    row->handed_in = told;
    row->handed_in_count = count;
}

static struct reported_row make_row(const struct class_reading *reading,
                                    const struct reported_to_student *student)
{
    struct reported_row made = {.row = student->row};
    struct class_row *row = &made.row;

    row->attempts = student->attempt_count;
    row->submission = row->file = row->content = row->trouble = row->ranked_on = row->alias = "";
    row->state = CLASS_MISSING;
    row->due = final_due(&student->terms);
    if (student->attempt_count == 0) {
        row->final = final_mark(&student->terms, 0, 0);
        tell_attempts(reading, student, row);
        return made;
    }
    struct reported_attempt *attempt = choose_attempt(reading, student);
    attempt->standing = ATTEMPT_COUNTS;
    made.submission = attempt->submission;
    row->submission = attempt->told.submission;
    row->file = attempt->told.file;
    row->submitted = attempt->told.submitted;
    row->content = attempt->told.content;
    row->state = attempt->told.state;
    row->trouble = attempt->told.trouble;
    row->marks = attempt->marks;
    row->tries = attempt->told.tries;
    row->seconds = attempt->told.seconds;
    row->speedup = attempt->told.speedup;
    row->ranked = attempt->told.ranked;
    row->ranked_on = attempt->told.ranked_on;
    if (row->state == CLASS_GRADED || row->state == CLASS_NOTHING) {
        row->final = final_mark(&student->terms, attempt->raw, row->submitted);
        row->is_complete = row->marks == NULL || is_complete(reading, row->marks);
    }
    if (reading->pseudonyms) {
        blur(row);
    }
    tell_attempts(reading, student, row);
    return made;
}

static int compare_rows(const void *left_pointer, const void *right_pointer)
{
    const struct reported_row *left = left_pointer, *right = right_pointer;

    return strcmp(left->row.student, right->row.student);
}

/* Ranks the class. A report under the other made-up names must not say who is whom on the board. */
static enum error rank_rows(struct class_reading *reading, struct class_results *results,
                            struct class_row *rows)
{
    const struct leaderboard_rule *rule = &reading->rubric->leaderboard;
    const char *secret = rule->names;

    if (rule->by == RANKED_BY_NOTHING || reading->pseudonyms) {
        return ERROR_NONE;
    }
    if (secret[0] == '\0') {
        enum error error = store_setting(reading->store, reading->arena, "pseudonym_key", &secret,
                                         reading->diagnostic);
        if (error != ERROR_NONE) {
            return error;
        }
    }
    results->ranked_by = rule->by;
    class_ranks(results, rows, secret, reading->arena);
    return ERROR_NONE;
}

/* *out_places: [row_count] the submissions that rows show, in their order. */
static enum error make_rows(struct class_reading *reading, struct class_results *out_results,
                            struct place_of **out_places)
{
    struct arena *arena = reading->arena;
    struct reported_row *told = arena_array(arena, reading->student_count, sizeof *told);
    size_t count = 0;

    for (size_t i = 0; i < reading->student_count; i++) {
        if (reading->students[i].attempt_count > 0 || reading->students[i].in_roster ||
            reading->students[i].row.decision_count > 0) {
            told[count++] = make_row(reading, &reading->students[i]);
        }
    }
    qsort(told, count, sizeof *told, compare_rows);
    struct class_row *rows = arena_array(arena, count, sizeof *rows);
    struct place_of *places = arena_array(arena, count, sizeof *places);
    for (size_t i = 0; i < count; i++) {
        rows[i] = told[i].row;
        places[i] = (struct place_of){.submission = told[i].submission, .index = i};
    }
    qsort(places, count, sizeof *places, compare_places);
    out_results->rows = rows;
    out_results->row_count = count;
    *out_places = places;
    return rank_rows(reading, out_results, rows);
}

/* Causes of criteria, and findings. */
static enum error count_findings(struct class_reading *reading, const struct place_of *places,
                                 struct class_results *results)
{
    struct class_findings findings;
    struct query query;
    enum code code;
    size_t at = 0;

    class_findings_init(&findings, reading->arena, results->row_count);
    for (size_t i = 0; i < results->row_count; i++) {
        const struct class_mark *marks = results->rows[i].marks;
        for (size_t k = 0; marks != NULL && k < reading->rubric->criterion_count; k++) {
            class_findings_add(&findings, i, marks[k].code);
        }
    }
    query_begin(&query, reading->store,
                "SELECT s.id, f.code FROM submissions s JOIN findings f ON f.run = s.run"
                " WHERE NOT s.is_gone ORDER BY s.id",
                reading->diagnostic);
    while (query_row(&query)) {
        if (next_place(places, results->row_count, query_get_integer(&query, 0), &at) &&
            code_find(query_peek_text(&query, 1), &code)) {
            class_findings_add(&findings, places[at].index, code);
        }
    }
    class_findings_sum(&findings, reading->arena, &results->findings, &results->finding_count);
    return query_end(&query);
}

/* The different values of a column of the runs that count, in one line. */
static enum error read_line(struct class_reading *reading, const char *sql, const char *between,
                            const char **out_line)
{
    struct query query;
    struct text line;

    text_init(&line);
    query_begin(&query, reading->store, sql, reading->diagnostic);
    while (query_row(&query)) {
        text_append(&line, line.length > 0 ? between : "");
        text_append(&line, query_peek_text(&query, 0));
    }
    *out_line = arena_strdup(reading->arena, line.bytes);
    text_release(&line);
    return query_end(&query);
}

static enum error read_machines(struct class_reading *reading, struct class_results *results)
{
    enum error error =
        read_line(reading,
                  "SELECT DISTINCT m.text FROM submissions s JOIN runs r ON r.id = s.run"
                  " JOIN machines m ON m.id = r.machine WHERE NOT s.is_gone ORDER BY m.text",
                  " / ", &results->machine);
    if (error != ERROR_NONE) {
        return error;
    }
    return read_line(reading,
                     "SELECT DISTINCT r.grader FROM submissions s JOIN runs r ON r.id = s.run"
                     " WHERE NOT s.is_gone ORDER BY r.grader",
                     ", ", &results->grader_version);
}

/* Call it when the marks have been read. */
static void describe_rubric(const struct class_reading *reading, struct class_results *results)
{
    const struct rubric *rubric = reading->rubric;
    struct class_criterion *criteria =
        arena_array(reading->arena, rubric->criterion_count, sizeof *criteria);

    for (size_t i = 0; i < rubric->criterion_count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        criteria[i] = (struct class_criterion){.id = criterion->id,
                                               .title = criterion->title,
                                               .kind = criterion_kind_name(criterion->kind),
                                               .points = criterion->points,
                                               .hidden = criterion->hidden,
                                               .bonus = criterion->bonus,
                                               .is_left_out = final_leaves_out(&reading->seen[i])};
    }
    results->maximum = final_maximum(rubric, reading->seen);
    results->criteria = criteria;
    results->criterion_count = rubric->criterion_count;
    results->title = rubric->title;
    results->coursework = rubric->id;
    results->rubric_version = rubric->version;
    results->has_hidden = rubric_hides(rubric);
    results->rubric_sha256 = results->has_hidden ? rubric->public_sha256 : rubric->sha256;
    results->is_pseudonymous = reading->pseudonyms;
}

static enum error read_all(struct class_reading *reading, struct class_results *results)
{
    struct place_of *places = NULL;

    enum error error = read_students(reading);
    if (error == ERROR_NONE) {
        error = read_decisions(reading);
    }
    if (error == ERROR_NONE) {
        error = read_attempts(reading);
    }
    if (error == ERROR_NONE) {
        error = read_marks(reading);
    }
    if (error == ERROR_NONE) {
        sum_marks(reading);
        describe_rubric(reading, results);
        error = make_rows(reading, results, &places);
    }
    if (error == ERROR_NONE) {
        error = count_findings(reading, places, results);
    }
    if (error == ERROR_NONE) {
        error = read_machines(reading, results);
    }
    if (error == ERROR_NONE) {
        error = store_setting(reading->store, reading->arena, "seed", &results->seed,
                              reading->diagnostic);
    }
    return error;
}

enum error store_class(struct store *store, struct arena *arena, const struct rubric *rubric,
                       bool pseudonyms, struct class_results *out_results,
                       struct diagnostic *diagnostic)
{
    struct class_reading reading = {
        .store = store,
        .arena = arena,
        .rubric = rubric,
        .pseudonyms = pseudonyms,
        .seen = arena_array(arena, rubric->criterion_count, sizeof *reading.seen),
        .diagnostic = diagnostic};
    struct class_results results = {0};

    enum error error = store_begin_read(store, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    error = store_settle(store, read_all(&reading, &results), diagnostic);
    if (error == ERROR_NONE) {
        *out_results = results;
    }
    return error;
}
