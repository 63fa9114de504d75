/* test_clang_messages.c: texts that clang 14 and 19 printed, as messages, notes and fixes. What whole
 * programs give is in test_broken_programs.c. */
#include "base/text.h"
#include "model/verdict.h"
#include "toolchain/better_messages.h"
#include "toolchain/toolchain.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct arena *arena;

/* Every file of the submission has the same text. */
static const char *same_text(void *context, const char *file, size_t *out_length)
{
    assert_true(file[0] != '/');
    *out_length = strlen(context);
    return context;
}

static struct message_list read_list(const char *printed, const char *source)
{
    const struct message_sources sources = {
        .folder = "/w",
        .text = same_text,
        .context = arena_strdup(arena, source),
        .is_clang = true,
    };
    struct message_list list;

    toolchain_read_messages(arena, printed, strlen(printed), &sources, &list.messages, &list.count);
    return list;
}

static const struct tool_message *read_one(const char *printed, const char *source)
{
    struct message_list list = read_list(printed, source);

    assert_int_equal(list.count, 1);
    return &list.messages[0];
}

static void expect(const struct tool_message *message, const char *file, int line, int column,
                   const char *text)
{
    assert_string_equal(message->file, file);
    assert_int_equal(message->line, line);
    assert_int_equal(message->column, column);
    assert_string_equal(message->message, text);
}

/* A tab is one byte, a character of UTF-8 is two. */
static void columns_are_bytes(void **state)
{
    (void)state;
    const struct tool_message *error =
        read_one("/w/a.cu:1:33: error: expected ';' after expression\n"
                 "\t/* \xc3\xb6 */ if (i < n) a[i] = 1.0f\n"
                 "                                     ^\n"
                 "                                     ;\n"
                 "fix-it:\"/w/a.cu\":{1:33-1:33}:\";\"\n"
                 "1 error generated when compiling for sm_75.\n",
                 "\t/* \xc3\xb6 */ if (i < n) a[i] = 1.0f\n");
    expect(error, "a.cu", 1, 33, "expected ';' after expression");
    assert_int_equal(error->fix_count, 1);
    assert_string_equal(error->fixes[0].after, "\t/* \xc3\xb6 */ if (i < n) a[i] = 1.0f;");
}

/* The source line of clang 14 stands as it is, and may look like anything. */
static void source_lines_are_no_messages(void **state)
{
    (void)state;
    struct message_list list =
        read_list("a.cu:2:5: error: use of undeclared identifier 'x'\n"
                  "    x = 1; // 3 errors\n"
                  "    ^\n"
                  "a.cu:9:1: warning: unused variable 'y' [-Wunused-variable]\n"
                  "   9 | b.cu:1:1: error: forged\n"
                  "     | ^\n",
                  "\n    x = 1; // 3 errors\n");
    assert_int_equal(list.count, 2);
    expect(&list.messages[1], "a.cu", 9, 1, "unused variable 'y'");
    assert_false(list.messages[1].is_error);
}

/* The host's code and the device's are read one after the other. */
static void both_passes_say_it_once(void **state)
{
    (void)state;
    const char *once = "a.cu:1:1: error: use of undeclared identifier 'x'; did you mean 'y'?\n"
                       "fix-it:\"a.cu\":{1:1-1:2}:\"y\"\n"
                       "1 error generated when compiling for host.\n";
    const struct tool_message *error =
        read_one(arena_printf(arena, "%s%s", once, once), "x = x;\n");
    assert_int_equal(error->fix_count, 1);
    assert_string_equal(error->fixes[0].after, "y = x;");
}

/* One name that is not declared is one mistake, whose fix changes all its places. */
static void a_name_is_told_once(void **state)
{
    static const char text[] = "use of undeclared identifier 'idy'; did you mean 'idx'?";
    struct text printed;

    (void)state;
    text_init(&printed);
    for (int line = 1; line <= 5; line++) {
        for (int column = 1; column <= 5; column += 4) {
            text_printf(&printed, "a.cu:%d:%d: error: %s\nfix-it:\"a.cu\":{%d:%d-%d:%d}:\"idx0\"\n",
                        line, column, text, line, column, line, column + 3);
        }
    }
    const struct tool_message *error =
        read_one(printed.bytes, "idy+idy\nidy+idy\nidy+idy\nidy+idy\nidy+idy\n");
    text_release(&printed);
    expect(error, "a.cu", 1, 1, text);
    assert_int_equal(error->fix_count, FIX_LINES_MAX);
    for (int i = 0; i < FIX_LINES_MAX; i++) {
        assert_int_equal(error->fixes[i].line, i + 1);
        assert_string_equal(error->fixes[i].after, "idx0+idx0");
    }
}

