/* similarity.c: see similarity.h. Programs are looked at one after the other. */
#include "batch/similarity.h"

#include <stdlib.h>
#include <string.h>

/* The students who handed in one content. */
struct group {
    const char *content;
    const size_t *rows; /* [count] ascending */
    size_t count;
    const char *last_program; /* for which its code was gathered */
};

/* The own code of one content in one program. */
struct own_code {
    const struct group *group;
    uint32_t *marks; /* [count] numbers of marks, rarest first */
    size_t count;
    size_t
        uncommon_before; /* marks that neither template nor reference has, common ones included */
};

/* One mark of one code. */
struct posting {
    uint64_t mark;
    uint32_t code;
};

/* Where in `owners` the codes of a mark stand. */
struct mark_list {
    size_t first;
    size_t count;
};

struct comparison {
    const struct similarity_input *input;
    struct arena *arena;   /* of the result */
    struct arena *scratch; /* of this call */
    struct group *groups;  /* [group_count] by content */
    size_t group_count;
    struct class_pair *pairs;
    size_t pair_count, pair_capacity;
    /* of one program */
    const char *program;
    struct own_code *codes; /* [code_count] by content */
    size_t code_count;
    struct posting *postings; /* [posting_count] by mark, then by code */
    size_t posting_count;
    struct mark_list *lists; /* [list_count] rarest first: the numbers of marks */
    size_t list_count;
    uint32_t *owners;
};

struct named_row {
    const char *content;
    size_t row;
};

static int compare_named_rows(const void *left_pointer, const void *right_pointer)
{
    const struct named_row *left = left_pointer, *right = right_pointer;
    int order = strcmp(left->content, right->content);

    return order != 0 ? order : (left->row > right->row) - (left->row < right->row);
}

/* Rows by their content. */
static void group_rows(struct comparison *comparison)
{
    const struct similarity_input *input = comparison->input;
    struct arena *scratch = comparison->scratch;
    struct named_row *named = arena_array(scratch, input->row_count, sizeof *named);
    size_t count = 0;

    for (size_t i = 0; i < input->row_count; i++) {
        if (input->rows[i].content[0] != '\0') {
            named[count++] = (struct named_row){input->rows[i].content, i};
        }
    }
    if (count > 0) {
        qsort(named, count, sizeof *named, compare_named_rows);
    }
    size_t *rows = arena_array(scratch, count, sizeof *rows);
    comparison->groups = arena_array(scratch, count, sizeof *comparison->groups);
    for (size_t i = 0; i < count; i++) {
        rows[i] = named[i].row;
        if (i == 0 || strcmp(named[i].content, named[i - 1].content) != 0) {
            comparison->groups[comparison->group_count++] =
                (struct group){.content = named[i].content, .rows = &rows[i]};
        }
        comparison->groups[comparison->group_count - 1].count++;
    }
}

static int compare_group(const void *content, const void *group)
{
    return strcmp(content, ((const struct group *)group)->content);
}

static struct group *find_group(const struct comparison *comparison, const char *content)
{
    return comparison->group_count == 0
               ? NULL
               : bsearch(content, comparison->groups, comparison->group_count,
                         sizeof *comparison->groups, compare_group);
}

static int compare_marks(const void *left_pointer, const void *right_pointer)
{
    uint64_t left = *(const uint64_t *)left_pointer, right = *(const uint64_t *)right_pointer;

    return (left > right) - (left < right);
}

/* The marks of the template and the reference solution, ascending. */
static const uint64_t *known_marks(const struct comparison *comparison, size_t *out_count)
{
    const struct similarity_input *input = comparison->input;
    size_t count = 0, capacity = 0;
    uint64_t *marks = NULL;

    for (size_t i = 0; i < input->known_count; i++) {
        const struct device_code *known = &input->known[i];
        if (strcmp(known->program, comparison->program) != 0 || known->mark_count == 0) {
            continue;
        }
        arena_grow(comparison->scratch, &marks, &capacity, count + known->mark_count,
                   sizeof *marks);
        memcpy(marks + count, known->marks, known->mark_count * sizeof *marks);
        count += known->mark_count;
    }
    if (count > 0) {
        qsort(marks, count, sizeof *marks, compare_marks);
    }
    *out_count = count;
    return marks;
}

/* Adds the marks of a code that are not known. */
static void add_postings(struct comparison *comparison, const struct device_code *code,
                         const uint64_t *known, size_t known_count)
{
    struct own_code *own = &comparison->codes[comparison->code_count];
    size_t at = 0;

    for (size_t i = 0; i < code->mark_count; i++) {
        while (at < known_count && known[at] < code->marks[i]) {
            at++;
        }
        if (at == known_count || known[at] != code->marks[i]) {
            comparison->postings[comparison->posting_count++] =
                (struct posting){code->marks[i], (uint32_t)comparison->code_count};
            own->uncommon_before++;
        }
    }
}

