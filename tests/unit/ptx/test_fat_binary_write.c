/* test_fat_binary_write.c: fat binaries that are written, as the reader sees them. */
#include "ptx/fat_binary_write.h"

#include "ptx/fat_binary.h"
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void assert_read_back(const char *ptx, size_t length, unsigned arch)
{
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {.message = ""};
    struct fat_program program;
    struct text section;

    text_init(&section);
    fat_binary_write(ptx, length, arch, &section);
    assert_int_equal(section.length % 8, 0);
    assert_int_equal(fat_section_read(arena, section.bytes, section.length, &program, &diagnostic),
                     ERROR_NONE);
    assert_int_equal(program.module_count, 1);
    assert_false(program.has_only_cubins);
    assert_int_equal(program.modules[0].offset, 0);
    assert_int_equal(program.modules[0].arch, arch);
    assert_int_equal(program.modules[0].length, length);
    assert_memory_equal(program.modules[0].text, ptx, length);
    assert_int_equal(program.modules[0].text[length], '\0');
    text_release(&section);
    arena_free(arena);
}

static void every_length_comes_back(void **state)
{
    static const char ptx[] = ".version 9.0\n.target sm_75\n.address_size 64\n";

    (void)state;
    for (size_t length = 0; length < sizeof ptx; length++) {
        assert_read_back(ptx, length, 75);
    }
    assert_read_back(ptx, sizeof ptx - 1, 90);
}

static void large_texts_come_back(void **state)
{
    size_t length = (size_t)9 << 20;
    char *ptx = malloc(length);

    (void)state;
    assert_non_null(ptx);
    memset(ptx, '/', length);
    assert_read_back(ptx, length, 80);
    assert_read_back(ptx, length - 3, 80);
    free(ptx);
}

/* What is appended stays behind what was there. */
static void several_stand_in_a_section(void **state)
{
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {.message = ""};
    struct fat_program program;
    struct text section;

    (void)state;
    text_init(&section);
    fat_binary_write("one", 3, 75, &section);
    size_t second = section.length;
    fat_binary_write("second", 6, 80, &section);
    assert_int_equal(fat_section_read(arena, section.bytes, section.length, &program, &diagnostic),
                     ERROR_NONE);
    assert_int_equal(program.module_count, 2);
    assert_string_equal(program.modules[0].text, "one");
    assert_string_equal(program.modules[1].text, "second");
    assert_int_equal(program.modules[1].offset, second);
    assert_int_equal(program.modules[1].arch, 80);
    text_release(&section);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_comes_back),
        cmocka_unit_test(large_texts_come_back),
        cmocka_unit_test(several_stand_in_a_section),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
