/* test_class_reports.c: the reports on a class that is made up (class_made.h).
 *
 * The expected ones are golden/class_*, the page without style sheet, script and its hash. After a
 * wanted change, run the program with GPUGRADE_BLESS=1 to write them anew, and read the difference.
 */
#include "base/csv.h"
#include "base/file.h"
#include "base/json.h"
#include "report/class/class_csv.h"
#include "report/class/class_facts.h"
#include "report/class/class_gradebook.h"
#include "report/class/class_histogram.h"
#include "report/class/class_json.h"
#include "report/class/class_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "class_made.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { SMALL = 14, GOLDEN_BYTES_MAX = 1 << 20 };

static struct arena *arena;
static struct text text;
static struct class_results class;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    text_init(&text);
    class = made_class(arena, SMALL, false);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    text_release(&text);
    arena_free(arena);
    return 0;
}

static void assert_golden(const char *name)
{
    const char *path =
        arena_printf(arena, "%s/tests/unit/report/golden/%s", GPUGRADE_SOURCE_DIR, name);
    char *expected;
    size_t length;

    if (getenv("GPUGRADE_BLESS") != NULL) {
        assert_int_equal(file_write_atomic(path, text.bytes, text.length, NULL), ERROR_NONE);
    }
    if (file_read(arena, path, GOLDEN_BYTES_MAX, BLAME_GRADER, &expected, &length, NULL) !=
        ERROR_NONE) {
        fail_msg("%s cannot be read; write it with GPUGRADE_BLESS=1", path);
    }
    if (length != text.length || memcmp(expected, text.bytes, length) != 0) {
        fail_msg("%s differs; got:\n%s", path, text.bytes);
    }
}

/* Removes what stands between the first `start` and the `end` behind it. */
static void cut_out(const char *start, const char *end)
{
    char *from = strstr(text.bytes, start);
    assert_non_null(from);
    from += strlen(start);
    char *to = strstr(from, end);
    assert_non_null(to);
    memmove(from, to, strlen(to) + 1);
    text.length = strlen(text.bytes);
}

/* Reads what was written as a strict reader does, and holds every line to the header. */
static struct csv_table read_table(void)
{
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    struct csv_table table;

    if (csv_read(arena, text.bytes, text.length, "table", &table, &diagnostic) != ERROR_NONE) {
        fail_msg("line %d: %s", diagnostic.line, diagnostic.message);
    }
    for (size_t i = 0; i < table.row_count; i++) {
        assert_int_equal(table.rows[i].cell_count, table.column_count);
    }
    return table;
}

static const char *cell(const struct csv_table *table, size_t row, const char *column)
{
    const char *const names[] = {column, NULL};
    int index = csv_column(table, names);

    assert_true(index >= 0);
    return csv_cell(&table->rows[row], index);
}

static void test_golden(void **state)
{
    struct gradebook_counts counts;

    (void)state;
    class_csv(&class, &text);
    assert_golden("class_table.csv");
    text_clear(&text);
    class_json(&class, &text);
    assert_golden("class_lines.jsonl");
    text_clear(&text);
    class_canvas(&class, "Lab 6 (4711)", &text, &counts);
    assert_golden("class_canvas.csv");
    text_clear(&text);
    class_moodle(&class, "Lab 6", &text, &counts);
    assert_golden("class_moodle.csv");
    text_clear(&text);
    class_page(&class, &text);
    cut_out("script-src 'sha256-", "'");
    cut_out("<style>\n", "</style>");
    cut_out("<script>", "</script>");
    assert_golden("class_page.html");
}

static void test_table(void **state)
{
    (void)state;
    class_csv(&class, &text);
    struct csv_table table = read_table();
    assert_int_equal(table.row_count, SMALL);
    assert_int_equal(table.column_count, 19 + 3 * MADE_CRITERIA);
    assert_string_equal(cell(&table, 0, "name"), "Lovelace, Ada");
    assert_string_equal(cell(&table, 1, "name"), "'=HYPERLINK(\"http://a\",\"b\")");
    assert_string_equal(cell(&table, 2, "name"), "O'Brien; \"Jane\"");
    assert_string_equal(cell(&table, 9, "name"), "Two\\x0ALines");
    assert_string_equal(cell(&table, 11, "name"), "'@lice");
    for (size_t i = 0; i < SMALL; i++) {
        double sum = 0;
        for (size_t j = 0; j < MADE_CRITERIA; j++) {
            sum += strtod(cell(&table, i, made_criteria[j].id), NULL);
        }
        assert_float_equal(sum, strtod(cell(&table, i, "raw"), NULL), 1e-4);
    }
}

