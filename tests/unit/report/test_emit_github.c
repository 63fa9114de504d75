/* test_emit_github.c: the workflow commands, byte for byte, and that no student can add one. The
 * reader here reads a line as GitHub's runner does. */
#include "report/platform/emit_format.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "made_report.h"

static void check(const struct report *report, const char *prefix, const char *expected)
{
    struct emit_options options = {.path_prefix = prefix};
    struct text text;

    text_init(&text);
    emit_github(report, &options, &text);
    assert_string_equal(text.bytes, expected);
    text_release(&text);
}

static void each_diagnostic_is_a_command(void **state)
{
    struct made_report made;

    (void)state;
    made_init(&made);
    check(&made.report, "hw3/",
          "::error file=hw3/a.cu,line=31,endLine=31,col=13,endColumn=21,title=R01 race::"
          "shared tile `Bs` is read while others write it"
          "%0Ahint: wait before the tile is read"
          "%0Ahw3/a.cu:31:13: read by thread (3,0)"
          "%0Ahw3/a.cu:27:9: written by thread (3,5)"
          "%0Aseen: in 8 of 8 shapes"
          "%0Aso: \"correct, tiled\" fails too: 128 wrong"
          "%0Aagain: gpugrade check . --only race-free.tiled --seed 0x1"
          "%0Aexplain: gpugrade explain R01\n"
          "::error file=hw3/my b%2Cc%3Ad.cu,line=7,endLine=7,title=L05 launch configuration::"
          "2048 bytes instead of 1024\n"
          "::error title=gpugrade could not grade this::the device process ended\n"
          "::warning file=hw3/a.cu,line=40,endLine=40,col=5,title=Q01 access pattern::"
          "4 lanes meet in one bank\n"
          "::warning file=hw3/a.cu,line=12,endLine=12,col=7,title=costs no marks::"
          "variable \"i\" is never used\n"
          "::warning title=costs no marks::cudaGetLastError() returned 700\n"
          "::notice title=gpugrade%3A 11.5 of 40 points::matmul: 3 errors, 3 warnings"
          "%0Acannot be measured on this machine: 15 points"
          "%0Anot graded because the grader or the machine failed: 3 points\n");
}

static void all_is_well_in_one_line(void **state)
{
    struct made_report made;

    (void)state;
    made_init(&made);
    made_all(&made, STATUS_PASSED);
    check(&made.report, "",
          "::notice title=gpugrade%3A 62 of 58 points::matmul: 0 errors, 0 warnings\n");
}

/* A command as the runner reads it: the name, and the value of a property. */
static bool is_command(const char *line)
{
    line += strspn(line, " \t");
    return strncmp(line, "::", 2) == 0 && strstr(line + 2, "::") != NULL;
}

static void file_of(const char *line, struct text *out)
{
    const char *file = strstr(line, " file=");
    const char *end = strstr(line + 2, "::");

    text_clear(out);
    if (file != NULL && file < end) {
        text_append_bytes(out, file + 6, strcspn(file + 6, ",:"));
    }
}

static void check_hostile(const char *words)
{
    struct made_report made;
    struct text text, file;
    size_t lines = 0;

    made_init(&made);
    made.diagnostics[0].message = words;
    made.diagnostics[0].file = words;
    made.marks[0].file = words;
    made.marks[0].label = words;
    made.notes[0].text = words;
    made.remarks[0].file = words;
    made.remarks[1].message = words;
    text_init(&text);
    text_init(&file);
    emit_github(&made.report, &made_options, &text);
    for (char *line = text.bytes; *line != '\0';) {
        char *end = strchr(line, '\n');
        assert_non_null(end);
        *end = '\0';
        assert_true(is_command(line));
        assert_null(strstr(line, "##["));
        assert_null(strchr(line, '\r'));
        file_of(line, &file);
        assert_true(file.length == 0 || strncmp(file.bytes, "hw3/", 4) == 0);
        assert_null(strstr(file.bytes, "hw3/../"));
        line = end + 1;
        lines++;
    }
    assert_int_equal(lines, 7);
    text_release(&file);
    text_release(&text);
}

