/* test_hash_index.c: equal elements are found, also among others of their hash. */
#include "base/hash_index.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { ELEMENTS = 20000 };

static void elements_are_found(void **state)
{
    struct arena *arena = arena_new();
    struct hash_index index = {.count = 0};
    (void)state;

    assert_true(hash_index_first(&index, 1) == HASH_INDEX_NONE);
    for (size_t i = 0; i < ELEMENTS; i++) {
        hash_index_add(&index, arena, hash_number(HASH_START, i));
    }
    for (size_t i = 0; i < ELEMENTS; i++) {
        assert_int_equal(hash_index_first(&index, hash_number(HASH_START, i)), i);
    }
    assert_true(hash_index_first(&index, hash_number(HASH_START, ELEMENTS)) == HASH_INDEX_NONE);
    arena_free(arena);
}

static void elements_of_one_hash_follow(void **state)
{
    struct arena *arena = arena_new();
    struct hash_index index = {.count = 0};
    (void)state;

    for (size_t i = 0; i < 100; i++) {
        hash_index_add(&index, arena, i % 2);
    }
    size_t at = hash_index_first(&index, 1);
    for (size_t i = 0; i < 50; i++) {
        assert_int_equal(at, 99 - 2 * i);
        at = hash_index_next(&index, at);
    }
    assert_true(at == HASH_INDEX_NONE);
    arena_free(arena);
}

static void texts_do_not_run_together(void **state)
{
    (void)state;
    assert_true(hash_text(hash_text(HASH_START, "ab"), "c") !=
                hash_text(hash_text(HASH_START, "a"), "bc"));
    assert_true(hash_text(HASH_START, "a") == hash_text(HASH_START, "a"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_are_found),
        cmocka_unit_test(elements_of_one_hash_follow),
        cmocka_unit_test(texts_do_not_run_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
