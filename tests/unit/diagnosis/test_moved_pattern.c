/* test_moved_pattern.c: values in the places of others, further away in one case than in another. */
#include "diagnosis/patterns/moved_pattern.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { OUTPUTS = 3, ELEMENTS_MAX = 300 };

static double expected[OUTPUTS][ELEMENTS_MAX], got[OUTPUTS][ELEMENTS_MAX];
static struct wrong_output outputs[OUTPUTS];
static const struct wrong_outputs all = {.outputs = outputs, .count = OUTPUTS, .is_vector = true};

/* Sorted values; what is stored comes from so many elements further on, -1 where there is none. */
static void move(const int *counts, const int *distances)
{
    for (size_t i = 0; i < OUTPUTS; i++) {
        for (int j = 0; j < counts[i]; j++) {
            expected[i][j] = j / 2 * 7 + j;
        }
        for (int j = 0; j < counts[i]; j++) {
            const int from = j + distances[i];
            got[i][j] = from >= 0 && from < counts[i] ? expected[i][from] : -1.0;
        }
        outputs[i] = (struct wrong_output){.expected = expected[i],
                                           .got = got[i],
                                           .rows = 1,
                                           .columns = (size_t)counts[i],
                                           .number = i};
    }
}

static void expect_clause(const struct wrong_outputs *of, const char *clause)
{
    struct arena *arena = arena_new();
    struct value_pattern pattern = {0};

    assert_int_equal(moved_pattern_find(arena, of, &pattern), clause != NULL);
    if (clause != NULL) {
        assert_string_equal(pattern.clause, clause);
    }
    arena_free(arena);
}

static void values_are_moved(void **state)
{
    struct wrong_outputs matrices = all;
    (void)state;

    move((const int[]){27, 257, 300}, (const int[]){5, 255, 212});
    expect_clause(&all,
                  "all values are moved: element i holds what belongs to element i + s, where "
                  "s is 5 for 27 elements and 255 for 257");
    matrices.is_vector = false;
    expect_clause(&matrices, NULL);
    move((const int[]){1, 100, 300}, (const int[]){-1, -40, -40});
    expect_clause(&all,
                  "all values are moved: element i holds what belongs to element i - s, where "
                  "s is 40 for 100 elements");
}

/* One value that does not fit, one case in which nothing fits, and too few that do. */
static void what_is_not_exact_is_not_said(void **state)
{
    (void)state;
    move((const int[]){27, 60, 300}, (const int[]){5, 4, 212});
    got[1][30] += 1.0;
    expect_clause(&all, NULL);
    move((const int[]){27, 60, 300}, (const int[]){5, 60, 212});
    expect_clause(&all, NULL);
    move((const int[]){27, 60, 300}, (const int[]){20, 4, 295});
    expect_clause(&all, NULL);
    move((const int[]){27, 60, 300}, (const int[]){5, 4, 212});
    for (size_t i = 0; i < OUTPUTS; i++) { /* the same value everywhere */
        for (size_t j = 0; j < outputs[i].columns; j++) {
            expected[i][j] = got[i][j] > 0.0 ? 3.0 : expected[i][j];
            got[i][j] = got[i][j] > 0.0 ? 3.0 : got[i][j];
        }
    }
    expect_clause(&all, NULL);
}

/* The same as trying all distances. */
static void distances_are_the_shortest(void **state)
{
    struct arena *arena = arena_new();

    (void)state;
    srand(7);
    for (int round = 0; round < 300; round++) {
        const size_t count = 1 + (size_t)(rand() % 24);
        for (size_t i = 0; i < count; i++) {
            expected[0][i] = rand() % 2;
            got[0][i] = rand() % 9 == 0 ? NAN : rand() % 2;
        }
        outputs[0] = (struct wrong_output){expected[0], got[0], 1, count, 0, NULL, 0};
        for (int is_early = 0; is_early < 2; is_early++) {
            const double *from = is_early ? expected[0] : got[0];
            const double *to = is_early ? got[0] : expected[0];
            size_t distance = 1;
            size_t same = 0;
            for (; distance < count; distance++) {
                for (same = 0; same + distance < count && from[same + distance] == to[same];) {
                    same++;
                }
                if (same + distance == count) {
                    break;
                }
            }
            assert_int_equal(moved_distance(arena, &outputs[0], is_early).distance, distance);
        }
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_moved),
        cmocka_unit_test(what_is_not_exact_is_not_said),
        cmocka_unit_test(distances_are_the_shortest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
