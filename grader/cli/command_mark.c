/* command_mark.c: see command_mark.h.
 *
 *     $ gpugrade mark results 1001 --extend 2 --reason ill
 *     1001 Ann Ant: 2 more days: ill (decision 3)
 *       mark 76.5 of 85 -> 85 of 85
 *     take it back: gpugrade mark results --undo 3
 *
 * All that one command decides is one transaction. Without anything to decide it tells what was
 * decided before, and of one student also where the mark comes from.
 */
#include "cli/command_mark.h"

#include "base/date.h"
#include "base/shell_word.h"
#include "batch/decision_read.h"
#include "batch/store.h"
#include "cli/console.h"
#include "cli/coursework_find.h"
#include "cli/locations.h"
#include "report/class/class_decisions.h"
#include "report/class/class_facts.h"
#include "report/display_text.h"

#include <inttypes.h>
#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { POINTS_COLUMN = 16, WORDS_BYTES_MAX = 20000 };

struct mark_request {
    const char *folder; /* RESULTS */
    const char *who;    /* NULL: nobody in particular */
    const char *table;  /* NULL: none */
    const char *by, *reason;
    const struct date_zone *zone; /* NULL: times name theirs */
    int64_t undo;                 /* 0: nothing */
    bool decides;                 /* an option of a decision is given */
    const struct options *options;
};

/* The work of one command. */
struct marking {
    struct arena *arena;
    const struct mark_request *request;
    struct store *store;
    const struct rubric *rubric;
    const struct store_people *people;
    struct class_results before, after;
    struct text out;
};

static const enum option decision_options[] = {
#define DECISION(name, text) [DECISION_##name] = OPTION_DECIDE_##name,
#include "model/decisions.def"
#undef DECISION
};

/* The user's name, to write beside what is decided. */
static const char *user_name(struct arena *arena)
{
    const struct passwd *user = getpwuid(getuid());

    return user != NULL ? arena_strdup(arena, user->pw_name)
                        : arena_printf(arena, "user %ld", (long)getuid());
}

static enum error refuse(struct diagnostic *diagnostic, const char *message)
{
    diagnostic_set(diagnostic, BLAME_USAGE, "%s", message);
    return ERROR_SYNTAX;
}

static enum error make_request(struct arena *arena, const struct options *options,
                               struct mark_request *out, struct diagnostic *diagnostic)
{
    struct mark_request request = {
        .folder = options->positional[0],
        .who = options->positional_count > 1 ? options->positional[1] : NULL,
        .table = options->values[OPTION_DECISION_TABLE],
        .by = options->values[OPTION_DECISION_BY],
        .reason = text_or_empty(options->values[OPTION_DECISION_REASON]),
        .options = options,
    };
    long long number = 0;

    if (options->positional_count == 0) {
        return refuse(diagnostic, "mark needs the folder that 'gpugrade batch -o' wrote: gpugrade "
                                  "mark RESULTS STUDENT --extend 2 --reason ill");
    }
    for (int kind = 0; kind < DECISION_COUNT; kind++) {
        request.decides = request.decides || options->given[decision_options[kind]];
    }
    bool undoes = options->given[OPTION_UNDO];
    if (undoes && !text_to_integer(options->values[OPTION_UNDO], 1, INT64_MAX, &number)) {
        return refuse(diagnostic, "--undo takes the number of a decision; 'gpugrade mark RESULTS' "
                                  "lists them");
    }
    request.undo = number;
    if (request.decides + undoes + (request.table != NULL) > 1) {
        return refuse(diagnostic, "--undo, --table and a decision need a command each");
    }
    if (request.decides && request.who == NULL) {
        return refuse(diagnostic, "a decision needs a student: gpugrade mark RESULTS STUDENT ...");
    }
    if ((request.table != NULL || undoes) && request.who != NULL) {
        return refuse(diagnostic, undoes ? "--undo takes a number and no student"
                                         : "--table names the students itself");
    }
    if (strlen(request.reason) > WORDS_BYTES_MAX) {
        return refuse(diagnostic, "--reason is too long");
    }
    request.by = request.by != NULL ? request.by : user_name(arena);
    enum error error = options_zone(arena, options, &request.zone, diagnostic);
    if (error == ERROR_NONE) {
        *out = request;
    }
    return error;
}

/* Points without needless digits: 5, 6.67. */
static void append_points(struct text *out, double points)
{
    text_printf(out, "%.12g", round(points * 100) / 100);
}