static int compare_postings(const void *left_pointer, const void *right_pointer)
{
    const struct posting *left = left_pointer, *right = right_pointer;

    if (left->mark != right->mark) {
        return left->mark < right->mark ? -1 : 1;
    }
    return (left->code > right->code) - (left->code < right->code);
}

/* The codes of the program, and their marks. */
static void gather(struct comparison *comparison)
{
    const struct similarity_input *input = comparison->input;
    size_t known_count = 0, total = 0;
    const uint64_t *known = known_marks(comparison, &known_count);

    for (size_t i = 0; i < input->code_count; i++) {
        total += input->codes[i].code.mark_count; /* all are in memory */
    }
    comparison->codes =
        arena_array(comparison->scratch, input->code_count, sizeof *comparison->codes);
    comparison->postings = arena_array(comparison->scratch, total, sizeof *comparison->postings);
    for (size_t i = 0; i < input->code_count; i++) {
        const struct store_code *code = &input->codes[i];
        struct group *group = find_group(comparison, code->content);
        if (strcmp(code->code.program, comparison->program) != 0 || group == NULL ||
            group->last_program == comparison->program) {
            continue; /* the second: seen by two runs, or in two stores */
        }
        group->last_program = comparison->program;
        comparison->codes[comparison->code_count].group = group;
        add_postings(comparison, &code->code, known, known_count);
        comparison->code_count++;
    }
    if (comparison->posting_count > 0) {
        qsort(comparison->postings, comparison->posting_count, sizeof *comparison->postings,
              compare_postings);
    }
}

/* In how many contents a mark is at most the work of some. */
static size_t common_limit(size_t contents)
{
    size_t limit = contents / 10 > LIKENESS_COMMON ? contents / 10 : LIKENESS_COMMON;

    return limit < LIKENESS_COMMON_MAX ? limit : LIKENESS_COMMON_MAX;
}

static int compare_lists(const void *left_pointer, const void *right_pointer)
{
    const struct mark_list *left = left_pointer, *right = right_pointer;

    if (left->count != right->count) {
        return left->count < right->count ? -1 : 1;
    }
    return (left->first > right->first) - (left->first < right->first);
}

/* The inverted index, without common marks: numbers them, and gives each code its own. */
static void index_marks(struct comparison *comparison)
{
    size_t limit = common_limit(comparison->code_count);
    struct arena *scratch = comparison->scratch;
    const struct posting *postings = comparison->postings;

    comparison->lists = arena_array(scratch, comparison->posting_count, sizeof *comparison->lists);
    comparison->owners =
        arena_array(scratch, comparison->posting_count, sizeof *comparison->owners);
    for (size_t i = 0, end; i < comparison->posting_count; i = end) {
        for (end = i; end < comparison->posting_count && postings[end].mark == postings[i].mark;
             end++) {
            comparison->owners[end] = postings[end].code;
        }
        if (end - i <= limit) {
            comparison->lists[comparison->list_count++] = (struct mark_list){i, end - i};
        }
    }
    if (comparison->list_count > 0) {
        qsort(comparison->lists, comparison->list_count, sizeof *comparison->lists, compare_lists);
    }
    for (size_t i = 0; i < comparison->code_count; i++) {
        comparison->codes[i].marks = arena_array(scratch, comparison->codes[i].uncommon_before,
                                                 sizeof *comparison->codes[i].marks);
    }
    for (size_t i = 0; i < comparison->list_count; i++) {
        for (size_t k = 0; k < comparison->lists[i].count; k++) {
            struct own_code *code =
                &comparison->codes[comparison->owners[comparison->lists[i].first + k]];
            code->marks[code->count++] = (uint32_t)i;
        }
    }
}

static void add_pair(struct comparison *comparison, size_t left, size_t right,
                     const struct class_pair *told)
{
    arena_grow(comparison->arena, &comparison->pairs, &comparison->pair_capacity,
               comparison->pair_count + 1, sizeof *comparison->pairs);
    struct class_pair *pair = &comparison->pairs[comparison->pair_count++];
    *pair = *told;
    pair->first = left < right ? left : right;
    pair->second = left < right ? right : left;
}

/* How many students of a group are paired with all others: the first ones. */
static size_t reported_to_students(const struct group *group)
{
    return group->count <= LIKENESS_GROUP ? group->count : 1;
}

/* Students with equal files. */
static void add_equal(struct comparison *comparison, const struct own_code *code)
{
    const struct group *group = code->group;
    const struct class_pair told = {.program = comparison->program,
                                    .similarity = 1,
                                    .shared = code->uncommon_before,
                                    .is_same_content = true};

    if (code->uncommon_before == 0) {
        return;
    }
    for (size_t i = 0; i < reported_to_students(group); i++) {
        for (size_t k = i + 1; k < group->count; k++) {
            add_pair(comparison, group->rows[i], group->rows[k], &told);
        }
    }
}

