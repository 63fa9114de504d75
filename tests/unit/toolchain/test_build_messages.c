/* test_build_messages.c: messages of the tools, without names that nobody can use. */
#include "toolchain/build_messages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(temporary_files_are_not_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