static int compare_rows(const void *left, const void *right)
{
    return strcmp(((const struct class_row *)left)->student,
                  ((const struct class_row *)right)->student);
}

/* The row of a student; NULL: there is none. */
static const struct class_row *find_row(const struct class_results *results, const char *student)
{
    const struct class_row key = {.student = student};

    return results->row_count == 0 ? NULL
                                   : bsearch(&key, results->rows, results->row_count,
                                             sizeof *results->rows, compare_rows);
}

static void append_who(struct text *out, const struct class_results *results, const char *student)
{
    const struct class_row *row = find_row(results, student);

    display_append_foreign(out, student);
    if (row != NULL && row->name[0] != '\0' && strcmp(row->name, student) != 0) {
        text_append_char(out, ' ');
        display_append_foreign(out, row->name);
    }
}

/* What a decision says, on one line. */
static void append_words(struct text *out, const struct class_decision *decision)
{
    struct text words;

    text_init(&words);
    class_append_decision(decision, &words);
    for (char *end = strchr(words.bytes, '\n'); end != NULL; end = strchr(end, '\n')) {
        *end = ' ';
    }
    display_append_foreign(out, words.bytes);
    text_release(&words);
}

static void append_mark(struct text *out, const struct class_results *results,
                        const struct class_row *row)
{
    if (row == NULL || !class_row_has_mark(results, row)) {
        text_append(out, row != NULL && row->final.is_excused ? "excused" : "no mark");
    } else {
        append_points(out, row->final.mark);
        text_append(out, " of ");
        append_points(out, results->maximum);
    }
}

/* "  mark 76.5 of 85 -> 85 of 85" */
static void append_change(struct marking *marking, const char *student)
{
    struct text *out = &marking->out;

    text_append(out, "  mark ");
    append_mark(out, &marking->before, find_row(&marking->before, student));
    text_append(out, " -> ");
    append_mark(out, &marking->after, find_row(&marking->after, student));
    text_append_char(out, '\n');
}

/* Stores a decision and says so. */
static enum error decide(struct marking *marking, const char *who,
                         const struct class_decision *decision, struct store_student *out_student,
                         int64_t *out_number, struct diagnostic *diagnostic)
{
    struct class_decision made = *decision;
    bool is_new = false;

    made.made_by = marking->request->by;
    enum error error = store_find_student(marking->people, who, out_student, diagnostic);
    if (error == ERROR_NONE) {
        error =
            store_decide(marking->store, out_student->id, &made, out_number, &is_new, diagnostic);
    }
    if (error == ERROR_NONE) {
        append_who(&marking->out, &marking->before, out_student->student);
        text_append(&marking->out, ": ");
        append_words(&marking->out, &made);
        text_printf(&marking->out,
                    is_new ? " (decision %" PRId64 ")\n"
                           : " (as decision %" PRId64 " says already)\n",
                    *out_number);
    }
    return error;
}

static enum error decide_all(struct marking *marking, struct store_student *out_student,
                             int64_t *out_number, struct diagnostic *diagnostic)
{
    const struct mark_request *request = marking->request;
    const struct decision_terms terms = {marking->rubric, request->zone};
    enum error error = ERROR_NONE;

    for (int kind = 0; kind < DECISION_COUNT && error == ERROR_NONE; kind++) {
        enum option option = decision_options[kind];
        struct class_decision decision;
        if (!request->options->given[option]) {
            continue;
        }
        error = decision_read(marking->arena, &terms, (enum decision_kind)kind,
                              request->options->values[option], &decision, diagnostic);
        if (error == ERROR_NONE && kind != DECISION_COMMENT) {
            decision.text = request->reason;
        }
        if (error == ERROR_NONE) {
            error = decide(marking, request->who, &decision, out_student, out_number, diagnostic);
        }
    }
    return error;
}

static enum error decide_table(struct marking *marking, struct diagnostic *diagnostic)
{
    const struct decision_terms terms = {marking->rubric, marking->request->zone};
    const struct read_decision *decisions = NULL;
    const char *unused = "";
    size_t count = 0;

