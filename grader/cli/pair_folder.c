/* pair_folder.c: see pair_folder.h. Rows of both classes are one list: those of the second class
 * come last. Reports are read pair by pair, so that memory does not grow with the class. */
#include "cli/pair_folder.h"

#include "base/file.h"
#include "cli/result_file.h"
#include "report/class/pair_page.h"
#include "report/score/report_archive.h"

#include <stdlib.h>
#include <string.h>

enum { PAGES_MAX = 1000, KNOWN_BYTES_MAX = 1 << 20 };

/* What all pages are made of. */
struct pair_pages {
    struct arena *arena;
    const struct pair_class *classes; /* [2] */
    struct class_results all;         /* rows of both, and the pairs */
    size_t own_count;                 /* rows of the first class */
    struct pair_view *views;          /* [view_count] */
    const char **names;               /* [view_count] of their pages */
    size_t view_count, left_out;
    struct shared_files known;
};

static void join_rows(struct pair_pages *pages)
{
    const struct class_results *own = pages->classes[0].results;
    const struct class_results *other = pages->classes[1].results;
    size_t other_count = pages->classes[1].store == NULL ? 0 : other->row_count;
    struct class_row *rows =
        arena_array(pages->arena, own->row_count + other_count + 1, sizeof *rows);

    if (own->row_count > 0) {
        memcpy(rows, own->rows, own->row_count * sizeof *rows);
    }
    if (other_count > 0) {
        memcpy(rows + own->row_count, other->rows, other_count * sizeof *rows);
    }
    pages->all = *own;
    pages->all.rows = rows;
    pages->all.row_count = own->row_count + other_count;
    pages->own_count = own->row_count;
}

static struct pair_side side_of(const struct pair_pages *pages, size_t row)
{
    return (struct pair_side){
        .row = &pages->all.rows[row],
        .from = row < pages->own_count ? NULL : pages->classes[1].folder,
    };
}

/* By the two students; of the same two the most similar first, as they are in their array. */
static int compare_pairs(const void *left_pointer, const void *right_pointer)
{
    const struct class_pair *left = *(const struct class_pair *const *)left_pointer;
    const struct class_pair *right = *(const struct class_pair *const *)right_pointer;

    if (left->first != right->first) {
        return left->first < right->first ? -1 : 1;
    }
    if (left->second != right->second) {
        return left->second < right->second ? -1 : 1;
    }
    return (left > right) - (left < right);
}

/* Finds what each two students have in common: out_counts [pair_count] has how many pairs they are
 * at the first of them, else 0. Returns the pairs, those of two students together, and *out_places
 * [pair_count] where each stands there. */
static const struct class_pair **group_pairs(const struct pair_pages *pages, size_t *out_counts,
                                             size_t *out_places)
{
    const struct class_results *all = &pages->all;
    const struct class_pair **order = arena_array(pages->arena, all->pair_count, sizeof *order);

    for (size_t i = 0; i < all->pair_count; i++) {
        order[i] = &all->pairs[i];
    }
    qsort(order, all->pair_count, sizeof(const struct class_pair *), compare_pairs);
    for (size_t i = 0, first = 0; i < all->pair_count; i++) {
        if (order[i]->first != order[first]->first || order[i]->second != order[first]->second) {
            first = i;
        }
        out_counts[order[first] - all->pairs]++;
        out_places[order[i] - all->pairs] = i;
    }
    return order;
}

/* A view for each two students, with all their programs, in the order of their most similar one. */
static void make_views(struct pair_pages *pages)
{
    const struct class_results *all = &pages->all;
    struct pair_view *views = arena_array(pages->arena, PAGES_MAX, sizeof *views);
    size_t *counts = arena_array(pages->arena, all->pair_count, sizeof *counts);
    size_t *places = arena_array(pages->arena, all->pair_count, sizeof *places);
    const struct class_pair **order = group_pairs(pages, counts, places);

    for (size_t i = 0; i < all->pair_count; i++) {
        const struct class_pair *first = &all->pairs[i];
        if (counts[i] == 0 || first->first >= pages->own_count) {
            continue;
        }
        if (pages->view_count == PAGES_MAX) {
            pages->left_out++;
            continue;
        }
        struct class_pair *pairs = arena_array(pages->arena, counts[i], sizeof *pairs);
        for (size_t k = 0; k < counts[i]; k++) {
            pairs[k] = *order[places[i] + k];
        }
        views[pages->view_count++] = (struct pair_view){
            .title = all->title,
            .sides = {side_of(pages, first->first), side_of(pages, first->second)},
            .pairs = pairs,
            .pair_count = counts[i],
        };
    }
    pages->views = views;
    pages->names = arena_array(pages->arena, pages->view_count, sizeof *pages->names);
    for (size_t i = 0; i < pages->view_count; i++) {
        pages->names[i] = arena_printf(pages->arena, "pair-%zu.html", i + 1);
    }
}

