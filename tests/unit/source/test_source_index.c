/* test_source_index.c: each source is found by its name and read once, and what a program is made
 * of. */
#include "source/source_index.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct arena *arena;

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

static struct source_file source(const char *name, const char *text)
{
    return (struct source_file){name, text, strlen(text)};
}

static const struct source_file *find(const struct source_index *index, const char *name)
{
    return source_index_find(index, name, strlen(name));
}

static void a_source_is_found_by_its_whole_name(void **state)
{
    static const char *const names[] = {"b.cu", "a.cuh", "a.cu", "sub/a.cu", "z", "a.c", "A.cu"};
    enum { COUNT = sizeof names / sizeof names[0] };
    struct source_file files[COUNT];

    (void)state;
    for (size_t count = 0; count <= COUNT; count++) { /* halves of each size */
        for (size_t i = 0; i < count; i++) {
            files[i] = source(names[i], "");
        }
        struct source_index *index = source_index_new(arena, files, count);
        for (size_t i = 0; i < COUNT; i++) {
            assert_ptr_equal(find(index, names[i]), i < count ? &files[i] : NULL);
        }
        assert_null(find(index, ""));
        assert_null(find(index, "a"));
        assert_null(find(index, "a.cuhh"));
        assert_null(find(index, "zz"));
    }
    struct source_index *index = source_index_new(arena, files, COUNT);
    const char within[] = "sub/a.cuh>";

    assert_ptr_equal(source_index_find(index, within, 8), &files[3]);
    assert_ptr_equal(source_index_find(index, within + 4, 4), &files[2]);
    assert_ptr_equal(source_index_find(index, within + 4, 5), &files[1]);
    assert_null(source_index_find(index, within + 4, 6));
}

static void a_file_is_read_once(void **state)
{
    struct source_file files[] = {source("a.cu", "__global__ void k() { }"),
                                  source("b.cu", "int b;")};
    struct source_index *index = source_index_new(arena, files, 2);
    const struct program_file *second = source_index_file(index, &files[1]);
    const struct program_file *first = source_index_file(index, &files[0]);

    (void)state;
    assert_int_equal(second->tokens.count, 3);
    assert_int_equal(second->functions.count, 0);
    assert_int_equal(first->tokens.count, 7);
    assert_int_equal(first->functions.count, 1);
    assert_true(first->functions.items[0].is_kernel);
    assert_ptr_equal(first->tokens.file, &files[0]);
    assert_ptr_equal(second->tokens.file, &files[1]);
    assert_ptr_equal(source_index_file(index, &files[0]), first);
    assert_ptr_equal(source_index_file(index, &files[1]), second);
}

/* A file that is too much for what is left is empty; what comes after it and fits is read. */
static void all_files_share_one_bound(void **state)
{
    size_t most = SOURCE_INDEX_TOKENS_MAX;
    char *text = malloc(most + 2);

    (void)state;
    assert_non_null(text);
    memset(text, ';', most + 2);
    struct source_file files[] = {
        {"more.cu", text, most + 1}, {"most.cu", text, most - 3}, {"four.cu", ";;;;", 4},
        {"three.cu", "a b c", 5},    {"one.cu", "a", 1},
    };
    static const size_t expected[] = {0, SOURCE_INDEX_TOKENS_MAX - 3, 0, 3, 0};
    struct source_index *index = source_index_new(arena, files, 5);

    for (size_t i = 0; i < 5; i++) {
        const struct program_file *file = source_index_file(index, &files[i]);
        assert_int_equal(file->tokens.count, expected[i]);
        assert_int_equal(file->functions.count, 0);
        assert_ptr_equal(file->tokens.file, &files[i]);
        assert_ptr_equal(source_index_file(index, &files[i]), file);
    }
    free(text);
}

/* The names of a program's files, each with a space after it. */
static const char *names_of(const struct program_source *program)
{
    const char *names = "";

    for (size_t i = 0; i < program->count; i++) {
        names = arena_printf(arena, "%s%s ", names, program->files[i].tokens.file->name);
    }
    return names;
}

static void a_program_is_its_sources_and_what_they_include(void **state)
{
    static const char *const sources[] = {"b.cu", "missing.cu", "a.cu", "b.cu"};
    static const char *const given[] = {"given.h"};
    const struct rubric_program programs[] = {
        {.sources = sources, .source_count = 4, .given = given, .given_count = 1},
        {.sources = sources, .source_count = 1},
    };
    struct source_file files[] = {
        source("a.cu", "#include \"one.h\"\n#include \"given.h\"\n#include <alone.h>\n"),
        source("alone.h", "int alone;"),
        source("b.cu", "#include \"two.h\"\n#include \"b.cu\"\n#include \"nowhere.h\"\n"),
        source("given.h", "#include \"alone.h\"\n"),
        source("one.h", "#include \"two.h\"\n"),
        source("three.h", "#include \"two.h\"\n"),
        source("two.h", "#include \"three.h\"\n#include \"given.h\"\n"),
    };
    struct source_index *index = source_index_new(arena, files, 7);
    const struct program_source *first = source_index_program(index, &programs[0]);
    const struct program_source *second = source_index_program(index, &programs[1]);

    (void)state;
    assert_string_equal(names_of(first), "b.cu a.cu two.h one.h three.h ");
    assert_string_equal(names_of(second), "b.cu two.h three.h given.h alone.h ");
    assert_ptr_equal(source_index_program(index, &programs[0]), first);
    assert_ptr_equal(source_index_program(index, &programs[1]), second);
    assert_ptr_equal(first->files[0].tokens.tokens,
                     source_index_file(index, &files[2])->tokens.tokens);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_source_is_found_by_its_whole_name, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_is_read_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(all_files_share_one_bound, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_program_is_its_sources_and_what_they_include, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
