/* test_intake_archive.c: a helper that an archive has taken over, and streams that it may send.
 * What archives hold is tested in tests/cli/check_archives.sh. */
#include "base/file.h"
#include "base/text.h"
#include "submission/intake_archive.h"
#include "submission/unpack/unpack_stream.h"
#include "wire/little_endian.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

struct fixture {
    struct arena *arena;
    struct text stream;
    struct intake_list list;
    struct diagnostic diagnostic;
};

static int setup(void **state)
{
    struct arena *arena = arena_new();
    struct fixture *fixture = arena_alloc(arena, sizeof *fixture);

    fixture->arena = arena;
    text_init(&fixture->stream);
    text_append(&fixture->stream, UNPACK_MAGIC);
    intake_list_init(&fixture->list, arena, "a.zip");
    *state = fixture;
    return 0;
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;

    text_release(&fixture->stream);
    arena_free(fixture->arena);
    return 0;
}

static void head(struct fixture *fixture, int kind, uint32_t name_bytes, uint64_t content_bytes)
{
    uint8_t bytes[UNPACK_HEAD_BYTES] = {(uint8_t)kind};

    little_put_u32(bytes + 4, name_bytes);
    little_put_u64(bytes + 8, content_bytes);
    text_append_bytes(&fixture->stream, bytes, sizeof bytes);
}

static void record(struct fixture *fixture, int kind, const char *name, const char *content)
{
    head(fixture, kind, (uint32_t)strlen(name), strlen(content));
    text_append(&fixture->stream, name);
    text_append(&fixture->stream, content);
}

static enum error read_stream(struct fixture *fixture)
{
    enum error error = intake_read_stream(&fixture->list, fixture->stream.bytes,
                                          fixture->stream.length, &fixture->diagnostic);

    return error != ERROR_NONE ? error : intake_list_finish(&fixture->list, &fixture->diagnostic);
}

static void refuses(struct fixture *fixture, enum error expected, const char *words)
{
    assert_int_equal(read_stream(fixture), expected);
    if (strstr(fixture->diagnostic.message, words) == NULL) {
        fail_msg("'%s' is not in: %s", words, fixture->diagnostic.message);
    }
    assert_string_equal(fixture->diagnostic.file, "a.zip");
}

static void a_whole_stream_is_taken(void **state)
{
    struct fixture *fixture = *state;

    record(fixture, UNPACK_FOLDER, "./src/", "");
    record(fixture, UNPACK_FILE, "src/b.cu", "int b;");
    record(fixture, UNPACK_FILE, "a.cu", "");
    record(fixture, UNPACK_FILE, ".hidden", "x");
    record(fixture, UNPACK_END, "", "");
    assert_int_equal(read_stream(fixture), ERROR_NONE);
    assert_int_equal(fixture->list.file_count, 2);
    assert_string_equal(fixture->list.files[0].name, "a.cu");
    assert_string_equal(fixture->list.files[1].name, "src/b.cu");
    assert_string_equal(fixture->list.files[1].bytes, "int b;");
}

static void broken_streams_are_refused(void **state)
{
    struct fixture *fixture = *state;
    size_t whole;

    record(fixture, UNPACK_FILE, "a.cu", "int a;");
    record(fixture, UNPACK_END, "", "");
    whole = fixture->stream.length;
    for (size_t length = 0; length < whole; length++) {
        intake_list_init(&fixture->list, fixture->arena, "a.zip");
        fixture->stream.length = length;
        refuses(fixture, ERROR_SYNTAX, "breaks the program that unpacks it");
    }
    fixture->stream.length = whole;
    text_append(&fixture->stream, "x");
    intake_list_init(&fixture->list, fixture->arena, "a.zip");
    refuses(fixture, ERROR_SYNTAX, "breaks the program that unpacks it");
}

static void lengths_are_not_believed(void **state)
{
    static const struct {
        uint32_t name;
        uint64_t content;
    } rows[] = {{UINT32_MAX, 0},
                {UNPACK_NAME_BYTES_MAX + 1, 0},
                {0, UINT64_MAX},
                {4, UINT64_MAX - 3},
                {4, (uint64_t)1 << 40}};
    struct fixture *fixture = *state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        text_clear(&fixture->stream);
        text_append(&fixture->stream, UNPACK_MAGIC);
        head(fixture, UNPACK_FILE, rows[i].name, rows[i].content);
        text_append_repeated(&fixture->stream, 'a', 6000);
        refuses(fixture, ERROR_SYNTAX, "breaks the program that unpacks it");
    }
}

static void names_are_not_believed(void **state)
{
    static const char *const names[] = {"../x", "/x", "a/../../x", "a\\x", "\xFF", "a\nb"};
    struct fixture *fixture = *state;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        for (int kind = UNPACK_FILE; kind <= UNPACK_FOLDER; kind++) {
            text_clear(&fixture->stream);
            text_append(&fixture->stream, UNPACK_MAGIC);
            record(fixture, kind, names[i], "");
            record(fixture, UNPACK_END, "", "");
            refuses(fixture, ERROR_SYNTAX, "give it a plain name");
        }
    }
}