static size_t count_shared(const struct own_code *left, const struct own_code *right)
{
    size_t shared = 0;

    for (size_t i = 0, k = 0; i < left->count && k < right->count;) {
        if (left->marks[i] == right->marks[k]) {
            shared++;
        }
        bool steps_left = left->marks[i] <= right->marks[k];
        k += right->marks[k] <= left->marks[i];
        i += steps_left;
    }
    return shared;
}

/* How much of a code another one must have, for there to be something to say. */
static size_t least_shared(const struct own_code *code)
{
    return (code->count * LIKENESS_LEAST_PERCENT + 99) / 100;
}

/* Compares two codes; `left` is the smaller one. */
static void compare_codes(struct comparison *comparison, const struct own_code *left,
                          const struct own_code *right)
{
    size_t shared = count_shared(left, right);
    const struct class_pair told = {.program = comparison->program,
                                    .similarity = (double)shared / (double)left->count,
                                    .shared = shared};

    if (shared < least_shared(left)) {
        return;
    }
    for (size_t i = 0; i < reported_to_students(left->group); i++) {
        for (size_t k = 0; k < reported_to_students(right->group); k++) {
            add_pair(comparison, left->group->rows[i], right->group->rows[k], &told);
        }
    }
}

/* True if `left` is the one by whose size a pair is measured. */
static bool is_smaller(const struct comparison *comparison, uint32_t left, uint32_t right)
{
    size_t left_count = comparison->codes[left].count, right_count = comparison->codes[right].count;

    return left_count != right_count ? left_count < right_count : left < right;
}

/* Looks up the rarest marks of a code. `seen` [code_count]: by which code last, and 1. */
static void find_candidates(struct comparison *comparison, uint32_t number, uint32_t *seen)
{
    const struct own_code *code = &comparison->codes[number];
    size_t needed = least_shared(code);

    for (size_t i = 0; i + needed <= code->count; i++) {
        const struct mark_list *list = &comparison->lists[code->marks[i]];
        for (size_t k = 0; k < list->count; k++) {
            uint32_t other = comparison->owners[list->first + k];
            if (seen[other] != number + 1 && is_smaller(comparison, number, other)) {
                seen[other] = number + 1;
                compare_codes(comparison, code, &comparison->codes[other]);
            }
        }
    }
}

static void compare_program(struct comparison *comparison)
{
    gather(comparison);
    index_marks(comparison);
    uint32_t *seen = arena_array(comparison->scratch, comparison->code_count, sizeof *seen);
    for (size_t i = 0; i < comparison->code_count; i++) {
        add_equal(comparison, &comparison->codes[i]);
        if (comparison->codes[i].count >= LIKENESS_SMALLEST) {
            find_candidates(comparison, (uint32_t)i, seen);
        }
    }
}

static int compare_pairs(const void *left_pointer, const void *right_pointer)
{
    const struct class_pair *left = left_pointer, *right = right_pointer;

    if (left->similarity != right->similarity) {
        return left->similarity > right->similarity ? -1 : 1;
    }
    if (left->shared != right->shared) {
        return left->shared > right->shared ? -1 : 1;
    }
    if (left->first != right->first) {
        return left->first < right->first ? -1 : 1;
    }
    if (left->second != right->second) {
        return left->second < right->second ? -1 : 1;
    }
    return strcmp(left->program, right->program);
}

/* True if an earlier code is of the same program. */
static bool is_done(const struct similarity_input *input, const char *const *programs, size_t count,
                    size_t code)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(programs[i], input->codes[code].code.program) == 0) {
            return true;
        }
    }
    return false;
}

void similarity_find(const struct similarity_input *input, struct arena *arena,
                     const struct class_pair **out_pairs, size_t *out_count)
{
    struct arena *names = arena_new();
    const char **programs = NULL;
    size_t program_count = 0, capacity = 0;
    struct comparison comparison = {.input = input, .arena = arena, .scratch = names};

    group_rows(&comparison);
    for (size_t i = 0; i < input->code_count; i++) {
        if (is_done(input, programs, program_count, i)) {
            continue;
        }
        struct comparison one = comparison;
        one.scratch = arena_new();
        one.program = input->codes[i].code.program;
        compare_program(&one);
        comparison.pairs = one.pairs;
        comparison.pair_count = one.pair_count;
        comparison.pair_capacity = one.pair_capacity;
        arena_free(one.scratch);
        arena_grow(names, &programs, &capacity, program_count + 1, sizeof *programs);
        programs[program_count++] = input->codes[i].code.program;
    }
    if (comparison.pair_count > 0) {
        qsort(comparison.pairs, comparison.pair_count, sizeof *comparison.pairs, compare_pairs);
    }
    arena_free(names);
    *out_pairs = comparison.pairs;
    *out_count = comparison.pair_count;
}