/* By the fault of the grader or the machine nobody gets a zero, or any mark. */
static void test_no_mark_without_verdict(void **state)
{
    (void)state;
    class_csv(&class, &text);
    struct csv_table table = read_table();
    assert_string_equal(cell(&table, 6, "state"), "trouble");
    assert_string_equal(cell(&table, 6, "mark"), "");
    assert_string_equal(cell(&table, 8, "state"), "missing");
    assert_string_equal(cell(&table, 8, "mark"), "");
    assert_string_equal(cell(&table, 9, "state"), "pending");
    assert_string_equal(cell(&table, 9, "mark"), "");
    assert_string_equal(cell(&table, 2, "race-free.tiled status"), "error");
    assert_string_equal(cell(&table, 2, "race-free.tiled"), "");
    assert_string_equal(cell(&table, 2, "mark"), "");
    assert_string_equal(cell(&table, 5, "state"), "nothing");
    assert_string_equal(cell(&table, 5, "mark"), "0");
}

static void test_canvas(void **state)
{
    static const char start[] = "Student,ID,SIS User ID,SIS Login ID,Section,Lab 6 (4711)\r\n"
                                "\"    Points Possible\",,,,,100\r\n";
    struct gradebook_counts counts;

    (void)state;
    class_canvas(&class, "Lab 6 (4711)", &text, &counts);
    assert_true(text_starts_with(text.bytes, start));
    struct csv_table table = read_table();
    /* 2 has an error, 6 is trouble, 8 is missing, 9 is pending. */
    assert_int_equal(table.row_count, 1 + SMALL - 4);
    assert_int_equal(counts.written, SMALL - 4);
    assert_int_equal(counts.without_mark, 3);
    assert_int_equal(counts.missing, 1);
    assert_int_equal(counts.without_key, 0);
    for (size_t i = 1; i < table.row_count; i++) {
        assert_true(cell(&table, i, "ID")[0] != '\0');
        assert_true(cell(&table, i, "Lab 6 (4711)")[0] != '\0');
    }
    assert_int_equal(counts.beyond_maximum, 1);
}

/* A name alone is no key if two have it: one would get the mark of the other. */
static void test_canvas_equal_names(void **state)
{
    struct class_row *rows = arena_array(arena, SMALL, sizeof *rows);
    struct gradebook_counts counts;

    (void)state;
    memcpy(rows, class.rows, SMALL * sizeof *rows);
    class.rows = rows;
    for (size_t i = 0; i < 2; i++) {
        rows[i].canvas_id = rows[i].sis_id = rows[i].login = "";
    }
    rows[0].name = "Jane Doe";
    class_canvas(&class, "Lab 6", &text, &counts);
    assert_int_equal(counts.without_key, 0);
    rows[1].name = "jane doe";
    text_clear(&text);
    class_canvas(&class, "Lab 6", &text, &counts);
    assert_int_equal(counts.without_key, 2);
    assert_null(strcasestr(text.bytes, "Jane Doe"));
}

/* What most students have decides; who lacks it is left out and counted. */
static void test_moodle_keys(void **state)
{
    struct class_row *rows = arena_array(arena, SMALL, sizeof *rows);
    struct gradebook_counts counts;
    struct csv_table table;

    (void)state;
    memcpy(rows, class.rows, SMALL * sizeof *rows);
    class.rows = rows;
    rows[0].email = "";
    class_moodle(&class, "Lab 6", &text, &counts);
    assert_true(text_starts_with(text.bytes, "Email address,Lab 6\r\n"));
    assert_int_equal(counts.without_key, 1);
    assert_int_equal(read_table().row_count, SMALL - 5);
    for (size_t i = 0; i < SMALL; i++) {
        rows[i].moodle_id = arena_printf(arena, "Participant %zu", 100 + i);
    }
    text_clear(&text);
    class_moodle(&class, "Lab 6", &text, &counts);
    table = read_table();
    assert_string_equal(table.header[0], "Identifier");
    assert_string_equal(cell(&table, 0, "Identifier"), "Participant 100");
    assert_string_equal(cell(&table, 0, "Grade"), "100.67");
    assert_string_equal(cell(&table, 0, "Maximum Grade"), "100");
    assert_int_equal(counts.without_key, 0);
    for (size_t i = 0; i < SMALL; i++) {
        rows[i].moodle_id = arena_printf(arena, "m%zu", i);
    }
    text_clear(&text);
    class_moodle(&class, "Lab 6", &text, &counts);
    assert_true(text_starts_with(text.bytes, "ID number,Lab 6\r\nm0,100.67\r\n"));
    rows[0].email = "ada@example.org"; /* as many addresses as numbers: a number is surer */
    text_clear(&text);
    class_moodle(&class, "Lab 6", &text, &counts);
    assert_true(text_starts_with(text.bytes, "ID number,Lab 6\r\n"));
}

