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
#include "cli/class_zone.h"
#include "cli/console.h"
#include "cli/coursework_find.h"
#include "cli/locations.h"
#include "report/class/class_decisions.h"
#include "report/class/class_facts.h"
#include "report/class/class_reckoning.h"
#include "report/display_text.h"

#include <inttypes.h>
#include <math.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_BYTES_MAX = 20000 };

struct mark_request {
    const char *folder; /* RESULTS */
    const char *who;    /* NULL: nobody in particular */
    const char *table;  /* NULL: none */
    const char *by, *reason;
    int64_t undo; /* 0: nothing */
    bool decides; /* an option of a decision is given */
    const struct options *options;
};

/* The work of one command. */
struct marking {
    struct arena *arena;
    const struct mark_request *request;
    struct store *store;
    const struct rubric *rubric;
    const struct store_people *people;
    const struct date_zone *zone; /* NULL: times name theirs */
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
    *out = request;
    return ERROR_NONE;
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

    if (row != NULL) {
        class_append_who(row, out);
    } else {
        display_append_foreign(out, student);
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

/* "  mark 76.5 of 85 -> 85 of 85", and when the work is due if `extends`. */
static void append_change(struct marking *marking, const char *student, bool extends)
{
    const struct class_row *before = find_row(&marking->before, student);
    const struct class_row *after = find_row(&marking->after, student);
    struct text *out = &marking->out;

    text_append(out, "  mark ");
    class_append_mark(&marking->before, before, out);
    text_append(out, " -> ");
    class_append_mark(&marking->after, after, out);
    text_append_char(out, '\n');
    if (extends && after != NULL) {
        class_append_due(after, marking->rubric->late.due, out);
    }
}

/* The class as it is with all that was decided. */
static enum error read_class(struct marking *marking, struct class_results *out,
                             struct diagnostic *diagnostic)
{
    return store_class(marking->store, marking->arena, marking->rubric, false, out, diagnostic);
}

static bool has_same_mark(const struct marking *marking, const char *student)
{
    const struct class_row *before = find_row(&marking->before, student);
    const struct class_row *after = find_row(&marking->after, student);

    return before != NULL && after != NULL && before->final.mark == after->final.mark &&
           class_row_has_mark(&marking->before, before) ==
               class_row_has_mark(&marking->after, after);
}

/* Says what was decided, and what held until now. */
static void append_decided(struct marking *marking, const char *student,
                           const struct class_decision *decision,
                           const struct store_decided *decided)
{
    struct text *out = &marking->out;

    append_who(out, &marking->before, student);
    text_append(out, ": ");
    append_words(out, decision);
    if (!decided->is_new) {
        text_printf(out, " (as decision %" PRId64 " says already)\n", decided->number);
        return;
    }
    text_printf(out, " (decision %" PRId64 ")\n", decided->number);
    if (decided->replaced.number != 0) {
        text_printf(out, "  it takes the place of decision %" PRId64 ": ",
                    decided->replaced.number);
        append_words(out, &decided->replaced);
        text_append_char(out, '\n');
    }
}

/* Stores a decision and says so. */
static enum error decide(struct marking *marking, const char *who,
                         const struct class_decision *decision, struct store_student *out_student,
                         struct store_decided *out_decided, struct diagnostic *diagnostic)
{
    struct class_decision made = *decision;

    made.made_by = marking->request->by;
    enum error error = store_find_student(marking->people, who, out_student, diagnostic);
    if (error == ERROR_NONE) {
        error = store_decide(marking->store, marking->arena, out_student->id, &made, out_decided,
                             diagnostic);
    }
    if (error == ERROR_NONE) {
        append_decided(marking, out_student->student, &made, out_decided);
    }
    return error;
}

static bool extends(enum decision_kind kind)
{
    return kind == DECISION_UNTIL || kind == DECISION_DAYS;
}

/* All that the options decide about one student. */
static enum error decide_all(struct marking *marking, struct diagnostic *diagnostic)
{
    const struct mark_request *request = marking->request;
    const struct decision_terms terms = {marking->rubric, marking->zone};
    enum error error = ERROR_NONE;
    struct store_student student = {.id = 0};
    struct store_decided decided;
    bool has_extended = false;
    struct text back;

    text_init(&back);
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
            error = decide(marking, request->who, &decision, &student, &decided, diagnostic);
        }
        if (error == ERROR_NONE) {
            has_extended |= extends(decision.kind);
            text_printf(&back, "take it back: gpugrade mark %s --undo %" PRId64 "\n",
                        shell_word(marking->arena, request->folder), decided.number);
        }
    }
    if (error == ERROR_NONE) {
        error = read_class(marking, &marking->after, diagnostic);
    }
    if (error == ERROR_NONE) {
        append_change(marking, student.student, has_extended);
        text_append(&marking->out, back.bytes);
    }
    text_release(&back);
    return error;
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

static enum error decide_table(struct marking *marking, struct diagnostic *diagnostic)
{
    const struct decision_terms terms = {marking->rubric, marking->zone};
    const struct read_decision *decisions = NULL;
    const char *unused = "";
    size_t count = 0;