    enum error error = decision_table_read(marking->arena, &terms, marking->request->table,
                                           &decisions, &count, &unused, diagnostic);
    for (size_t i = 0; i < count && error == ERROR_NONE; i++) {
        struct diagnostic why = {.blame = BLAME_GRADER};
        struct store_student student;
        int64_t number;
        error = decide(marking, decisions[i].who, &decisions[i].decision, &student, &number, &why);
        if (error != ERROR_NONE) {
            diagnostic_set_at(diagnostic, why.blame, marking->request->table, decisions[i].line, 0,
                              "%s", why.message);
        }
    }
    if (error == ERROR_NONE) {
        text_printf(&marking->out, "decisions in the table: %zu\n", count);
        if (unused[0] != '\0') {
            console_complain("columns that decide nothing: %s", unused);
        }
    }
    return error;
}

static bool has_same_mark(const struct marking *marking, const char *student)
{
    const struct class_row *before = find_row(&marking->before, student);
    const struct class_row *after = find_row(&marking->after, student);

    return before != NULL && after != NULL && before->final.mark == after->final.mark &&
           class_row_has_mark(&marking->before, before) ==
               class_row_has_mark(&marking->after, after);
}

/* How many marks are others now. */
static size_t count_changes(const struct marking *marking)
{
    size_t count = 0;

    for (size_t i = 0; i < marking->after.row_count; i++) {
        count += !has_same_mark(marking, marking->after.rows[i].student);
    }
    return count;
}

/* The class as it is with all that was decided. */
static enum error read_class(struct marking *marking, struct class_results *out,
                             struct diagnostic *diagnostic)
{
    return store_class(marking->store, marking->arena, marking->rubric, false, out, diagnostic);
}

/* Inside of a transaction. */
static enum error change(struct marking *marking, struct diagnostic *diagnostic)
{
    const struct mark_request *request = marking->request;
    struct store_student student = {.id = 0};
    struct text *out = &marking->out;
    int64_t number = request->undo;