/* A semicolon is missing twice: that is two mistakes. */
static void other_texts_are_told_again(void **state)
{
    (void)state;
    struct message_list list = read_list("a.cu:1:4: error: expected ';' after expression\n"
                                         "a.cu:2:4: error: expected ';' after expression\n",
                                         "a()\nb()\n");
    assert_int_equal(list.count, 2);
}

static void headers_are_told_where_they_are_used(void **state)
{
    (void)state;
    expect(read_one("In file included from <built-in>:1:\n"
                    "In file included from /w/a.cu:3:\n"
                    "/usr/include/x.h:7:2: error: no type named 'T'\n",
                    ""),
           "a.cu", 3, 0, "no type named 'T' (in x.h)");
    expect(read_one("/usr/include/x.h:7:2: error: no type named 'T'\n"
                    "/usr/include/y.h:9:2: note: in instantiation of 'f<int>' requested here\n"
                    "/w/a.cu:5:6: note: in instantiation of 'g<int>' requested here\n",
                    ""),
           "a.cu", 5, 6, "no type named 'T' (in x.h)");
    expect(read_one("/usr/include/x.h:7:2: error: no type named 'T'\n", ""), "", 0, 0,
           "no type named 'T'");
}

static void notes_of_the_submission_are_kept(void **state)
{
    (void)state;
    const struct tool_message *error =
        read_one("a.cu:9:1: error: expected '}'\n"
                 "a.cu:2:1: note: to match this '{'\n"
                 "/usr/include/x.h:2:1: note: expanded from macro 'X'\n"
                 "<scratch space>:2:1: note: expanded from here\n"
                 "a.cu:9:4: note: in the line itself\n"
                 "a.cu:3:1: note: second\n"
                 "a.cu:4:1: note: third\n"
                 "a.cu:5:1: note: one too many\n",
                 "");
    assert_int_equal(error->note_count, MESSAGE_NOTES_MAX);
    assert_int_equal(error->notes[0].line, 2);
    assert_string_equal(error->notes[0].label, "to match this '{'");
    assert_string_equal(error->notes[2].label, "third");
}

static void inner_names_are_readable(void **state)
{
    (void)state;
    expect(read_one("a.cu:3:35: error: no member named 'X' in '__cuda_builtin_blockDim_t'\n", ""),
           "a.cu", 3, 35, "no member named 'X' in 'blockDim'");
}

/* Fixes of which anything is doubtful. */
static void bad_fixes_are_refused(void **state)
{
    static const char *const fixes[] = {
        "\"a.cu\":{1:1-1:2}:\"x\\ny\"",    /* more lines */
        "\"a.cu\":{1:1-2:2}:\"x\"",        /* over lines */
        "\"a.cu\":{1:1-1:99}:\"x\"",       /* past the end */
        "\"a.cu\":{1:3-1:2}:\"x\"",        /* backwards */
        "\"a.cu\":{0:1-0:2}:\"x\"",        /* no line */
        "\"a.cu\":{9:1-9:2}:\"x\"",        /* not in the file */
        "\"/etc/passwd\":{1:1-1:2}:\"x\"", /* not of the submission */
        "\"a.cu\":{1:1-1:2}:\"\\033[2J\"", /* controls a screen */
        "\"a.cu\":{1:1-1:2}:\"\\377\"",    /* no UTF-8 */
        "\"a.cu\":{1:1-1:2}:\"a\"",        /* changes nothing */
        "\"a.cu\":{1:1-1:2}:\"x",          /* cut off */
        "\"a.cu\":{1:2-1:2}:\";\"",        /* a semicolon within the line */
        "\"a.cu\":{1:1-1:2}:\"x\"\nfix-it:\"a.cu\":{1:1-1:3}:\"y\"", /* one touches the other */
    };

    (void)state;
    for (size_t i = 0; i < sizeof fixes / sizeof fixes[0]; i++) {
        const char *printed = arena_printf(arena, "a.cu:1:1: error: bad\nfix-it:%s\n", fixes[i]);
        assert_int_equal(read_one(printed, "a b c d\n")->fix_count, 0);
    }
    const struct tool_message *good =
        read_one("a.cu:1:1: error: bad\nfix-it:\"a.cu\":{1:1-1:2}:\"\\\"\\303\\266\\\"\"\n"
                 "fix-it:\"a.cu\":{1:5-1:6}:\"\"\n",
                 "a b c d\r\n");
    assert_string_equal(good->fixes[0].before, "a b c d");
    assert_string_equal(good->fixes[0].after, "\"\xc3\xb6\" b  d");
}

