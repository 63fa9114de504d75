/* test_limit_text.c: which limit was hit, and how far, as people read it. */
#include "criteria/preconditions/limit_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define MIB (UINT64_C(1) << 20)
#define GIB (UINT64_C(1) << 30)

static void limits_are_written_as_they_were_set(void **state)
{
    struct arena *arena = arena_new();

    (void)state;
    assert_string_equal(limit_seconds(arena, 10000000000), "10 s");
    assert_string_equal(limit_seconds(arena, 250000000), "0.25 s");
    assert_string_equal(limit_seconds(arena, 3600000000000), "3600 s");
    assert_string_equal(limit_bytes(arena, GIB), "1 GiB");
    assert_string_equal(limit_bytes(arena, 1536 * MIB), "1.5 GiB");
    assert_string_equal(limit_bytes(arena, 64 * MIB), "64 MiB");
    assert_string_equal(limit_bytes(arena, 4096), "4 KiB");
    assert_string_equal(limit_bytes(arena, 300), "300 bytes");
    assert_string_equal(limit_bytes(arena, 0), "0 bytes");
    assert_string_equal(limit_bytes(arena, 1024 * GIB), "1024 GiB");
    arena_free(arena);
}

static void what_was_reached_is_rounded(void **state)
{
    struct arena *arena = arena_new();

    (void)state;
    assert_string_equal(reached_bytes(arena, GIB, GIB), "1.0 GiB");
    assert_string_equal(reached_bytes(arena, 1000 * MIB, GIB), "0.98 GiB");
    assert_string_equal(reached_bytes(arena, 67 * MIB + 1, 64 * MIB), "67 MiB");
    assert_string_equal(reached_bytes(arena, 301, 300), "301 bytes");
    arena_free(arena);
}

static void each_limit_has_its_words(void **state)
{
    static const struct {
        struct program_end end;
        const char *words;
    } rows[] = {
        {{.ending = ENDING_WALL_LIMIT, .limit = 20000000000, .reached = 20010000000},
         "it was stopped at its limit of 20 s"},
        {{.ending = ENDING_WALL_LIMIT, .limit = 20000000000},
         "it was stopped at its limit of 20 s"},
        {{.ending = ENDING_CPU_LIMIT, .limit = 10000000000, .reached = 10020000000},
         "it was stopped at its limit of 10 s of processor time"},
        {{.ending = ENDING_MEMORY_LIMIT, .limit = GIB, .reached = GIB},
         "it reached the limit of 1 GiB of memory"},
        {{.ending = ENDING_MEMORY_LIMIT, .limit = 256 * MIB, .reached = 255 * MIB},
         "it reached the limit of 256 MiB of memory"},
        {{.ending = ENDING_MEMORY_LIMIT, .limit = 256 * MIB, .reached = 300 * MIB},
         "it used 300 MiB of memory; the limit is 256 MiB"},
        {{.ending = ENDING_MEMORY_LIMIT, .limit = GIB, .reached = 5 * MIB},
         "it asked for more memory than it may have; the limit is 1 GiB"},
        {{.ending = ENDING_PROCESS_LIMIT, .limit = 64, .reached = 64},
         "it tried to run more than 64 processes and threads at once, which is the limit"},
        {{.ending = ENDING_FILE_LIMIT, .limit = 64 * MIB, .reached = 66 * MIB},
         "it wrote 66 MiB of files; the limit is 64 MiB"},
        {{.ending = ENDING_FILE_LIMIT, .limit = 64 * MIB, .reached = UINT64_MAX},
         "it wrote more than it may to files; the limit is 64 MiB"},
        {{.ending = ENDING_OUTPUT_LIMIT, .limit = MIB, .reached = MIB + 1},
         "it printed more than 1 MiB, which is the limit"},
        {{.ending = ENDING_EXITED, .exit_status = 1}, ""},
        {{.ending = ENDING_SIGNALLED, .signal = 9}, ""},
        {{.ending = ENDING_STOPPED}, ""},
    };
    struct arena *arena = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(limit_text(arena, "it", &rows[i].end), rows[i].words);
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_written_as_they_were_set),
        cmocka_unit_test(what_was_reached_is_rounded),
        cmocka_unit_test(each_limit_has_its_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
