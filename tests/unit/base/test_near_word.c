/* test_near_word.c: what a misspelt word was probably meant to be. */
#include "base/near_word.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void the_nearest_word_is_chosen(void **state)
{
    static const char *const words[] = {"check", "watch", "batch", "race-free.tiled", "Tiled.cu"};
    static const struct {
        const char *word, *best;
    } rows[] = {
        {"chekc", "check"},
        {"wacht", "watch"},
        {"bacth", "batch"},
        {"race", "race-free.tiled"},
        {"titled.cu", "Tiled.cu"},
        {"nothing", NULL},
        {"", NULL},
        {"ch", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct near_word near = near_word_start(rows[i].word);
        for (size_t j = 0; j < sizeof words / sizeof words[0]; j++) {
            near_word_offer(&near, words[j]);
        }
        if (rows[i].best == NULL) {
            assert_null(near.best);
            assert_string_equal(near_word_question(&near, ""), ";");
        } else {
            assert_non_null(near.best);
            assert_string_equal(near.best, rows[i].best);
        }
    }
}

static void a_long_word_is_like_no_other(void **state)
{
    char word[10000];

    (void)state;
    memset(word, 'a', sizeof word);
    word[sizeof word - 1] = '\0';
    struct near_word near = near_word_start(word);
    near_word_offer(&near, word);
    near_word_offer(&near, "a");
    assert_string_equal(near_word_question(&near, "--"), ";");
}

static void an_exchange_is_one_change(void **state)
{
    struct near_word near = near_word_start("sede");

    (void)state;
    assert_int_equal(near_word_distance("sede", "seed"), 1);
    assert_int_equal(near_word_distance("", "seed"), 4);
    near_word_offer(&near, "seed");
    assert_string_equal(near_word_question(&near, "--"), "; did you mean '--seed'?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_word_is_chosen),
        cmocka_unit_test(a_long_word_is_like_no_other),
        cmocka_unit_test(an_exchange_is_one_change),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