static void kinds_are_not_believed(void **state)
{
    struct fixture *fixture = *state;

    for (int kind = 0; kind < 256; kind++) {
        text_clear(&fixture->stream);
        text_append(&fixture->stream, UNPACK_MAGIC);
        record(fixture, kind, "", "");
        intake_list_init(&fixture->list, fixture->arena, "a.zip");
        assert_int_equal(read_stream(fixture) == ERROR_NONE, kind == UNPACK_END);
    }
}

static void files_and_entries_are_counted_again(void **state)
{
    struct fixture *fixture = *state;

    for (int i = 0; i <= INTAKE_FILES_MAX; i++) {
        record(fixture, UNPACK_FILE, arena_printf(fixture->arena, "f%d", i), "");
    }
    refuses(fixture, ERROR_LIMIT, "one file too many");
    text_clear(&fixture->stream);
    text_append(&fixture->stream, UNPACK_MAGIC);
    for (int i = 0; i < UNPACK_ENTRIES_MAX + 2; i++) {
        record(fixture, UNPACK_FOLDER, ".hidden", "");
    }
    record(fixture, UNPACK_END, "", "");
    refuses(fixture, ERROR_SYNTAX, "breaks the program that unpacks it");
}

static void a_reason_is_shown_as_it_can_be(void **state)
{
    struct fixture *fixture = *state;

    record(fixture, UNPACK_DAMAGED, "a\x1B.cu", "bad \x07 checksum");
    refuses(fixture, ERROR_SYNTAX, "at 'a\\x1B.cu' (bad \\x07 checksum)");
}

/* Lets a script play the helper. */
static void play(struct fixture *fixture, const char *script, enum error expected,
                 const char *words)
{
    struct sandbox sandbox;
    char *top = NULL;
    const char *const bin = GPUGRADE_BINARY_DIR "/bin";

    assert_int_equal(folder_make_temporary(fixture->arena, &top, NULL), ERROR_NONE);
    assert_int_equal(chmod(top, 0711), 0);
    const char *work = arena_printf(fixture->arena, "%s/work", top);
    const char *archive = arena_printf(fixture->arena, "%s/a.zip", top);
    assert_int_equal(mkdir(work, 0711), 0);
    assert_int_equal(file_write_atomic(arena_printf(fixture->arena, "%s/gpugrade-unpack", top),
                                       script, strlen(script), NULL),
                     ERROR_NONE);
    assert_int_equal(file_write_atomic(archive, "x", 1, NULL), ERROR_NONE);
    assert_int_equal(sandbox_init(SANDBOX_AUTO, bin, &sandbox, &fixture->diagnostic), ERROR_NONE);
    intake_list_init(&fixture->list, fixture->arena, "a.zip");
    assert_int_equal(
        intake_read_archive(&fixture->list, &sandbox, top, work, archive, &fixture->diagnostic),
        expected);
    assert_true(folder_remove(top));
    if (strstr(fixture->diagnostic.message, words) == NULL) {
        fail_msg("'%s' is not in: %s", words, fixture->diagnostic.message);
    }
    assert_int_equal(fixture->diagnostic.blame, BLAME_STUDENT);
}

static void a_helper_that_was_taken_over_gains_nothing(void **state)
{
    struct fixture *fixture = *state;
    const char *broken = "breaks the program that unpacks it";

    play(fixture, "#!/bin/sh\nexit 0\n", ERROR_SYNTAX, broken);
    play(fixture, "#!/bin/sh\nprintf 'GPUPACK1nonsense'\n", ERROR_SYNTAX, broken);
    play(fixture, "#!/bin/sh\nkill -9 $$\n", ERROR_SYNTAX, broken);
    play(fixture, "#!/bin/sh\nprintf 'GPUPACK1\\014%15s' | tr ' ' '\\0'\nexit 3\n", ERROR_SYNTAX,
         broken);
    play(fixture, "#!/bin/sh\nexec yes 0123456789012345678901234567890123456789\n", ERROR_LIMIT,
         "unpacks to more than 64 MiB");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_whole_stream_is_taken, setup, teardown),
        cmocka_unit_test_setup_teardown(broken_streams_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(lengths_are_not_believed, setup, teardown),
        cmocka_unit_test_setup_teardown(names_are_not_believed, setup, teardown),
        cmocka_unit_test_setup_teardown(kinds_are_not_believed, setup, teardown),
        cmocka_unit_test_setup_teardown(files_and_entries_are_counted_again, setup, teardown),
        cmocka_unit_test_setup_teardown(a_reason_is_shown_as_it_can_be, setup, teardown),
        cmocka_unit_test_setup_teardown(a_helper_that_was_taken_over_gains_nothing, setup,
                                        teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
