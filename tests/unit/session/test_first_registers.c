/* test_first_registers.c: which kernel of the first build a kernel of another build is. */
#include "session/first_registers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { KERNELS = 5 };

static const struct kernel_resources first_kernels[KERNELS] = {
    {.name = "_Z8multiplyv", .plain_name = "multiply", .registers = 30},
    {.name = "_Z5tiledILi32ELi8EEvv", .plain_name = "tiled", .registers = 31},
    {.name = "_Z5tiledILi32ELi16EEvv", .plain_name = "tiled", .registers = 35},
    {.name = "_Z5naiveILi32EEvv", .plain_name = "naive", .registers = 40},
    {.name = "_ZN4mine5naiveEv", .plain_name = "mine::naive", .registers = 50},
};

static const struct program_build first = {.kernels = first_kernels, .kernel_count = KERNELS};

static void the_same_name_is_the_same_kernel(void **state)
{
    static const struct kernel_resources others[] = {
        {.name = "_Z5tiledILi32ELi16EEvv", .plain_name = "tiled"},
        {.name = "_Z8multiplyv", .plain_name = "multiply"},
        {.name = "_ZN4mine5naiveEv", .plain_name = "mine::naive"},
    };

    (void)state;
    assert_int_equal(first_registers(&first, others, 3, 0), 35);
    assert_int_equal(first_registers(&first, others, 3, 1), 30);
    assert_int_equal(first_registers(&first, others, 3, 2), 50);
}

static void a_template_of_a_size_is_found_by_its_place(void **state)
{
    static const struct kernel_resources others[] = {
        {.name = "_Z5naiveILi64EEvv", .plain_name = "naive"},
        {.name = "_Z5tiledILi64ELi8EEvv", .plain_name = "tiled"},
        {.name = "_Z5tiledILi64ELi16EEvv", .plain_name = "tiled"},
    };

    (void)state;
    assert_int_equal(first_registers(&first, others, 3, 0), 40);
    assert_int_equal(first_registers(&first, others, 3, 1), 31);
    assert_int_equal(first_registers(&first, others, 3, 2), 35);
}

static void what_the_first_build_has_not_is_not_found(void **state)
{
    static const struct kernel_resources others[] = {
        {.name = "_Z5tiledILi64ELi8EEvv", .plain_name = "tiled"},
        {.name = "_Z5newerv", .plain_name = "newer"},
    };
    static const struct program_build empty = {.kernel_count = 0};

    (void)state;
    assert_int_equal(first_registers(&first, others, 2, 0), 0);
    assert_int_equal(first_registers(&first, others, 2, 1), 0);
    assert_int_equal(first_registers(&empty, others, 2, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_name_is_the_same_kernel),
        cmocka_unit_test(a_template_of_a_size_is_found_by_its_place),
        cmocka_unit_test(what_the_first_build_has_not_is_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
