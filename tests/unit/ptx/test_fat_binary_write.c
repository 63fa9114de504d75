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
    fat_binary_write(ptx, length, arch, 0, &section);
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
    fat_binary_write("one", 3, 75, 0, &section);
    size_t second = section.length;
    fat_binary_write("second", 6, 80, 0, &section);
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

/* The option for the assembler is read back as directives of the kernels without bounds. */
static void a_limit_of_registers_comes_back(void **state)
{
    static const struct {
        const char *ptx, *read;
    } rows[] = {
        {".entry k(.param .u64 p)\n{ret;}", ".entry k(.param .u64 p) .maxnreg 40 \n{ret;}"},
        {".entry k\n{ret;}", ".entry k\n .maxnreg 40 {ret;}"},
        {".entry k() {} .entry m() {}", ".entry k() .maxnreg 40  {} .entry m() .maxnreg 40  {}"},
        {".entry k()\n.maxntid 64\n{}", NULL},
        {".entry k() .minnctapersm 2 {}", NULL},
        {".entry k() .reqntid 64 {}", NULL},
        {".entry k() .maxnreg 9 {}", NULL},
        {".entry k();", NULL},
        {".func f() {}", NULL},
        {".entry", NULL},
        {".entry k", NULL},
        {".entry k(", NULL},
        {".entry k()", NULL},
        {".entry {", ".entry  .maxnreg 40 {"},
        {"", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        struct diagnostic diagnostic = {.message = ""};
        struct fat_program program;
        struct text section;
        const char *expected = rows[i].read == NULL ? rows[i].ptx : rows[i].read;
        text_init(&section);
        fat_binary_write(rows[i].ptx, strlen(rows[i].ptx), 75, 40, &section);
        assert_int_equal(section.length % 8, 0);
        assert_int_equal(
            fat_section_read(arena, section.bytes, section.length, &program, &diagnostic),
            ERROR_NONE);
        assert_int_equal(program.module_count, 1);
        assert_string_equal(program.modules[0].text, expected);
        assert_int_equal(program.modules[0].length, strlen(expected));
        text_release(&section);
        arena_free(arena);
    }
}

/* Options that do not lie in the header, or are none, are left out; the text is read. */
static void damaged_options_are_left_out(void **state)
{
    enum { OPTIONS_PLACE = 16 + 20, WHERE = 16 + 64, TEXT = 16 + 72 };
    static const struct {
        size_t offset;
        char value;
    } changes[] = {
        {OPTIONS_PLACE, 1}, {OPTIONS_PLACE, 127}, {OPTIONS_PLACE + 3, 127},
        {WHERE, 127},       {WHERE + 4, 127},     {WHERE + 7, 127},
        {TEXT + 1, 'x'},    {TEXT + 15, 'x'},     {TEXT + 15, '0'},
    };
    static const char ptx[] = ".entry k() {}";

    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct arena *arena = arena_new();
        struct diagnostic diagnostic = {.message = ""};
        struct fat_program program;
        struct text section;
        text_init(&section);
        fat_binary_write(ptx, strlen(ptx), 75, 4, &section);
        section.bytes[changes[i].offset] = changes[i].value;
        assert_int_equal(
            fat_section_read(arena, section.bytes, section.length, &program, &diagnostic),
            ERROR_NONE);
        assert_string_equal(program.modules[0].text, ptx);
        text_release(&section);
        arena_free(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_comes_back),
        cmocka_unit_test(large_texts_come_back),
        cmocka_unit_test(several_stand_in_a_section),
        cmocka_unit_test(a_limit_of_registers_comes_back),
        cmocka_unit_test(damaged_options_are_left_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