/* Files of the template and the reference solution; those that are not there are left out. */
static void add_known(struct pair_pages *pages, const char *folder, const char *name)
{
    struct source_file *files = NULL;
    size_t count = pages->known.count, capacity = 0, length;
    const char *path = arena_printf(pages->arena, "%s/%s", folder, name);
    char *bytes;

    if (file_read(pages->arena, path, KNOWN_BYTES_MAX, BLAME_ENVIRONMENT, &bytes, &length, NULL) !=
        ERROR_NONE) {
        return;
    }
    arena_grow(pages->arena, &files, &capacity, count + 1, sizeof *files);
    if (count > 0) {
        memcpy(files, pages->known.files, count * sizeof *files);
    }
    files[count] = (struct source_file){.name = name, .text = bytes, .length = length};
    pages->known = (struct shared_files){.files = files, .count = count + 1};
}

static void read_known(struct pair_pages *pages, const struct rubric *rubric)
{
    const char *solution = arena_printf(pages->arena, "%s/solution", rubric->reference_folder);

    for (size_t i = 0; i < rubric->program_count; i++) {
        const struct rubric_program *program = &rubric->programs[i];
        for (size_t j = 0; j < program->source_count; j++) {
            add_known(pages, rubric->template_folder, program->sources[j]);
            add_known(pages, solution, program->sources[j]);
        }
        for (size_t j = 0; j < program->given_count; j++) {
            add_known(pages, rubric->template_folder, program->given[j]);
        }
    }
}

/* Reads what a student handed in. */
static enum error read_files(const struct pair_pages *pages, struct pair_side *side,
                             struct arena *arena, struct diagnostic *diagnostic)
{
    const struct pair_class *of = &pages->classes[side->from == NULL ? 0 : 1];
    const char *archive;
    size_t length;
    struct report report;
    enum error error =
        store_archive(of->store, arena, side->row->submission, &archive, &length, diagnostic);

    if (error == ERROR_NONE) {
        error = report_archive_read(arena, archive, length, side->row->submission, of->rubric,
                                    &report, diagnostic);
    }
    if (error == ERROR_NONE) {
        side->files = (struct shared_files){.files = report.sources, .count = report.source_count};
    }
    return error;
}

static enum error write_page(const struct pair_pages *pages, const char *folder, const char *name,
                             const struct text *page, struct diagnostic *diagnostic)
{
    return file_write_mode(arena_printf(pages->arena, "%s/%s", folder, name), 0600, page->bytes,
                           page->length, diagnostic);
}

static enum error write_pair(const struct pair_pages *pages, const char *folder, size_t index,
                             struct diagnostic *diagnostic)
{
    struct arena *arena = arena_new();
    struct pair_view view = pages->views[index];
    struct shared_lines shared;
    enum error error = ERROR_NONE;
    struct text page;

    for (size_t i = 0; error == ERROR_NONE && i < 2; i++) {
        error = read_files(pages, &view.sides[i], arena, diagnostic);
    }
    if (error == ERROR_NONE) {
        const struct shared_files sides[] = {view.sides[0].files, view.sides[1].files};
        shared_lines_find(sides, &pages->known, arena, &shared);
        text_init(&page);
        pair_page(&view, &shared, &page);
        error = write_page(pages, folder, pages->names[index], &page, diagnostic);
        text_release(&page);
    }
    arena_free(arena);
    return error;
}

static enum error write_all(const struct pair_pages *pages, const char *folder,
                            struct diagnostic *diagnostic)
{
    struct text list;
    enum error error = folder_make(folder, 0700, diagnostic);

    for (size_t i = 0; error == ERROR_NONE && i < pages->view_count; i++) {
        error = write_pair(pages, folder, i, diagnostic);
    }
    if (error == ERROR_NONE) {
        text_init(&list);
        pair_list(pages->all.title, pages->views, pages->names, pages->view_count, &list);
        error = write_page(pages, folder, "index.html", &list, diagnostic);
        text_release(&list);
    }
    return error;
}

enum error pair_folder_write(const char *folder, const struct pair_class classes[2],
                             size_t *out_written, size_t *out_left_out,
                             struct diagnostic *diagnostic)
{
    struct pair_pages pages = {.arena = arena_new(), .classes = classes};
    enum error error = result_folder_check(folder, diagnostic);

    if (error == ERROR_NONE) {
        join_rows(&pages);
        error = store_pairs_across(classes[0].store, classes[1].store, pages.arena, &pages.all,
                                   diagnostic);
    }
    if (error == ERROR_NONE) {
        make_views(&pages);
        read_known(&pages, classes[0].rubric);
        error = write_all(&pages, folder, diagnostic);
    }
    if (error == ERROR_NONE) {
        *out_written = pages.view_count;
        *out_left_out = pages.left_out;
    }
    arena_free(pages.arena);
    return error;
}