static void test_lines(void **state)
{
    size_t lines = 0;

    (void)state;
    class_json(&class, &text);
    for (const char *at = text.bytes; *at != '\0'; lines++) {
        size_t length = strcspn(at, "\n");
        struct diagnostic diagnostic = {.blame = BLAME_NONE};
        struct json_document *document = NULL;
        assert_int_equal(json_parse(at, length, "line", BLAME_GRADER, &document, &diagnostic), 0);
        assert_true(cJSON_IsString(cJSON_GetObjectItem(json_root(document), "type")));
        json_document_free(document);
        at += length + 1;
    }
    assert_int_equal(lines, 1 + SMALL + class.finding_count + class.pair_count);
    assert_null(strstr(text.bytes, "null"));
}

static void test_page_escapes(void **state)
{
    (void)state;
    class_page(&class, &text);
    assert_null(strstr(text.bytes, "<script>alert"));
    assert_null(strstr(text.bytes, "<with>"));
    assert_null(strstr(text.bytes, "<printout>"));
    assert_null(strstr(text.bytes, "\xE2\x80\xAE"));
    assert_true(text_is_utf8(text.bytes, text.length));
    assert_non_null(strstr(text.bytes, "personal data"));
    assert_non_null(strstr(text.bytes, "hidden criteria"));
}

static unsigned base64_value(char letter)
{
    return letter == '+'   ? 62
           : letter == '/' ? 63
           : letter >= 'a' ? (unsigned)(letter - 'a') + 26
           : letter >= 'A' ? (unsigned)(letter - 'A')
                           : (unsigned)(letter - '0') + 52;
}

/* The policy lets this very script run: its hash in base64 is that of the script. */
static void test_page_policy(void **state)
{
    char hex[65], told[65] = "";

    (void)state;
    class_page(&class, &text);
    const char *script = strstr(text.bytes, "<script>") + strlen("<script>");
    hash_bytes(script, (size_t)(strstr(script, "</script>") - script), hex);
    const char *base64 = strstr(text.bytes, "script-src 'sha256-") + strlen("script-src 'sha256-");
    for (size_t i = 0; i < 64; i++) { /* a digit is 4 bits, a letter 6 */
        size_t bit = i * 4;
        unsigned two = base64_value(base64[bit / 6]) << 6 | base64_value(base64[bit / 6 + 1]);
        told[i] = "0123456789abcdef"[two >> (8 - bit % 6) & 15];
    }
    assert_string_equal(told, hex);
    assert_true(text_starts_with(base64 + 43, "='; base-uri 'none'"));
}

/* Whatever is written, nothing of it tells who a student is. */
static void test_pseudonyms(void **state)
{
    static const char *const telling[] = {"Lovelace", "example.org", "s00003", "9003", "Lab 1"};

    (void)state;
    class = made_class(arena, SMALL, true);
    class_csv(&class, &text);
    class_json(&class, &text);
    class_page(&class, &text);
    for (size_t i = 0; i < COUNT(telling); i++) {
        if (strstr(text.bytes, telling[i]) != NULL) {
            fail_msg("'%s' is told", telling[i]);
        }
    }
    for (size_t i = 0; i < SMALL; i++) {
        assert_true(class.rows[i].content[0] == '\0' ||
                    strstr(text.bytes, class.rows[i].content) == NULL);
    }
    assert_null(strstr(text.bytes, "it is personal data"));
}

static void test_facts(void **state)
{
    struct class_facts facts = class_facts_of(&class, arena);
    double sum = 0;

    (void)state;
    assert_int_equal(facts.states[CLASS_GRADED], SMALL - 4);
    assert_int_equal(facts.states[CLASS_NOTHING], 1);
    assert_int_equal(facts.in_error, 1);
    assert_int_equal(facts.mark_count, SMALL - 4);
    for (size_t i = 0; i < facts.mark_count; i++) {
        sum += facts.marks[i];
        assert_true(i == 0 || facts.marks[i - 1] <= facts.marks[i]);
    }
    assert_float_equal(facts.mean, sum / (double)facts.mark_count, 1e-9);
    for (size_t i = 0; i < MADE_CRITERIA; i++) {
        assert_int_equal(facts.criteria[i].judged, facts.states[CLASS_GRADED]);
    }
    assert_int_equal(facts.criteria[3].statuses[STATUS_ERROR], 1);
}