    enum error error = decision_table_read(marking->arena, &terms, marking->request->table,
                                           &decisions, &count, &unused, diagnostic);
    for (size_t i = 0; i < count && error == ERROR_NONE; i++) {
        struct diagnostic why = {.blame = BLAME_GRADER};
        struct store_student student;
        struct store_decided decided;
        error = decide(marking, decisions[i].who, &decisions[i].decision, &student, &decided, &why);
        if (error != ERROR_NONE) {
            diagnostic_set_at(diagnostic, why.blame, marking->request->table, decisions[i].line, 0,
                              "%s", why.message);
        }
    }
    if (error == ERROR_NONE) {
        error = read_class(marking, &marking->after, diagnostic);
    }
    if (error == ERROR_NONE) {
        text_printf(&marking->out, "decisions in the table: %zu\nmarks that changed: %zu\n", count,
                    count_changes(marking));
        if (unused[0] != '\0') {
            console_complain("columns that decide nothing: %s", unused);
        }
    }
    return error;
}

/* Takes a decision back, and says whose it was. */
static enum error undo(struct marking *marking, struct diagnostic *diagnostic)
{
    int64_t number = marking->request->undo;
    const struct store_decision *decisions = NULL;
    size_t count = 0;

    enum error error = store_undo(marking->store, number, marking->request->by, diagnostic);
    if (error == ERROR_NONE) {
        error = store_decisions(marking->store, marking->arena, &decisions, &count, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = read_class(marking, &marking->after, diagnostic);
    }
    for (size_t i = 0; i < count && error == ERROR_NONE; i++) {
        const struct store_decision *told = &decisions[i];
        if (told->decision.number == number) {
            text_printf(&marking->out, "decision %" PRId64 " is undone: ", number);
            append_who(&marking->out, &marking->before, told->student.student);
            text_append(&marking->out, ": ");
            append_words(&marking->out, &told->decision);
            text_append_char(&marking->out, '\n');
            append_change(marking, told->student.student, extends(told->decision.kind));
        }
    }
    return error;
}

/* Inside of a transaction. */
static enum error change(struct marking *marking, struct diagnostic *diagnostic)
{
    const struct mark_request *request = marking->request;

    return request->undo != 0       ? undo(marking, diagnostic)
           : request->table != NULL ? decide_table(marking, diagnostic)
                                    : decide_all(marking, diagnostic);
}

static enum error change_as_one(struct marking *marking, struct diagnostic *diagnostic)
{
    enum error error = store_begin(marking->store, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    error = class_zone_keep(marking->arena, marking->store,
                            marking->request->options->values[OPTION_ZONE], diagnostic);
    if (error == ERROR_NONE) {
        error = change(marking, diagnostic);
    }
    if (error != ERROR_NONE) {
        store_end(marking->store, false, NULL);
        return error;
    }
    return store_end(marking->store, true, diagnostic);
}

/* A decision, and what became of it; `later` took its place, or is NULL. */
static void append_history_line(struct marking *marking, const struct store_decision *told,
                                const struct class_decision *later)
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
    } else if (later != NULL) {
        text_printf(out, " (decision %" PRId64 " took its place)", later->number);
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
        class_append_reckoning(&marking->before, row, marking->rubric->late.due, &marking->out);
    }
    for (size_t i = 0; i < count; i++) {
        if (who == NULL || decisions[i].student.id == student.id) {
            append_history_line(marking, &decisions[i], store_replacement(decisions, count, i));
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

    enum error error = zone_read(marking->arena, marking->request->options->values[OPTION_ZONE],
                                 &marking->zone, diagnostic);
    if (error == ERROR_NONE) {
        error = class_zone_find(marking->arena, marking->store, &marking->zone, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = locations_find(marking->arena, &locations, diagnostic);
    }
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
