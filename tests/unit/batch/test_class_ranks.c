/* test_class_ranks.c: places and made-up names of a class. */
#include "batch/class_ranks.h"
#include "batch/pseudonym.h"

#include "report/class/leaderboard_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 9, MANY = 2000 };

static struct arena *arena;
static struct class_row rows[ROWS];
static struct class_results class;

static int set_up(void **state)
{
    static const char *const names[ROWS] = {"ann", "bo",  "cy",  "di", "ed",
                                            "flo", "gus", "hal", "ivy"};

    (void)state;
    arena = arena_new();
    for (size_t i = 0; i < ROWS; i++) {
        rows[i] = (struct class_row){
            .student = names[i], .state = CLASS_GRADED, .ranked_on = "", .alias = ""};
    }
    class = (struct class_results){
        .title = "Matrices <1>", .rows = rows, .row_count = ROWS, .ranked_by = RANKED_BY_SPEEDUP};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static void put(size_t row, const char *gpu, double value)
{
    rows[row].ranked = value;
    rows[row].ranked_on = gpu;
}

/* Two GPUs are two tables, the larger one first; equal values share a place. */
static void cards_are_not_mixed(void **state)
{
    static const size_t places[ROWS] = {1, 4, 2, 2, 1, 2, 0, 0, 0};

    (void)state;
    put(0, "H200", 9);
    put(1, "H200", 2);
    put(2, "H200", 5);
    put(3, "H200", 5);
    put(4, "A100", 99);
    put(5, "A100", 1);
    put(6, "H200", 50);
    rows[6].final.is_excused = true;
    put(7, "H200", 50);
    rows[7].final.is_cut_off = true;
    class_ranks(&class, rows, "secret", arena);
    assert_int_equal(class.board_count, 6);
    assert_int_equal(class.board[0], 0);
    assert_int_equal(class.board[3], 1);
    assert_int_equal(class.board[4], 4);
    assert_int_equal(class.board[5], 5);
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(rows[i].place, places[i]);
    }
    assert_int_equal(rows[3].places, 4);
    assert_int_equal(rows[5].places, 2);
    /* equal ones in the order of made-up names */
    assert_true(strcmp(rows[class.board[1]].alias, rows[class.board[2]].alias) < 0);
}

static void the_fewest_instructions_win(void **state)
{
    (void)state;
    class.ranked_by = RANKED_BY_INSTRUCTIONS;
    put(0, "", 9000);
    put(1, "", 2000);
    class_ranks(&class, rows, "secret", arena);
    assert_int_equal(rows[1].place, 1);
    assert_int_equal(rows[0].place, 2);
}

/* The page has made-up names alone. */
static void the_page_names_nobody(void **state)
{
    struct text page;

    (void)state;
    put(0, "H<2>", 9);
    put(1, "H<2>", 2.5);
    class_ranks(&class, rows, "secret", arena);
    text_init(&page);
    leaderboard_page(&class, &page);
    assert_non_null(strstr(page.bytes, "<caption>H&lt;2&gt;</caption>"));
    assert_non_null(strstr(page.bytes, rows[0].alias));
    assert_non_null(strstr(page.bytes, "<td class=\"number\">2.50</td>"));
    assert_null(strstr(page.bytes, "ann"));
    assert_null(strstr(page.bytes, rows[2].alias));
    text_clear(&page);
    class.board_count = 0;
    leaderboard_page(&class, &page);
    assert_non_null(strstr(page.bytes, "It is still empty."));
    text_release(&page);
}

/* The same secret gives the same names, whoever else is there; another secret others. */
static void names_stay_through_a_term(void **state)
{
    const char *before[ROWS];
    size_t same = 0;

    (void)state;
    class_ranks(&class, rows, "secret", arena);
    for (size_t i = 0; i < ROWS; i++) {
        before[i] = rows[i].alias;
        assert_non_null(strchr(before[i], ' '));
    }
    class.rows = rows + 4;
    class.row_count = ROWS - 4;
    class_ranks(&class, rows + 4, "secret", arena);
    for (size_t i = 4; i < ROWS; i++) {
        assert_string_equal(rows[i].alias, before[i]);
    }
    class.rows = rows;
    class.row_count = ROWS;
    class_ranks(&class, rows, "other", arena);
    for (size_t i = 0; i < ROWS; i++) {
        same += strcmp(rows[i].alias, before[i]) == 0;
    }
    assert_true(same < ROWS / 2);
}

/* Two of a class do not have one name. */
static void names_are_one_s_own(void **state)
{
    struct class_row *many = arena_array(arena, MANY, sizeof *many);
    size_t numbered = 0, same = 0;

    (void)state;
    for (size_t i = 0; i < MANY; i++) {
        many[i] = (struct class_row){.student = arena_printf(arena, "s%zu", i), .ranked_on = ""};
    }
    class.rows = many;
    class.row_count = MANY;
    class_ranks(&class, many, "secret", arena);
    for (size_t i = 0; i < MANY; i++) {
        numbered += strpbrk(many[i].alias, "0123456789") != NULL;
        for (size_t k = 0; k < i; k++) {
            same += strcmp(many[i].alias, many[k].alias) == 0;
        }
    }
    assert_in_range(numbered, 500, 1100);
    assert_int_equal(same, 0);
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(cards_are_not_mixed),       T(the_fewest_instructions_win), T(the_page_names_nobody),
        T(names_stay_through_a_term), T(names_are_one_s_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
