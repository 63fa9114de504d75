/* test_batch_outcome.c: what a worker says, and what is no whole outcome. */
#include "batch/batch_outcome.h"

#include "base/process.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define CONTENT "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

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

static void what_is_written_is_read(void **state)
{
    struct outcome graded = {.kind = OUTCOME_GRADED,
                             .message = "",
                             .content = CONTENT,
                             .archive = "{\"a\nb\":1}\n",
                             .archive_length = 10};
    struct outcome nothing = {.kind = OUTCOME_NOTHING, .message = "a \"b\"\nc \xff \x1b[31m"};
    struct outcome got;
    struct text text;

    (void)state;
    text_init(&text);
    outcome_write(&graded, &text);
    assert_int_equal(outcome_read(arena, text.bytes, text.length, &got, NULL), ERROR_NONE);
    assert_int_equal(got.kind, OUTCOME_GRADED);
    assert_string_equal(got.content, CONTENT);
    assert_int_equal(got.archive_length, 10);
    assert_memory_equal(got.archive, graded.archive, 10);

    text_clear(&text);
    outcome_write(&nothing, &text);
    assert_int_equal(outcome_read(arena, text.bytes, text.length, &got, NULL), ERROR_NONE);
    assert_int_equal(got.kind, OUTCOME_NOTHING);
    assert_string_equal(got.message, "a \"b\"\nc \\xFF \\x1B[31m");
    assert_string_equal(got.content, "");
    assert_null(got.archive);
    text_release(&text);
}

static void half_an_outcome_is_none(void **state)
{
    struct outcome graded = {.kind = OUTCOME_GRADED,
                             .message = "",
                             .content = CONTENT,
                             .archive = "archive",
                             .archive_length = 7};
    struct diagnostic diagnostic;
    struct outcome got;
    struct text text;

    (void)state;
    text_init(&text);
    outcome_write(&graded, &text);
    for (size_t length = 0; length < text.length; length++) {
        assert_int_equal(outcome_read(arena, text.bytes, length, &got, &diagnostic), ERROR_SYNTAX);
        assert_int_equal(diagnostic.blame, BLAME_GRADER);
    }
    text_append_char(&text, 'x');
    assert_int_equal(outcome_read(arena, text.bytes, text.length, &got, NULL), ERROR_SYNTAX);
    text_release(&text);
}

static void other_lines_are_refused(void **state)
{
    static const char *const lines[] = {
        "\n",
        "{}\n",
        "[]\n",
        "{\"kind\":\"fine\",\"message\":\"\",\"content\":\"\",\"archive\":0}\n",
        "{\"kind\":\"nothing\",\"message\":\"\",\"content\":\"12\",\"archive\":0}\n",
        "{\"kind\":\"nothing\",\"message\":\"\",\"content\":\"\",\"archive\":-1}\n",
        "{\"kind\":\"nothing\",\"message\":\"\",\"content\":\"\",\"archive\":\"0\"}\n",
        "{\"kind\":\"graded\",\"message\":\"\",\"content\":\"\",\"archive\":0}\n",
        "{\"kind\":\"nothing\",\"message\":\"\",\"content\":\"\",\"archive\":1}\nx",
        "{\"kind\":\"nothing\",\"message\":\"\",\"content\":\"\",\"archive\":1e300}\n",
    };
    struct outcome got;

    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_int_equal(outcome_read(arena, lines[i], strlen(lines[i]), &got, NULL), ERROR_SYNTAX);
    }
}

static void questions_are_told_from_outcomes(void **state)
{
    const char *question = "{\"content\":\"" CONTENT "\"}";
    const char *other = "{\"kind\":\"nothing\",\"content\":\"" CONTENT "\"}";
    char content[65] = "";

    (void)state;
    assert_true(outcome_read_question(question, strlen(question), content));
    assert_string_equal(content, CONTENT);
    assert_false(outcome_read_question(other, strlen(other), content));
    assert_false(outcome_read_question("{\"content\":\"12\"}", 16, content));
    assert_false(outcome_read_question("", 0, content));
}

static void a_worker_asks_and_hears(void **state)
{
    static const struct {
        const char *answer; /* NULL: the batch is gone */
        bool grades;
    } rows[] = {{"g", true}, {"k", false}, {"x", false}, {NULL, false}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char line[128] = "";
        int fds[2];
        assert_int_equal(socket_pair(fds, NULL), ERROR_NONE);
        if (rows[i].answer != NULL) {
            assert_int_equal(write(fds[0], rows[i].answer, 1), 1);
        } else {
            descriptor_close(&fds[0]);
        }
        assert_int_equal(outcome_ask(fds[1], CONTENT), rows[i].grades);
        if (rows[i].answer != NULL) {
            assert_true(read(fds[0], line, sizeof line - 1) > 0);
            assert_string_equal(line, "{\"content\":\"" CONTENT "\"}\n");
        }
        descriptor_close(&fds[0]);
        descriptor_close(&fds[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_written_is_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(half_an_outcome_is_none, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_lines_are_refused, set_up, tear_down),
        cmocka_unit_test(questions_are_told_from_outcomes),
        cmocka_unit_test(a_worker_asks_and_hears),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
