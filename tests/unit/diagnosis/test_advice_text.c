/* test_advice_text.c: what a criterion advises becomes one sentence. */
#include "diagnosis/hints/advice_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct arena *arena;

static void expect_text(const struct cause *cause, const char *expected)
{
    assert_string_equal(advice_text(arena, cause), expected);
}

static void a_cause_has_the_hint_of_its_code(void **state)
{
    const struct cause none = {.code = CODE_LOCAL_OUT_OF_BOUNDS};
    const struct cause of_code = {.code = CODE_LOCAL_OUT_OF_BOUNDS,
                                  .advice = advise(ADVICE_OF_CODE)};

    (void)state;
    expect_text(&none, "");
    expect_text(&of_code, code_hint(CODE_LOCAL_OUT_OF_BOUNDS));
    assert_non_null(strstr(code_hint(CODE_LOCAL_OUT_OF_BOUNDS), "the index"));
}

static void names_are_put_in(void **state)
{
    const struct cause one = {.advice = advise_on(ADVICE_PRINT_LINE, "`Edge: <n>`")};
    const struct cause two = {.advice = {ADVICE_DECLARE_CONSTANT, {"int", "width"}}};
    const struct cause twice = {.advice = advise_on(ADVICE_SQUARE_BLOCK, "16")};

    (void)state;
    expect_text(&one, "print exactly one line `Edge: <n>`");
    expect_text(&two, "declare `__constant__ int width;`");
    assert_non_null(strstr(advice_text(arena, &twice), "dim3(16, 16)"));
}

static void more_advice_is_joined(void **state)
{
    struct cause cause = {.advice = advise(ADVICE_DECIMAL_POINT),
                          .more_advice = advise_on(ADVICE_UNKNOWN_CALL_TOO, "cudaX")};

    (void)state;
    assert_non_null(strstr(advice_text(arena, &cause), "separator; gpugrade does not know"));
    cause.advice = advise(ADVICE_NONE);
    assert_int_equal(strncmp(advice_text(arena, &cause), "gpugrade", 8), 0);
}

/* A row whose braces are no names would stop the grader at that cause. */
static void every_row_can_be_worded(void **state)
{
    (void)state;
    for (int id = ADVICE_OF_CODE + 1; id < ADVICE_COUNT; id++) {
        const struct cause cause = {.advice = {(enum advice_id)id, {"first", "second"}}};
        const char *text = advice_text(arena, &cause);
        assert_true(text[0] != '\0' && text[strlen(text) - 1] != '.');
        assert_null(strpbrk(text, "{}"));
    }
}

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cause_has_the_hint_of_its_code),
        cmocka_unit_test(names_are_put_in),
        cmocka_unit_test(more_advice_is_joined),
        cmocka_unit_test(every_row_can_be_worded),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