    enum error error =
        request->undo != 0 ? store_undo(marking->store, request->undo, request->by, diagnostic)
        : request->table != NULL ? decide_table(marking, diagnostic)
                                 : decide_all(marking, &student, &number, diagnostic);
    if (error == ERROR_NONE) {
        error = read_class(marking, &marking->after, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    if (request->undo != 0) {
        text_printf(out, "decision %" PRId64 " is undone\n", request->undo);
    }
    if (student.id != 0) {
        append_change(marking, student.student);
    } else {
        text_printf(out, "marks that changed: %zu\n", count_changes(marking));
    }
    if (student.id != 0) {
        text_append(out, "take it back: gpugrade mark ");
        text_printf(out, "%s --undo %" PRId64 "\n", shell_word(marking->arena, request->folder),
                    number);
    }
    return ERROR_NONE;
}

static enum error change_as_one(struct marking *marking, struct diagnostic *diagnostic)
{
    enum error error = store_begin(marking->store, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    error = change(marking, diagnostic);
    if (error != ERROR_NONE) {
        store_end(marking->store, false, NULL);
        return error;
    }
    return store_end(marking->store, true, diagnostic);
}

static void append_item(struct text *out, const char *name, double points)
{
    text_append(out, "  ");
    display_append_padded(out, name, POINTS_COLUMN);
    append_points(out, points);
}

/* Where a mark comes from; `attempts` are the names of what was handed in. */
static void append_reckoning(struct marking *marking, const struct class_row *row,
                             const char *attempts)
{
    const struct class_results *results = &marking->before;
    const struct class_final *final = &row->final;
    struct text *out = &marking->out;

    append_who(out, results, row->student);
    text_append(out, ": ");
    append_mark(out, results, row);
    text_printf(out, "\n  %s", class_state_name(row->state));
    if (row->state != CLASS_MISSING) {
        text_append(out, ": ");
        display_append_foreign(out, row->submission);
        text_append(out, row->submitted != 0 ? ", handed in at " : "");
        class_append_time(out, row->submitted);
        if (row->attempts > 1) {
            text_printf(out, ", one of %zu", row->attempts);
        }
    }
    text_append_char(out, '\n');
    if (strstr(attempts, "', '") != NULL) { /* several */
        text_append(out, "  handed in: ");
        display_append_foreign(out, attempts);
        text_append_char(out, '\n');
    }
    append_item(out, "criteria", final->raw);
    text_append_char(out, '\n');
    if (final->late_s > 0) {
        append_item(out, "late", -final->penalty);
        text_append(out, "  ");
        class_append_lateness(out, final->late_s);
        text_append(out, final->is_cut_off ? ", too late to count\n" : "\n");
    }
    if (final->added != 0) {
        append_item(out, "by a person", final->added);
        text_append_char(out, '\n');
    }
    for (size_t i = 0; row->marks != NULL && i < results->criterion_count; i++) {
        const struct class_mark *mark = &row->marks[i];
        if (mark->is_judged && mark->status != STATUS_PASSED) {
            text_printf(out, "  %s: %s", results->criteria[i].id, status_name(mark->status));
            if (status_is_judged(mark->status)) {
                text_append(out, ", ");
                append_points(out, mark->points);
                text_append(out, " of ");
                append_points(out, results->criteria[i].points);
            }
            text_printf(out, "%s%s\n", mark->code != CODE_NONE ? " " : "",
                        mark->code != CODE_NONE ? code_id(mark->code) : "");
        }
    }
}

static void append_history_line(struct marking *marking, const struct store_decision *told)
{
    const struct class_decision *decision = &told->decision;
    struct text *out = &marking->out;

    text_printf(out, "%5" PRId64 "  ", decision->number);
    date_append(out, decision->made_at);
    text_append(out, "  ");
    display_append_foreign(out, decision->made_by);
    text_append(out, "  ");
    append_who(out, &marking->before, told->student.student);
    text_append(out, ": ");
    append_words(out, decision);
    if (decision->undone_at != 0) {
        text_append(out, " (undone at ");
        date_append(out, decision->undone_at);
        text_append(out, " by ");
        display_append_foreign(out, decision->undone_by);
        text_append_char(out, ')');
    }
    text_append_char(out, '\n');
}

/* Tells what was decided, about one student or about all. */
static enum error tell(struct marking *marking, struct diagnostic *diagnostic)
{
    const char *who = marking->request->who;
    const struct store_decision *decisions = NULL;
    struct store_student student = {.id = 0};
    size_t count = 0, shown = 0;
    enum error error = ERROR_NONE;
    struct text attempts;

    if (who != NULL) {
        error = store_find_student(marking->people, who, &student, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = store_decisions(marking->store, marking->arena, &decisions, &count, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    const struct class_row *row = who != NULL ? find_row(&marking->before, student.student) : NULL;
    if (row != NULL) {
        text_init(&attempts);
        error = store_list_attempts(marking->store, student.id, &attempts, diagnostic);
        append_reckoning(marking, row, attempts.bytes);
        text_release(&attempts);
    }
    for (size_t i = 0; i < count; i++) {
        if (who == NULL || decisions[i].student.id == student.id) {
            append_history_line(marking, &decisions[i]);
            shown++;
        }
    }
    if (shown == 0) {
        text_append(&marking->out, "nothing was decided by a person\n");
    }
    return error;
}

static enum error load(struct marking *marking, struct diagnostic *diagnostic)
{
    struct locations locations;
    struct store_rubric stored;

    enum error error = locations_find(marking->arena, &locations, diagnostic);
    if (error == ERROR_NONE) {
        error = coursework_stored(marking->arena, locations.root, marking->store, &stored,
                                  &marking->rubric, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = store_people(marking->store, marking->arena, &marking->people, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = read_class(marking, &marking->before, diagnostic);
    }
    return error;
}

static int run_request(struct arena *arena, const struct mark_request *request)
{
    struct marking marking = {.arena = arena, .request = request};
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    bool changes = request->decides || request->table != NULL || request->undo != 0;
    int status;

    text_init(&marking.out);
    enum error error = store_open(request->folder, changes ? STORE_WRITE : STORE_READ,
                                  &marking.store, &diagnostic);
    if (error == ERROR_NONE) {
        error = load(&marking, &diagnostic);
    }
    if (error == ERROR_NONE) {
        error = changes ? change_as_one(&marking, &diagnostic) : tell(&marking, &diagnostic);
    }
    if (error != ERROR_NONE) {
        status = (int)console_report(&diagnostic);
    } else {
        status = console_write(STDOUT_FILENO, &marking.out) ? EXIT_PASSED : EXIT_GRADER;
    }
    store_close(marking.store);
    text_release(&marking.out);
    return status;
}

int command_mark(const struct options *options)
{
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {.blame = BLAME_GRADER};
    struct mark_request request;
    int status;

    if (make_request(arena, options, &request, &diagnostic) != ERROR_NONE) {
        status = (int)console_report(&diagnostic);
    } else {
        status = run_request(arena, &request);
    }
    arena_free(arena);
    return status;
}
