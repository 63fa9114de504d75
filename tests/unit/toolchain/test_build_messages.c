/* test_build_messages.c: messages of the tools, without names that nobody can use. */
#include "base/file.h"
#include "model/verdict.h"
#include "toolchain/build_messages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void temporary_files_are_not_shown(void **state)
{
    static const struct {
        const char *printed;
        const char *file;
        const char *message;
        int line;
    } rows[] = {
        {"/tmp/tmpxft_00005a3f_00000000-6_a.cudafe1.cpp:3:7: error: no 'x' here", "", "no 'x' here",
         0},
        {"tmpxft_00005a3f_00000000-6_a.cudafe1.stub.c:3:7: error: bad stub", "", "bad stub", 0},
        {"a.cu:4:2: error: see '/tmp/tmpxft_00005a3f_00000000-6_a.cudafe1.stub.c', line 3", "a.cu",
         "see 'a.cudafe1.stub.c', line 3", 4},
        {"/tmp/cc7uyQ1z.s: no more room", "", "temporary.s: no more room", 0},
        {"gone: /tmp/gpugrade-work-Xc12/piece-0/object.o", "", "gone: object.o", 0},
        {"/tmp/gpugrade-work-Xc12/source/a.cu:9:1: error: /tmp/", "a.cu", "", 9},
        {"a.cu:1:1: error: keeps /usr/include/a.h and tmp/a and \"tmpxft_\"", "a.cu",
         "keeps /usr/include/a.h and tmp/a and \"tmpxft_\"", 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        const struct build_place place = {
            .named_folder = "/tmp/gpugrade-work-Xc12/source",
            .compiled_folder = "/nowhere",
        };
        struct tool_message *messages = NULL;
        size_t count = 0;
        struct text printed;
        text_init(&printed);
        text_append(&printed, rows[i].printed);
        build_messages_read_failure(arena, &place, &printed, &messages, &count);
        assert_int_equal(count, 1);
        assert_string_equal(messages[0].message, rows[i].message);
        assert_string_equal(messages[0].file, rows[i].file);
        assert_int_equal(messages[0].line, rows[i].line);
        text_release(&printed);
        arena_free(arena);
    }
}

static void write_source(const char *folder, const char *text)
{
    char path[128];

    snprintf(path, sizeof path, "%s/a.cu", folder);
    assert_int_equal(file_write_mode(path, 0600, text, strlen(text), NULL), ERROR_NONE);
}

/* What is compiled are copies with other values of macros: a fix there is one of the submission only
 * where its own file has the same line. */
static void fixes_are_of_the_submission_s_own_lines(void **state)
{
    static const char printed_text[] = "/c/a.cu:1:16: error: bad\n"
                                       "fix-it:\"/c/a.cu\":{1:16-1:17}:\";\"\n"
                                       "/c/a.cu:2:5: error: worse\n"
                                       "fix-it:\"/c/a.cu\":{2:5-2:6}:\"y\"\n"
                                       "/c/a.cu:1:9: note: here\n";
    char own[] = "/tmp/gpugrade-own-XXXXXX", copied[] = "/tmp/gpugrade-copied-XXXXXX";
    struct arena *arena = arena_new();
    struct tool_message *messages = NULL;
    size_t count = 0;
    struct text printed;

    (void)state;
    assert_non_null(mkdtemp(own));
    assert_non_null(mkdtemp(copied));
    write_source(own, "#define TILE 16:\nint x;\n");
    write_source(copied, "#define TILE 32:\nint x;\n");
    const struct source_copies copies = {.folder = copied};
    const struct build_place place = {
        .named_folder = "/c",
        .compiled_folder = copied,
        .copies = &copies,
        .original_folder = own,
        .is_clang = true,
    };
    text_init(&printed);
    text_append(&printed, printed_text);
    build_messages_read(arena, &place, &printed, &messages, &count);
    assert_int_equal(count, 2);
    assert_int_equal(messages[0].fix_count, 0);
    assert_int_equal(messages[1].fix_count, 1);
    assert_string_equal(messages[1].fixes[0].after, "int y;");
    assert_int_equal(messages[1].note_count, 1);
    assert_int_equal(messages[1].notes[0].column, 0);
    text_release(&printed);
    remove(arena_printf(arena, "%s/a.cu", own));
    remove(arena_printf(arena, "%s/a.cu", copied));
    rmdir(own);
    rmdir(copied);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(temporary_files_are_not_shown),
        cmocka_unit_test(fixes_are_of_the_submission_s_own_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