static void no_command_is_forged(void **state)
{
    (void)state;
    check_hostile("x\n::error file=b.cu::forged");
    check_hostile("x\r\n::error file=b.cu::forged");
    check_hostile("x::error file=b.cu::forged");
    check_hostile("a.cu,file=b.cu,line=1::forged");
    check_hostile("##[error]forged");
    check_hostile("../b.cu");
    check_hostile("/b.cu");
    check_hostile("a/../../b.cu");
    check_hostile("%0A::error::%0Dforged%");
    check_hostile("\xE2\x80\xA8::error::forged\x1B[2J\xFF");
    check_hostile(" ");
}

static void a_claim_to_be_another_file_names_none(void **state)
{
    struct made_report made;
    struct text text;
    struct emit_options options = {.path_prefix = ""};
    static const char *const files[] = {"../other.cu", "/etc/passwd", "a/..", "=other.cu"};

    (void)state;
    text_init(&text);
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        made_init(&made);
        made.diagnostics[0].file = files[i];
        text_clear(&text);
        emit_github(&made.report, &options, &text);
        assert_true(text_starts_with(text.bytes, "::error title=R01 race::"));
    }
    made.diagnostics[0].file = "..a/b..c/...cu";
    text_clear(&text);
    emit_github(&made.report, &options, &text);
    assert_true(text_starts_with(text.bytes, "::error file=..a/b..c/...cu,line=31,"));
    text_release(&text);
}

static size_t count_of(const struct text *text, const char *start)
{
    size_t count = 0;

    for (const char *line = text->bytes; *line != '\0'; line = strchr(line, '\n') + 1) {
        count += text_starts_with(line, start) ? 1 : 0;
    }
    return count;
}

/* GitHub shows ten of a kind; the first ones are written, and the rest is counted. */
static void ten_of_a_kind_are_written(void **state)
{
    enum { MANY = 500 };
    static struct report_diagnostic diagnostics[MANY];
    struct made_report made;
    struct text text;

    (void)state;
    made_init(&made);
    for (size_t i = 0; i < MANY; i++) {
        diagnostics[i] = made.diagnostics[i % 5 == 4 ? 3 : 0];
        diagnostics[i].line = (int)i + 1;
    }
    made.report.diagnostics = diagnostics;
    made.report.diagnostic_count = MANY;
    text_init(&text);
    emit_github(&made.report, &made_options, &text);
    assert_int_equal(count_of(&text, "::error "), 10);
    assert_int_equal(count_of(&text, "::warning "), 10);
    assert_int_equal(count_of(&text, "::notice "), 1);
    assert_true(text_starts_with(text.bytes, "::error file=hw3/a.cu,line=1,"));
    assert_non_null(strstr(text.bytes, "matmul: 400 errors, 102 warnings; 482 are not shown "
                                       "here, see the summary%0A"));
    text_release(&text);
}

static void messages_are_bounded(void **state)
{
    enum { LONG = 100000, RUNNER_MAX = 4096 };
    static char words[LONG + 1];
    struct made_report made;
    struct text text;

    (void)state;
    memset(words, 'x', LONG);
    made_init(&made);
    made.diagnostics[0].message = words;
    made.notes[0].text = words;
    made.notes[1].text = words;
    made.notes[3].text = words;
    made.diagnostics[0].file = words;
    made.remarks[0].message = words;
    text_init(&text);
    emit_github(&made.report, &made_options, &text);
    const char *message = strstr(text.bytes, "title=R01 race::") + strlen("title=R01 race::");
    size_t length = strcspn(message, "\n");
    assert_in_range(length, 1000, RUNNER_MAX);
    assert_non_null(strstr(message, " more bytes)"));
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_diagnostic_is_a_command),
        cmocka_unit_test(all_is_well_in_one_line),
        cmocka_unit_test(no_command_is_forged),
        cmocka_unit_test(a_claim_to_be_another_file_names_none),
        cmocka_unit_test(ten_of_a_kind_are_written),
        cmocka_unit_test(messages_are_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