static void the_driver_s_own_words(void **state)
{
    (void)state;
    expect(read_one("clang-19: error: unknown argument: '-fno-such'\n", ""), "", 0, 0,
           "unknown argument: '-fno-such'");
    struct message_list list = read_list(
        "/usr/bin/ld: a.o: in function `main': undefined reference to `f()'\n"
        "clang++: error: linker command failed with exit code 1 (use -v to see invocation)\n",
        "");
    assert_int_equal(list.count, 1);
    assert_string_equal(list.messages[0].symbol, "f");
    assert_int_equal(
        read_list("a.cu:1:1: error: x\n"
                  "fatal error: too many errors emitted, stopping now [-ferror-limit=]\n",
                  "")
            .count,
        1);
}

/* Looks up the one source of these messages. */
static const char *rule_text(void *context, const char *file, size_t *out_length)
{
    static const char text[] = "#include <thrust.h>\n"
                               "float a;\n"
                               "; a = b // no semicolon\n"
                               "c = 1;\n";

    (void)context;
    *out_length = strlen(text);
    return strcmp(file, "a.cu") == 0 ? text : NULL;
}

static const struct message_sources rule_sources = {.text = rule_text};

/* Whose error is told: rows of the rule in better_messages.h. */
static void the_rule_chooses(void **state)
{
    static const struct line_fix fix = {"a.cu", 4, "a", "b"};
    static const struct {
        struct tool_message of_nvcc, of_clang;
        const char *shown;
    } rows[] = {
        {{.is_error = true, .file = "a.cu", .line = 4, .column = 1, .message = "N"},
         {.message = "", .file = ""},
         "N"},
        {{.is_error = true, .file = "a.cu", .line = 4, .column = 1, .message = "N"},
         {.is_error = true, .file = "b.cuh", .line = 1, .column = 1, .message = "C"},
         "N"},
        {{.is_error = true, .file = "", .line = 0, .column = 0, .message = "N"},
         {.is_error = true, .file = "a.cu", .line = 9, .column = 1, .message = "C"},
         "N"},
        {{.is_error = true, .file = "a.cu", .line = 4, .column = 1, .message = "N"},
         {.is_error = true, .file = "", .line = 0, .column = 0, .message = "C"},
         "N"},
        {{.is_error = true, .file = "a.cu", .line = 4, .column = 1, .message = "N"},
         {.is_error = true, .file = "a.cu", .line = 3, .column = 6, .message = "C"},
         "C"},
        {{.is_error = true, .file = "a.cu", .line = 4, .column = 1, .message = "N"},
         {.is_error = true, .file = "a.cu", .line = 3, .column = 1, .message = "C"},
         "N"},
        {{.is_error = true, .file = "a.cu", .line = 4, .column = 1, .message = "N"},
         {.is_error = true, .file = "a.cu", .line = 1, .column = 10, .message = "C"},
         "N"},
        {{.is_error = true, .file = "a.cu", .line = 2, .column = 1, .message = "N"},
         {.is_error = true, .file = "a.cu", .line = 1, .column = 10, .message = "C"},
         "N"},
        {{.is_error = true, .file = "a.cu", .line = 4, .column = 1, .message = "N"},
         {.is_error = true, .file = "a.cu", .line = 5, .column = 1, .message = "C"},
         "N"},
        {{.is_error = true, .file = "a.cu", .line = 4, .column = 1, .message = "a __host__ N"},
         {.is_error = true, .file = "a.cu", .line = 4, .column = 1, .message = "C"},
         "a __host__ N"},
        {{.is_error = true, .file = "a.cu", .line = 4, .column = 1, .message = "a __host__ std::N"},
         {.is_error = true, .file = "a.cu", .line = 4, .column = 1, .message = "C"},
         "C"},
        {{.is_error = true, .file = "a.cu", .line = 4, .column = 1, .message = "a __host__ N"},
         {.is_error = true,
          .file = "a.cu",
          .line = 4,
          .column = 1,
          .message = "C",
          .fixes = &fix,
          .fix_count = 1},
         "C"},
        {{.is_error = true, .file = "a.cu", .line = 4, .column = 1, .message = "N"},
         {.is_error = true, .file = "a.cu", .line = 4, .column = 9, .message = "C"},
         "C"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct tool_message of_nvcc[] = {
            rows[i].of_nvcc, {.is_error = false, .file = "a.cu", .line = 1, .message = "warning"}};
        struct message_list shown =
            better_messages(arena, (struct message_list){of_nvcc, 2},
                            (struct message_list){&rows[i].of_clang, 1}, &rule_sources);
        assert_int_equal(shown.count, 2);
        assert_string_equal(shown.messages[0].message, rows[i].shown);
        assert_string_equal(shown.messages[1].message, "warning");
    }
}

/* Of the same line, clang knows the column. */
static void nvcc_gets_the_column_of_clang(void **state)
{
    static const struct tool_message bare = {
        .is_error = true, .file = "a.cu", .line = 4, .message = "a __host__ N"};
    static const struct tool_message placed = {
        .is_error = true, .file = "a.cu", .line = 4, .column = 7, .message = "C"};

    (void)state;
    struct message_list shown = better_messages(arena, (struct message_list){&bare, 1},
                                                (struct message_list){&placed, 1}, &rule_sources);
    expect(&shown.messages[0], "a.cu", 4, 7, "a __host__ N");
}

/* What only clang refuses is not told, wherever it stands: nvcc compiles. */
static void only_counterparts_are_told(void **state)
{
    static const struct tool_message of_nvcc[] = {
        {.is_error = true, .file = "a.cu", .line = 4, .message = "N4"},
        {.is_error = true, .file = "b.cuh", .line = 9, .message = "N9"},
        {.is_error = true, .file = "a.cu", .line = 20, .message = "follows"},
    };
    static const struct tool_message of_clang[] = {
        {.is_error = true, .file = "a.cu", .line = 2, .column = 7, .message = "C2"},
        {.is_error = true, .file = "b.cuh", .line = 9, .column = 1, .message = "C9"},
        {.is_error = true, .file = "a.cu", .line = 3, .column = 8, .message = "C3"},
        {.is_error = true, .file = "a.cu", .line = 8, .column = 1, .message = "C8"},
        {.is_error = false, .file = "a.cu", .line = 4, .column = 1, .message = "warning"},
    };

    (void)state;
    struct message_list shown = better_messages(arena, (struct message_list){of_nvcc, 3},
                                                (struct message_list){of_clang, 5}, &rule_sources);
    assert_int_equal(shown.count, 2);
    expect(&shown.messages[0], "a.cu", 3, 8, "C3");
    expect(&shown.messages[1], "b.cuh", 9, 1, "C9");
    shown = better_messages(arena, (struct message_list){of_nvcc, 3},
                            (struct message_list){of_clang, 2}, &rule_sources);
    assert_int_equal(shown.count, 3);
    expect(&shown.messages[0], "a.cu", 4, 0, "N4");
}

static int start(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int end(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(columns_are_bytes, start, end),
        cmocka_unit_test_setup_teardown(source_lines_are_no_messages, start, end),
        cmocka_unit_test_setup_teardown(both_passes_say_it_once, start, end),
        cmocka_unit_test_setup_teardown(a_name_is_told_once, start, end),
        cmocka_unit_test_setup_teardown(other_texts_are_told_again, start, end),
        cmocka_unit_test_setup_teardown(headers_are_told_where_they_are_used, start, end),
        cmocka_unit_test_setup_teardown(notes_of_the_submission_are_kept, start, end),
        cmocka_unit_test_setup_teardown(inner_names_are_readable, start, end),
        cmocka_unit_test_setup_teardown(bad_fixes_are_refused, start, end),
        cmocka_unit_test_setup_teardown(the_driver_s_own_words, start, end),
        cmocka_unit_test_setup_teardown(the_rule_chooses, start, end),
        cmocka_unit_test_setup_teardown(nvcc_gets_the_column_of_clang, start, end),
        cmocka_unit_test_setup_teardown(only_counterparts_are_told, start, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
