/* class_ranks.c: see class_ranks.h. */
#include "batch/class_ranks.h"

#include "batch/pseudonym.h"

#include <stdlib.h>
#include <string.h>

/* A row on its way to a place. */
struct ranked {
    size_t row;
    const char *gpu;
    size_t on_gpu; /* how many the same GPU has measured */
    double value;  /* the smallest is the best */
    const char *alias;
};

static int compare_names(const void *left_pointer, const void *right_pointer)
{
    const struct class_row *left = *(struct class_row *const *)left_pointer;
    const struct class_row *right = *(struct class_row *const *)right_pointer;

    return strcmp(left->alias, right->alias);
}

static void make_names(struct class_row *rows, size_t count, const char *secret,
                       struct arena *arena)
{
    struct class_row **order = arena_array(arena, count, sizeof *order);
    char words[PSEUDONYM_WORDS_BYTES];

    for (size_t i = 0; i < count; i++) {
        pseudonym_words(secret, rows[i].student, false, words);
        rows[i].alias = arena_strdup(arena, words);
        order[i] = &rows[i];
    }
    qsort(order, count, sizeof(struct class_row *), compare_names);
    for (size_t i = 0, same; i < count; i += same) {
        for (same = 1; i + same < count && compare_names(&order[i], &order[i + same]) == 0;) {
            same++;
        }
        for (size_t k = i; same > 1 && k < i + same; k++) {
            pseudonym_words(secret, order[k]->student, true, words);
            order[k]->alias = arena_strdup(arena, words);
        }
    }
}

static int compare_gpus(const void *left_pointer, const void *right_pointer)
{
    const struct ranked *left = left_pointer, *right = right_pointer;

    return strcmp(left->gpu, right->gpu);
}

static int compare_ranked(const void *left_pointer, const void *right_pointer)
{
    const struct ranked *left = left_pointer, *right = right_pointer;
    int by_gpu = compare_gpus(left, right);

    if (left->on_gpu != right->on_gpu) {
        return left->on_gpu > right->on_gpu ? -1 : 1;
    }
    if (by_gpu != 0) {
        return by_gpu;
    }
    return left->value != right->value ? (left->value > right->value) - (left->value < right->value)
                                       : strcmp(left->alias, right->alias);
}

/* Counts for each how many are on its GPU. */
static void count_gpus(struct ranked *ranked, size_t count)
{
    qsort(ranked, count, sizeof *ranked, compare_gpus);
    for (size_t i = 0, same; i < count; i += same) {
        for (same = 1; i + same < count && compare_gpus(&ranked[i], &ranked[i + same]) == 0;) {
            same++;
        }
        for (size_t k = i; k < i + same; k++) {
            ranked[k].on_gpu = same;
        }
    }
}

/* Gives places to what is in order. */
static void give_places(const struct ranked *ranked, size_t count, struct class_row *rows)
{
    size_t first = 0;

    for (size_t i = 0; i < count; i++) {
        struct class_row *row = &rows[ranked[i].row];
        bool is_first = i == 0 || compare_gpus(&ranked[i - 1], &ranked[i]) != 0;
        first = is_first ? i : first;
        row->places = ranked[i].on_gpu;
        row->place = !is_first && ranked[i - 1].value == ranked[i].value
                         ? rows[ranked[i - 1].row].place
                         : i - first + 1;
    }
}

void class_ranks(struct class_results *results, struct class_row *rows, const char *secret,
                 struct arena *arena)
{
    struct ranked *ranked = arena_array(arena, results->row_count, sizeof *ranked);
    size_t *board = arena_array(arena, results->row_count, sizeof *board);
    size_t count = 0;

    make_names(rows, results->row_count, secret, arena);
    for (size_t i = 0; i < results->row_count; i++) {
        const struct class_row *row = &rows[i];
        if (row->ranked > 0 && row->state == CLASS_GRADED && !row->final.is_excused &&
            !row->final.is_cut_off) {
            double value = results->ranked_by == RANKED_BY_SPEEDUP ? -row->ranked : row->ranked;
            ranked[count++] = (struct ranked){
                .row = i, .gpu = row->ranked_on, .value = value, .alias = row->alias};
        }
    }
    count_gpus(ranked, count);
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    give_places(ranked, count, rows);
    for (size_t i = 0; i < count; i++) {
        board[i] = ranked[i].row;
    }
    results->board = board;
    results->board_count = count;
}
