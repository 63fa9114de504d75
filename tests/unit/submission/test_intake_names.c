/* test_intake_names.c: which files are taken for sources whose names they nearly have. */
#include "submission/intake_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NAMES_MAX = 4 };

static const char *const tiled[] = {"exercise1_tiled.cu"};
static const char *const dynamic[] = {"exercise2_dynamic.cu"};
static const char *const lab[] = {"lab1_sum.cu", "lab2_sum.cu", "a.cu"};
static const struct rubric_program exercise_programs[] = {
    {.id = "tiled", .sources = tiled, .source_count = 1},
    {.id = "dynamic", .sources = dynamic, .source_count = 1},
};
static const struct rubric_program lab_programs[] = {
    {.id = "lab", .sources = lab, .source_count = 3}};
static const struct rubric exercises = {.programs = exercise_programs, .program_count = 2};
static const struct rubric numbered = {.programs = lab_programs, .program_count = 1};

static int compare(const void *left, const void *right)
{
    return strcmp(((const struct intake_file *)left)->name,
                  ((const struct intake_file *)right)->name);
}

/* Adopts names among these files; what is found for `wanted` then was handed in as this; "" if
 * there is none, or it always had the name. */
static const char *adopted(struct arena *arena, const struct rubric *rubric,
                           const char *const names[NAMES_MAX], const char *wanted)
{
    struct intake_file files[NAMES_MAX];
    struct intake_files all = {.shown = "student", .files = files};

    while (all.count < NAMES_MAX && names[all.count] != NULL) {
        files[all.count] = (struct intake_file){.name = names[all.count], .bytes = "x"};
        all.count++;
    }
    qsort(files, all.count, sizeof files[0], compare);
    intake_adopt_names(arena, rubric, &all);
    const struct intake_file *found = intake_find(&all, wanted);
    return found == NULL || found->handed_in == NULL ? "" : found->handed_in;
}

static void one_file_and_one_source_fit_each_other(void **state)
{
    static const struct {
        const char *names[NAMES_MAX];
        const char *taken; /* for exercise1_tiled.cu */
    } rows[] = {
        {{"Exercise1_Tiled.cu"}, "Exercise1_Tiled.cu"},
        {{"EXERCISE1_TILED.CU", "exercise2_dynamic.cu"}, "EXERCISE1_TILED.CU"},
        {{"exercise1_tiled (1).cu"}, "exercise1_tiled (1).cu"},
        {{"exercise1_tiled(12).cu"}, "exercise1_tiled(12).cu"},
        {{"exercise1_tiled.cu (1)"}, "exercise1_tiled.cu (1)"},
        {{"Copy of exercise1_tiled.cu"}, "Copy of exercise1_tiled.cu"},
        {{"exercise1_tiled - Copy.cu"}, "exercise1_tiled - Copy.cu"},
        {{"exercise1_tiled.cu.txt"}, "exercise1_tiled.cu.txt"},
        {{"Exercise1_tiled (2).cu.TXT"}, "Exercise1_tiled (2).cu.TXT"},
        {{"exercise1_titled.cu"}, "exercise1_titled.cu"}, /* one more */
        {{"exercise1_tied.cu"}, "exercise1_tied.cu"},     /* one fewer */
        {{"exercise1-tiled.cu"}, "exercise1-tiled.cu"},   /* another */
        {{"exercise1_tilde.cu"}, "exercise1_tilde.cu"},   /* exchanged */
        {{"exercise1_titled.cu", "exercise1_tiled (1).cu"}, "exercise1_tiled (1).cu"},
        {{"Exercise1_Tiled.cu", "exercise1_tiled (1).cu"}, "Exercise1_Tiled.cu"},
        /* not taken */
        {{"exercise1_tiled.cu", "exercise1_tiled (1).cu"}, ""},
        {{"exercise1_tiled (1).cu", "exercise1_tiled (2).cu"}, ""},
        {{"exercise1_titled.cu", "exercise1_tilted.cu", "exercise1_tild.cu"}, ""},
        {{"exercise2_tiled.cu"}, ""},
        {{"exercise_tiled.cu"}, ""},
        {{"exercise1_tiled.c"}, ""},
        {{"exercise1_tiled.txt"}, ""},
        {{"old/exercise1_tiled.cu"}, ""},
        {{"exercise1_tiled.cu/notes"}, ""},
    };
    struct arena *arena = arena_new();
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *taken = adopted(arena, &exercises, rows[i].names, "exercise1_tiled.cu");
        if (strcmp(taken, rows[i].taken) != 0) {
            fail_msg("of '%s' and others '%s' is taken, not '%s'", rows[i].names[0], taken,
                     rows[i].taken);
        }
    }
    arena_free(arena);
}

static void a_number_is_no_typo(void **state)
{
    struct arena *arena = arena_new();
    const char *const other[NAMES_MAX] = {"lab3_sum.cu"};
    const char *const wanted[NAMES_MAX] = {"lab2_sum.cu"}; /* is a source itself */
    const char *const brief[NAMES_MAX] = {"b.cu"};
    (void)state;

    assert_string_equal(adopted(arena, &numbered, other, "lab1_sum.cu"), "");
    assert_string_equal(adopted(arena, &numbered, wanted, "lab1_sum.cu"), "");
    assert_string_equal(adopted(arena, &numbered, brief, "a.cu"), "");
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_file_and_one_source_fit_each_other),
        cmocka_unit_test(a_number_is_no_typo),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