/* What gpugrade does not know is listed with its student. */
static void test_reviews(void **state)
{
    struct class_row *rows = arena_array(arena, SMALL, sizeof *rows);
    struct class_mark *marks = arena_array(arena, MADE_CRITERIA, sizeof *marks);

    (void)state;
    class_page(&class, &text);
    assert_null(strstr(text.bytes, "id=\"review\""));
    memcpy(rows, class.rows, SMALL * sizeof *rows);
    memcpy(marks, rows[0].marks, MADE_CRITERIA * sizeof *marks);
    marks[1] = (struct class_mark){
        .is_judged = true, .status = STATUS_FAILED, .code = CODE_UNKNOWN_INSTRUCTION};
    marks[2] = (struct class_mark){
        .is_judged = true, .status = STATUS_ERROR, .code = CODE_UNKNOWN_INSTRUCTION};
    rows[0].marks = marks;
    class.rows = rows;
    text_clear(&text);
    class_page(&class, &text);
    assert_non_null(strstr(text.bytes, "<dt>to look at</dt><dd>1</dd>"));
    assert_non_null(strstr(text.bytes, "<a href=\"#review\">To look at</a>"));
    assert_non_null(strstr(text.bytes, "an unknown instruction (<code>U01</code>)<br></td>"));
    text_clear(&text);
    class_json(&class, &text);
    const char *found = strstr(text.bytes, "\"review\"");
    assert_non_null(found);
    assert_null(strstr(found + 1, "\"review\""));
}

static void test_empty_class(void **state)
{
    struct class_results empty = class;
    struct gradebook_counts counts;

    (void)state;
    empty.row_count = empty.finding_count = empty.pair_count = 0;
    class_page(&empty, &text);
    assert_non_null(strstr(text.bytes, "</html>"));
    text_clear(&text);
    class_csv(&empty, &text);
    assert_int_equal(read_table().row_count, 0);
    text_clear(&text);
    class_canvas(&empty, "x", &text, &counts);
    assert_int_equal(counts.written, 0);
    text_clear(&text);
    class_moodle(&empty, "x", &text, &counts);
    assert_int_equal(read_table().row_count, 0);
}

static void test_lateness(void **state)
{
    static const struct {
        int64_t seconds;
        const char *words;
    } rows[] = {{1, "1 s"}, {59, "59 s"}, {60, "1 min"}, {3599, "59 min"}, {90180, "25 h 3 min"}};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        text_clear(&text);
        class_append_lateness(&text, rows[i].seconds);
        assert_string_equal(text.bytes, rows[i].words);
    }
}

static void test_histogram(void **state)
{
    static const double values[] = {0, 9.99, 10, 50, 99.5, 100, 100.5};
    const struct class_histogram histogram = {.caption = "c",
                                              .what = "mark",
                                              .values = values,
                                              .count = COUNT(values),
                                              .step = 10,
                                              .spans = 10,
                                              .top = 100};

    (void)state;
    class_histogram(&histogram, &text);
    assert_non_null(strstr(text.bytes, "<title>over 100</title><desc>1 of 7</desc>"));
    assert_non_null(strstr(text.bytes, "<title>90 \xE2\x80\x93 100</title><desc>2 of 7</desc>"));
    assert_non_null(strstr(text.bytes, "<title>10 \xE2\x80\x93 20</title><desc>1 of 7</desc>"));
    assert_non_null(strstr(text.bytes, "<title>0 \xE2\x80\x93 10</title><desc>2 of 7</desc>"));
    assert_float_equal(class_histogram_step(7, 12), 1, 1e-12);
    assert_float_equal(class_histogram_step(13, 12), 2, 1e-12);
    assert_float_equal(class_histogram_step(0.5, 10), 0.05, 1e-12);
    assert_true(class_histogram_step(0, 10) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_golden, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_table, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_mark_without_verdict, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_canvas, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_canvas_equal_names, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_moodle_keys, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_page_escapes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_page_policy, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pseudonyms, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_facts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reviews, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_empty_class, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lateness, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_histogram, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
