/* class_gradebook.c: see class_gradebook.h. */
#include "report/class/class_gradebook.h"

#include "base/csv.h"
#include "report/class/class_decisions.h"
#include "report/class/class_facts.h"

#include <math.h>
#include <stdlib.h>
#include <strings.h>

enum { HUNDREDTHS = 100 };

static double in_hundredths(double points)
{
    return round(points * HUNDREDTHS) / HUNDREDTHS;
}

static int compare_names(const void *left, const void *right)
{
    return strcasecmp(*(const char *const *)left, *(const char *const *)right);
}

/* The names of all students, sorted. */
static const char **sort_names(const struct class_results *results, struct arena *arena)
{
    const char **names = arena_array(arena, results->row_count, sizeof *names);

    for (size_t i = 0; i < results->row_count; i++) {
        names[i] = results->rows[i].name;
    }
    qsort(names, results->row_count, sizeof *names, compare_names);
    return names;
}

/* Whoever has the same name would get the mark of another. */
static bool is_one_name(const char **names, size_t count, const char *name)
{
    const char **found = bsearch(&name, names, count, sizeof *names, compare_names);

    return found != NULL && (found == names || compare_names(found - 1, found) != 0) &&
           (found + 1 == names + count || compare_names(found + 1, found) != 0);
}

/* By a name alone only the one who has it is known. */
static bool has_canvas_key(const struct class_row *row, const char **names, size_t count)
{
    return row->canvas_id[0] != '\0' || row->sis_id[0] != '\0' || row->login[0] != '\0' ||
           (row->name[0] != '\0' && is_one_name(names, count, row->name));
}

/* Counts a row; true if it has a line. */
static bool take_row(const struct class_results *results, const struct class_row *row, bool has_key,
                     struct gradebook_counts *counts)
{
    if (row->final.is_excused) {
        counts->excused++;
    } else if (row->state == CLASS_MISSING && !class_row_has_mark(results, row)) {
        counts->missing++;
    } else if (!class_row_has_mark(results, row)) {
        counts->without_mark++;
    } else if (!has_key) {
        counts->without_key++;
    } else {
        counts->written++;
        counts->incomplete += class_row_lacks(results, row);
        counts->beyond_maximum += row->final.mark > results->maximum;
        return true;
    }
    return false;
}

static void append_mark(struct text *out, const struct class_row *row)
{
    if (row->final.is_excused) {
        csv_append_text(out, "EX");
    } else {
        csv_append_number(out, in_hundredths(row->final.mark));
    }
}

void class_canvas(const struct class_results *results, const char *assignment, struct text *out,
                  struct gradebook_counts *out_counts)
{
    static const char *const names[] = {"Student", "ID", "SIS User ID", "SIS Login ID", "Section"};
    struct gradebook_counts counts = {.written = 0};
    struct arena *arena = arena_new();
    const char **students = sort_names(results, arena);

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        csv_append_text(out, names[i]);
    }
    class_append_cell(out, assignment);
    csv_end_row(out);
    csv_append_text(out, "    Points Possible");
    for (size_t i = 1; i < sizeof names / sizeof names[0]; i++) {
        csv_append_text(out, "");
    }
    csv_append_number(out, in_hundredths(results->maximum));
    csv_end_row(out);
    for (size_t i = 0; i < results->row_count; i++) {
        const struct class_row *row = &results->rows[i];
        bool has_key = has_canvas_key(row, students, results->row_count);
        if (take_row(results, row, has_key, &counts) || (has_key && row->final.is_excused)) {
            class_append_cell(out, row->name[0] != '\0' ? row->name : row->student);
            class_append_cell(out, row->canvas_id);
            class_append_cell(out, row->sis_id);
            class_append_cell(out, row->login);
            class_append_cell(out, row->section);
            append_mark(out, row);
            csv_end_row(out);
        }
    }
    arena_free(arena);
    *out_counts = counts;
}

/* By what Moodle knows a student. */
enum moodle_key { KEY_NUMBER, KEY_EMAIL, KEY_PARTICIPANT, KEY_COUNT };

static bool is_participant(const struct class_row *row)
{
    return text_starts_with(row->moodle_id, "Participant ");
}

/* The key of a row; "" if it has none of that kind. */
static const char *key_of(const struct class_row *row, enum moodle_key key)
{
    switch (key) {
    case KEY_NUMBER:
        return is_participant(row) ? "" : row->moodle_id;
    case KEY_EMAIL:
        return row->email;
    default:
        return is_participant(row) ? row->moodle_id : "";
    }
}

/* The key that most rows with a mark have; of equal ones the first. */
static enum moodle_key choose_key(const struct class_results *results)
{
    size_t counts[KEY_COUNT] = {0};
    enum moodle_key best = KEY_NUMBER;

    for (size_t i = 0; i < results->row_count; i++) {
        const struct class_row *row = &results->rows[i];
        for (int key = 0; key < KEY_COUNT && class_row_has_mark(results, row); key++) {
            counts[key] += key_of(row, (enum moodle_key)key)[0] != '\0';
        }
    }
    for (int key = 0; key < KEY_COUNT; key++) {
        best = counts[key] > counts[best] ? (enum moodle_key)key : best;
    }
    return best;
}

/* True if the table says what people commented. Otherwise it has no column for that, which
 * would take away what was written in Moodle. */
static bool has_comments(const struct class_results *results)
{
    for (size_t i = 0; i < results->row_count; i++) {
        for (size_t k = 0; k < results->rows[i].decision_count; k++) {
            if (results->rows[i].decisions[k].kind == DECISION_COMMENT) {
                return true;
            }
        }
    }
    return false;
}

static void append_moodle_header(enum moodle_key key, bool with_comments, const char *assignment,
                                 struct text *out)
{
    if (key != KEY_PARTICIPANT) {
        csv_append_text(out, key == KEY_NUMBER ? "ID number" : "Email address");
        class_append_cell(out, assignment);
    } else {
        csv_append_text(out, "Identifier");
        csv_append_text(out, "Full name");
        csv_append_text(out, "Email address");
        csv_append_text(out, "Grade");
        csv_append_text(out, "Maximum Grade");
        csv_append_text(out, "Last modified (grade)");
    }
    if (with_comments) {
        csv_append_text(out, "Feedback comments");
    }
    csv_end_row(out);
}

void class_moodle(const struct class_results *results, const char *assignment, struct text *out,
                  struct gradebook_counts *out_counts)
{
    struct gradebook_counts counts = {.written = 0};
    enum moodle_key key = choose_key(results);
    const bool with_comments = has_comments(results);

    append_moodle_header(key, with_comments, assignment, out);
    for (size_t i = 0; i < results->row_count; i++) {
        const struct class_row *row = &results->rows[i];
        if (!take_row(results, row, key_of(row, key)[0] != '\0', &counts)) {
            continue;
        }
        class_append_cell(out, key_of(row, key));
        if (key == KEY_PARTICIPANT) {
            class_append_cell(out, row->name);
            class_append_cell(out, row->email);
        }
        csv_append_number(out, in_hundredths(row->final.mark));
        if (key == KEY_PARTICIPANT) {
            csv_append_number(out, in_hundredths(results->maximum));
            csv_append_text(out, "");
        }
        if (with_comments) {
            class_append_comment_cell(row, out);
        }
        csv_end_row(out);
    }
    *out_counts = counts;
}
