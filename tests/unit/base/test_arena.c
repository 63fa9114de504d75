/* test_arena.c: memory of an arena is zeroed, aligned, disjoint and keeps its contents. */
#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_blocks(void **state)
{
    enum { COUNT = 2000 };
    struct arena *arena = arena_new();
    unsigned char *blocks[COUNT];
    size_t asked = 0;

    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        size_t bytes = i * 7 % 300;
        blocks[i] = arena_alloc(arena, bytes);
        assert_int_equal((uintptr_t)blocks[i] % 16, 0);
        for (size_t j = 0; j < bytes; j++) {
            assert_int_equal(blocks[i][j], 0);
        }
        memset(blocks[i], (int)(i % 255) + 1, bytes);
        asked += bytes;
    }
    for (size_t i = 0; i < COUNT; i++) {
        for (size_t j = 0; j < i * 7 % 300; j++) {
            assert_int_equal(blocks[i][j], i % 255 + 1);
        }
    }
    assert_int_equal(arena_bytes(arena), asked);
    arena_free(arena);
    arena_free(NULL);
}

static void test_large_blocks(void **state)
{
    struct arena *arena = arena_new();
    char *small = arena_strdup(arena, "small");
    char *large = arena_alloc(arena, 20 << 20);

    (void)state;
    large[0] = 'a';
    large[(20 << 20) - 1] = 'z';
    char *after = arena_strdup(arena, "after");
    assert_string_equal(small, "small");
    assert_string_equal(after, "after");
    arena_free(arena);
}

static void test_grow(void **state)
{
    struct arena *arena = arena_new();
    int *numbers = NULL;
    size_t capacity = 0;

    (void)state;
    for (int i = 0; i < 1000; i++) {
        arena_grow(arena, &numbers, &capacity, (size_t)i + 1, sizeof *numbers);
        numbers[i] = i;
    }
    assert_true(capacity >= 1000);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(numbers[i], i);
    }
    int *same = numbers;
    arena_grow(arena, &numbers, &capacity, capacity, sizeof *numbers);
    assert_ptr_equal(numbers, same);
    arena_free(arena);
}

static void test_strings(void **state)
{
    struct arena *arena = arena_new();

    (void)state;
    assert_string_equal(arena_strndup(arena, "abcdef", 3), "abc");
    assert_string_equal(arena_strdup(arena, ""), "");
    assert_string_equal(arena_printf(arena, "%d %s", 7, "x"), "7 x");
    assert_non_null(arena_array(arena, 0, 8));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_large_blocks),
        cmocka_unit_test(test_grow),
        cmocka_unit_test(test_strings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
