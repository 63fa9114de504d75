/* decision_read.c: see decision_read.h. */
#include "batch/decision_read.h"

#include "base/csv.h"
#include "base/date.h"
#include "base/file.h"
#include "base/near_word.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    TABLE_BYTES_MAX = 64 << 20,
    COMMENT_BYTES_MAX = 20000,
    DAYS_MAX = 1000,
    POINTS_MAX = 100000
};

/* A number, with a point or a comma in it. */
static bool read_number(struct arena *arena, const char *word, double *out)
{
    char *copy = arena_strdup(arena, word);
    char *comma = strchr(copy, ',');
    char *end;

    if (comma != NULL && strchr(copy, '.') == NULL) {
        *comma = '.';
    }
    bool is_plain = copy[0] != '\0' && strspn(copy, "+-.0123456789") == strlen(copy);
    *out = is_plain ? strtod(copy, &end) : 0;
    return is_plain && *end == '\0' && isfinite(*out);
}

static enum error refuse(struct diagnostic *diagnostic, const char *wanted, const char *word)
{
    diagnostic_set(diagnostic, BLAME_USAGE, "expected %s, found '%.100s'", wanted, word);
    return ERROR_RANGE;
}

/* The criterion that a person grades; NULL: there is none of this id. */
static const struct rubric_criterion *find_manual(const struct rubric *rubric, const char *id)
{
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        const struct rubric_criterion *criterion = &rubric->criteria[i];
        if (criterion->kind == CRITERION_MANUAL && strcasecmp(criterion->id, id) == 0) {
            return criterion;
        }
    }
    return NULL;
}

static enum error read_grade(struct arena *arena, const struct rubric_criterion *criterion,
                             const char *word, struct class_decision *out,
                             struct diagnostic *diagnostic)
{
    if (!read_number(arena, word, &out->value) || out->value < 0 ||
        out->value > criterion->points) {
        return refuse(
            diagnostic,
            arena_printf(arena, "0 to %.12g points for '%s'", criterion->points, criterion->id),
            word);
    }
    out->about = criterion->id;
    return ERROR_NONE;
}

/* "talk=8" */
static enum error read_grade_of(struct arena *arena, const struct rubric *rubric, const char *word,
                                struct class_decision *out, struct diagnostic *diagnostic)
{
    size_t length = strcspn(word, "=");
    const char *id = arena_strndup(arena, word, length);
    const struct rubric_criterion *criterion = find_manual(rubric, id);
    struct near_word near = near_word_start(id);

    if (criterion != NULL && word[length] == '=') {
        return read_grade(arena, criterion, word + length + 1, out, diagnostic);
    }
    for (size_t i = 0; i < rubric->criterion_count; i++) {
        if (rubric->criteria[i].kind == CRITERION_MANUAL) {
            near_word_offer(&near, rubric->criteria[i].id);
        }
    }
    diagnostic_set(diagnostic, BLAME_USAGE,
                   "expected CRITERION=POINTS for a criterion of the kind manual, found '%.100s'%s "
                   "--points changes the sum",
                   word, near_word_question(&near, ""));
    return ERROR_RANGE;
}

enum error decision_read(struct arena *arena, const struct decision_terms *terms,
                         enum decision_kind kind, const char *word,
                         struct class_decision *out_decision, struct diagnostic *diagnostic)
{
    struct class_decision read = {.kind = kind, .about = "", .text = "", .made_by = ""};
    enum error error = ERROR_NONE;
    int64_t moment = 0;

    switch (kind) {
    case DECISION_UNTIL:
        if (!date_read_in(word, terms->zone, &moment)) {
            return refuse(diagnostic,
                          "a time such as 2026-11-22T23:59:00+01:00 (without a zone only with "
                          "--zone)",
                          word);
        }
        read.value = (double)moment;
        break;
    case DECISION_DAYS:
        if (!read_number(arena, word, &read.value) || read.value <= 0 || read.value > DAYS_MAX) {
            return refuse(diagnostic, "a number of days", word);
        }
        break;
    case DECISION_POINTS:
        if (!read_number(arena, word, &read.value) || read.value == 0 ||
            fabs(read.value) > POINTS_MAX) {
            return refuse(diagnostic, "points to add, or to take off such as -2.5", word);
        }
        break;
    case DECISION_GRADE:
        error = read_grade_of(arena, terms->rubric, word, &read, diagnostic);
        break;
    case DECISION_DROP:
        read.about = arena_strdup(arena, word);
        break;
    case DECISION_COMMENT:
        if (word[0] == '\0' || strlen(word) > COMMENT_BYTES_MAX) {
            return refuse(diagnostic, "a comment of at most 20000 bytes", word);
        }
        read.text = arena_strdup(arena, word);
        break;
    default:
        break;
    }
    if (error == ERROR_NONE) {
        *out_decision = read;
    }
    return error;
}

/* What a column of a table is. */
struct decision_column {
    enum { COLUMN_UNUSED, COLUMN_WHO, COLUMN_REASON, COLUMN_DECISION } use;
    enum decision_kind kind;
    const struct rubric_criterion *criterion; /* that a person grades; NULL: another kind */
};

struct decision_table {
    struct arena *arena;
    const struct decision_terms *terms;
    const char *path;
    struct csv_table cells;
    struct decision_column *columns; /* [cells.column_count] */
    int who, reason;                 /* columns; -1: none */
    struct read_decision *decisions;
    size_t count, capacity;
};

