/* term_totals.c: see term_totals.h. */
#include "batch/term_totals.h"

#include "base/hash_index.h"
#include "report/class/class_facts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Students as they are found, by key and by address. */
struct gathering {
    struct arena *arena;
    const struct term *term;
    struct term_student *students;
    struct term_cell **cells; /* of each student */
    size_t count, student_capacity, cell_capacity;
    struct hash_index keys, emails;
};

static uint64_t hash_email(const char *email)
{
    uint64_t hash = HASH_START;

    for (; *email != '\0'; email++) {
        hash = hash_number(hash, (uint64_t)tolower((unsigned char)*email));
    }
    return hash;
}

/* The student of a row; SIZE_MAX: a new one. Nobody has two rows of one coursework. */
static size_t find_student(const struct gathering *all, size_t coursework,
                           const struct class_row *row)
{
    size_t at = hash_index_first(&all->keys, hash_text(HASH_START, row->student));

    while (at != HASH_INDEX_NONE && strcmp(all->students[at].student, row->student) != 0) {
        at = hash_index_next(&all->keys, at);
    }
    if (at == HASH_INDEX_NONE && row->email[0] != '\0') {
        at = hash_index_first(&all->emails, hash_email(row->email));
        while (at != HASH_INDEX_NONE && strcasecmp(all->students[at].email, row->email) != 0) {
            at = hash_index_next(&all->emails, at);
        }
    }
    return at == HASH_INDEX_NONE || all->cells[at][coursework].row != SIZE_MAX ? SIZE_MAX : at;
}

static size_t add_student(struct gathering *all, const struct class_row *row)
{
    size_t count = all->term->coursework_count;
    struct term_cell *cells = arena_array(all->arena, count, sizeof *cells);

    for (size_t i = 0; i < count; i++) {
        cells[i] = (struct term_cell){.state = TERM_MISSING, .row = SIZE_MAX};
    }
    arena_grow(all->arena, &all->students, &all->student_capacity, all->count + 1,
               sizeof *all->students);
    arena_grow(all->arena, &all->cells, &all->cell_capacity, all->count + 1, sizeof *all->cells);
    all->students[all->count] = (struct term_student){
        .student = row->student, .name = row->name, .email = row->email, .cells = cells};
    all->cells[all->count] = cells;
    hash_index_add(&all->keys, all->arena, hash_text(HASH_START, row->student));
    hash_index_add(&all->emails, all->arena, hash_email(row->email));
    return all->count++;
}

static struct term_cell cell_of(const struct class_results *results, size_t index)
{
    const struct class_row *row = &results->rows[index];
    struct term_cell cell = {.state = TERM_OPEN, .row = index};

    if (class_row_has_mark(results, row) && results->maximum > 0) {
        cell.state = TERM_MARK;
        cell.share = row->final.mark / results->maximum;
    } else if (row->final.is_excused) {
        cell.state = TERM_EXCUSED;
    } else if (row->state == CLASS_MISSING) {
        cell.state = TERM_MISSING;
    }
    return cell;
}

static void gather(struct gathering *all, size_t coursework)
{
    const struct class_results *results = all->term->courseworks[coursework].results;

    for (size_t i = 0; i < results->row_count; i++) {
        const struct class_row *row = &results->rows[i];
        size_t at = find_student(all, coursework, row);
        at = at == SIZE_MAX ? add_student(all, row) : at;
        struct term_student *student = &all->students[at];
        student->name = student->name[0] == '\0' ? row->name : student->name;
        all->cells[at][coursework] = cell_of(results, i);
    }
}

/* Takes the best courseworks of a part; returns their mean, and false if there is none. */
static bool take_best(const struct term *term, size_t part, struct term_cell *cells,
                      double *out_share)
{
    size_t left = term->parts[part].best > 0 ? term->parts[part].best : term->coursework_count;
    double sum = 0, weights = 0;

    for (; left > 0; left--) {
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < term->coursework_count; i++) {
            bool is_open = cells[i].state == TERM_MARK || cells[i].state == TERM_MISSING;
            if (term->courseworks[i].part == part && is_open && !cells[i].is_taken &&
                (best == SIZE_MAX || cells[i].share > cells[best].share)) {
                best = i;
            }
        }
        if (best == SIZE_MAX) {
            break;
        }
        cells[best].is_taken = true;
        sum += term->courseworks[best].weight * cells[best].share;
        weights += term->courseworks[best].weight;
    }
    *out_share = weights > 0 ? sum / weights : 0;
    return weights > 0;
}

static void sum_up(const struct term *term, struct term_cell *cells, struct term_student *student)
{
    double sum = 0, weights = 0, share;

    for (size_t i = 0; i < term->part_count; i++) {
        if (take_best(term, i, cells, &share)) {
            sum += term->parts[i].weight * share;
            weights += term->parts[i].weight;
        }
    }
    student->has_total = weights > 0;
    student->total = weights > 0 ? term->out_of * sum / weights : 0;
    student->is_complete = true;
    for (size_t i = 0; i < term->coursework_count; i++) {
        student->is_complete = student->is_complete && cells[i].state != TERM_OPEN;
    }
}

static int compare_students(const void *left, const void *right)
{
    const struct term_student *a = left, *b = right;
    int order = strcmp(a->student, b->student);

    return order != 0 ? order : strcmp(a->email, b->email);
}

void term_totals(const struct term *term, struct arena *arena, struct term_results *out_results)
{
    struct gathering all = {.arena = arena, .term = term};

    for (size_t i = 0; i < term->coursework_count; i++) {
        gather(&all, i);
    }
    for (size_t i = 0; i < all.count; i++) {
        sum_up(term, all.cells[i], &all.students[i]);
    }
    if (all.count > 0) {
        qsort(all.students, all.count, sizeof *all.students, compare_students);
    }
    *out_results =
        (struct term_results){.term = term, .students = all.students, .student_count = all.count};
}