static void find_columns(struct decision_table *table, struct text *unused)
{
    static const char *const who[] = {"student", "id", "email", "name"};

    table->who = table->reason = -1;
    for (size_t i = 0; i < sizeof who / sizeof who[0] && table->who < 0; i++) {
        table->who = csv_column(&table->cells, (const char *const[]){who[i], NULL});
    }
    for (size_t i = 0; i < table->cells.column_count; i++) {
        struct decision_column *column = &table->columns[i];
        const char *name = table->cells.header[i];
        column->criterion = find_manual(table->terms->rubric, name);
        if ((int)i == table->who) {
            column->use = COLUMN_WHO;
        } else if (strcasecmp(name, "reason") == 0) {
            column->use = COLUMN_REASON;
            table->reason = (int)i;
        } else if (column->criterion != NULL) {
            column->use = COLUMN_DECISION;
            column->kind = DECISION_GRADE;
        } else if (decision_find(name, &column->kind) && column->kind != DECISION_GRADE) {
            column->use = COLUMN_DECISION;
        } else {
            text_printf(unused, "%s%s", unused->length > 0 ? ", " : "", name);
        }
    }
}

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words != NULL && strcasecmp(*words, word) != 0) {
        words++;
    }
    return *words != NULL;
}

/* *out_decides: false for an empty cell, and for "no". */
static enum error read_cell(const struct decision_table *table,
                            const struct decision_column *column, const char *word,
                            struct class_decision *out, bool *out_decides,
                            struct diagnostic *diagnostic)
{
    static const char *const yes[] = {"yes", "y", "true", "x", "1", NULL};
    static const char *const no[] = {"", "no", "n", "false", "0", NULL};

    *out_decides = word[0] != '\0';
    if (!*out_decides) {
        return ERROR_NONE;
    }
    if (column->kind == DECISION_EXCUSE) {
        *out_decides = is_one_of(word, yes);
        if (!*out_decides && !is_one_of(word, no)) {
            return refuse(diagnostic, "yes or no", word);
        }
    }
    if (column->criterion != NULL) {
        *out =
            (struct class_decision){.kind = DECISION_GRADE, .about = "", .text = "", .made_by = ""};
        return read_grade(table->arena, column->criterion, word, out, diagnostic);
    }
    return decision_read(table->arena, table->terms, column->kind, word, out, diagnostic);
}

static enum error read_row(struct decision_table *table, const struct csv_row *row,
                           struct diagnostic *diagnostic)
{
    const char *who = csv_trimmed(table->arena, csv_cell(row, table->who));
    const char *reason = csv_trimmed(table->arena, csv_cell(row, table->reason));

    for (size_t i = 0; i < table->cells.column_count; i++) {
        const struct decision_column *column = &table->columns[i];
        struct class_decision decision;
        struct diagnostic why = {.blame = BLAME_USAGE};
        bool decides = false;
        if (column->use != COLUMN_DECISION) {
            continue;
        }
        const char *word = csv_trimmed(table->arena, csv_cell(row, (int)i));
        enum error error = read_cell(table, column, word, &decision, &decides, &why);
        if (error == ERROR_NONE && decides && who[0] == '\0') {
            error = refuse(&why, "a student", who);
        }
        if (error != ERROR_NONE) {
            diagnostic_set_at(diagnostic, BLAME_USAGE, table->path, row->line, 0, "column '%s': %s",
                              table->cells.header[i], why.message);
            return error;
        }
        if (!decides) {
            continue;
        }
        bool takes_reason = decision.kind != DECISION_COMMENT && decision.kind != DECISION_GRADE;
        decision.text = takes_reason ? reason : decision.text;
        arena_grow(table->arena, &table->decisions, &table->capacity, table->count + 1,
                   sizeof *table->decisions);
        table->decisions[table->count++] = (struct read_decision){who, row->line, decision};
    }
    return ERROR_NONE;
}

static enum error check_columns(const struct decision_table *table, struct diagnostic *diagnostic)
{
    bool decides = false;

    for (size_t i = 0; i < table->cells.column_count; i++) {
        decides = decides || table->columns[i].use == COLUMN_DECISION;
    }
    if (table->who >= 0 && decides) {
        return ERROR_NONE;
    }
    diagnostic_set_at(diagnostic, BLAME_USAGE, table->path, 1, 1, "%s",
                      table->who < 0
                          ? "no column says who: call one 'student', 'id', 'email' or 'name'"
                          : "no column decides anything: call one until, days, excuse, drop, "
                            "points, comment, or as a criterion of the kind manual");
    return ERROR_SYNTAX;
}

enum error decision_table_read(struct arena *arena, const struct decision_terms *terms,
                               const char *path, const struct read_decision **out_decisions,
                               size_t *out_count, const char **out_unused,
                               struct diagnostic *diagnostic)
{
    struct decision_table table = {.arena = arena, .terms = terms, .path = path};
    struct text unused;
    char *bytes = NULL;
    size_t length = 0;
    enum error error =
        file_read(arena, path, TABLE_BYTES_MAX, BLAME_USAGE, &bytes, &length, diagnostic);

    if (error == ERROR_NONE) {
        error = csv_read(arena, bytes, length, path, &table.cells, diagnostic);
    }
    if (error != ERROR_NONE) {
        return error;
    }
    table.columns = arena_array(arena, table.cells.column_count, sizeof *table.columns);
    text_init(&unused);
    find_columns(&table, &unused);
    error = check_columns(&table, diagnostic);
    for (size_t i = 0; error == ERROR_NONE && i < table.cells.row_count; i++) {
        error = read_row(&table, &table.cells.rows[i], diagnostic);
    }
    if (error == ERROR_NONE) {
        *out_decisions = table.decisions;
        *out_count = table.count;
        *out_unused = arena_strdup(arena, unused.bytes);
    }
    text_release(&unused);
    return error;
}
