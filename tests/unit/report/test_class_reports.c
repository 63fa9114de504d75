/* test_class_reports.c: the reports on a class that is made up (class_made.h).
 *
 * The expected tables are golden/class_*. After a wanted change, run the program with GPUGRADE_BLESS=1
 * to write them anew, and read the difference.
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
#include "page_words.h"

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
}

/* What the page says from top to bottom, but for the sentences that explain. */
static const char *const class_says[] = {
    "Matrix multiplication <with> shared memory \xC2\xB7 class;",
    "gpugrade, a class",
    "Matrix multiplication <with> shared memory",
    "median 77.83 / 100",
    "students: 14",
    "grading failed: 1",
    "grading failed in part: 1",
    "not graded yet: 1",
    "handed in nothing: 1",
    "late: 1",
    "mean: 70.83",
    "Not fully graded",
    "Marks",
    "Criteria",
    "Common findings",
    "Speedups",
    "Similar code",
    "Slowest and retried",
    "Students",
    "How this was graded",
    "Not fully graded",
    "Student | Whose fault | Why",
    "O'Brien; \"Jane\" s00002 | the grader or the machine (some criteria) | race-free, tiled",
    "\\xE2\\x80\\xAEtxt.exe s00005 | the submission | the archive is broken: data.zip ends early;",
    "bad\\xFF\\xFEutf s00006 | the grader or the machine | the disk is full; make room, then",
    "Marks",
    "mark |  | students | share",
    "over 100 | over 100; 1 of 10;  | 1 | 10 %",
    "80 \xE2\x80\x93 90 | 80 \xE2\x80\x93 90; 3 of 10;  | 3 | 30 %",
    "70 \xE2\x80\x93 80 | 70 \xE2\x80\x93 80; 4 of 10;  | 4 | 40 %",
    "50 \xE2\x80\x93 60 | 50 \xE2\x80\x93 60; 1 of 10;  | 1 | 10 %",
    "0 \xE2\x80\x93 10 | 0 \xE2\x80\x93 10; 1 of 10;  | 1 | 10 %",
    "Criteria",
    "Letter | Criterion | pass rate | Rate as a bar | passed | partial | failed | skipped | error",
    "k | speedup, tiled | 40 % | speedup, tiled; pass rate of graded submissions;  | 2 | 0 | 3 |",
    "m | extra bonus | 60 % | extra; pass rate of graded submissions;  | 6 | 0 | 4 | 0 | 0 | 0 | "
    "2.4",
    "e | race-free, dynamic | 70 % | race-free, dynamic; pass rate of graded submissions;  | 7 |",
    "h | dynamic indeed | 70 % | dynamic indeed; pass rate of graded submissions;  | 7 | 1 | 2 |",
    "i | occupancy & <printout> | 70 % | occupancy & <printout>; pass rate of graded",
    "a | compiles | 80 % | compiles; pass rate of graded submissions;  | 8 | 0 | 2 | 0 | 0 | 0 | 4 "
    "/",
    "c | correct, dynamic | 80 % | correct, dynamic; pass rate of graded submissions;  | 8 | 1 |",
    "f | tiled, tiled | 80 % | tiled, tiled; pass rate of graded submissions;  | 8 | 0 | 2 | 0 |",
    "g | tiled, dynamic hidden | 80 % | tiled, dynamic; pass rate of graded submissions;  | 8 |",
    "l | speedup, dynamic | 80 % | speedup, dynamic; pass rate of graded submissions;  | 4 | 0 |",
    "b | correct, tiled | 100 % | correct, tiled; pass rate of graded submissions;  | 10 | 0 | 0",
    "d | race-free, tiled | 100 % | race-free, tiled; pass rate of graded submissions;  | 9 | 0",
    "j | block size | 100 % | block size; pass rate of graded submissions;  | 10 | 0 | 0 | 0 | 0",
    "Common findings",
    "Code | Finding | students | share | Examples",
    "R01 | data race in shared memory, no barrier between two threads | 31 | 310 % | Lovelace, Ada "
    "s00000",
    "W01 | elements differ from the expected values | 17 | 170 % | <script>alert(1)</script>",
    "C01 | nvcc rejects the source | 1 | 10 % | Lovelace, Ada s00000",
    "Speedups",
    "The largest speedup over the naive kernel of each measured submission: from 3.99 to",
    "speedup |  | students | share",
    "6.5 \xE2\x80\x93 7.0 | 6.5 \xE2\x80\x93 7.0; 2 of 5;  | 2 | 40 %",
    "6.0 \xE2\x80\x93 6.5 | 6.0 \xE2\x80\x93 6.5; 1 of 5;  | 1 | 20 %",
    "5.5 \xE2\x80\x93 6.0 | 5.5 \xE2\x80\x93 6.0; 1 of 5;  | 1 | 20 %",
    "3.5 \xE2\x80\x93 4.0 | 3.5 \xE2\x80\x93 4.0; 1 of 5;  | 1 | 20 %",
    "The 5 fastest",
    "Student | Speedup",
    "@lice s00011 | 6.99",
    "O'Brien; \"Jane\" s00002 | 6.53",
    "Lovelace, Ada s00000 | 6.27",
    "<script>alert(1)</script> s00003 | 5.82",
    "Student 12, Given s00012 | 3.99",
    "Similar code",
    "Student | And | Program | similarity | shared | Files",
    "Lovelace, Ada s00000 | Zo\xC3\xAB & Co s00004 | tiled | 100 % | 214 | the same",
    "<script>alert(1)</script> s00003 | s00007 | dynamic | 93 % | 88 | different",
    "Slowest and retried",
    "The 10 slowest to grade, of 12",
    "Student | Seconds",
    "+491234 Meyer s00010 | 11.88",
    "=HYPERLINK(\"http://a\",\"b\") s00001 | 11.24",
    "Zo\xC3\xAB & Co s00004 | 11.08",
    "Student 13, Given s00013 | 9.08",
    "\\xE2\\x80\\xAEtxt.exe s00005 | 8.01",
    "<script>alert(1)</script> s00003 | 7.91",
    "s00007 | 7.52",
    "O'Brien; \"Jane\" s00002 | 7.01",
    "@lice s00011 | 5.95",
    "Student 12, Given s00012 | 5.77",
    "Tried more than once",
    "Student | tries | Now",
    "<script>alert(1)</script> s00003 | 3 | graded",
    "Students",
    "Criterion",
    "a compiles",
    "b correct, tiled",
    "c correct, dynamic",
    "d race-free, tiled",
    "e race-free, dynamic",
    "f tiled, tiled",
    "g tiled, dynamic",
    "h dynamic indeed",
    "i occupancy & <printout>",
    "j block size",
    "k speedup, tiled",
    "l speedup, dynamic",
    "m extra",
    "Student | Mark | Criteria abcdefghijklm | Causes | Late | Speedup | Seconds | State",
    "Lovelace, Ada s00000 | 100.67 | PPPPPPPP\xC2\xBDPPPP | S01  |  | 6.27 | 5.3 | graded",
    "=HYPERLINK(\"http://a\",\"b\") s00001 | 76.67 | PPPPPFP\xC2\xBDPPSSF | W02 S01 C01  |  |  |",
    "O'Brien; \"Jane\" s00002 | \xE2\x80\x93 | PPPEPPFFPPFPP | W02  |  | 6.53 | 7.0 | graded",
    "<script>alert(1)</script> s00003 | 70 | PP\xC2\xBDPPPPFFPFPF | S01 R01 W01  |  | 5.82 | 7.9 |",
    ("Zo\xC3\xAB & Co s00004 | 59 | FPPPFPFPPPSSP | W02 C01  | 21 h 15 min, \xE2\x88\x92"
     "10 |  |"),
    "\\xE2\\x80\\xAEtxt.exe s00005 | 0 |  |  |  |  | 8.0 | nothing",
    "bad\\xFF\\xFEutf s00006 | \xE2\x80\x93 |  |  |  |  | 4.2 | trouble",
    "s00007 | 80 | PPPPPFPPPPSSF | R01 W02  |  |  | 7.5 | graded",
    "-7 s00008 | \xE2\x80\x93 |  |  |  |  |  | missing",
    "Two Lines s00009 | \xE2\x80\x93 |  |  |  |  |  | pending",
    "+491234 Meyer s00010 | 74 | PPPPFPPPFPSSP | W01 R01  |  |  | 11.9 | graded",
    "@lice s00011 | 79 | FPPPFPPPPPFPP | W02 G01  |  | 6.99 | 5.9 | graded",
    "Student 12, Given s00012 | 84 | PPFPPPPPPPPFP | W02  |  | 3.99 | 5.8 | graded",
    "Student 13, Given s00013 | 85 | PPPPPPPPPPSSF | R01  |  |  | 9.1 | graded",
    "How this was graded",
    "coursework: matmul",
    "rubric: version 3, 00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
    "seed: 0x5eed1234",
    "machine: emulated H200, sandbox A, CUDA 13.0",
    "gpugrade: 0.1.0",
};

/* What it draws and leads to, and what its script goes by. */
static const char *const class_has[] = {
    "<body class=\"class\">",
    "<nav aria-label=\"Sections\">\n<ul>\n<li><a href=\"#trouble\">",
    "<section aria-labelledby=\"trouble\">\n<h2 id=\"trouble\">",
    "<table class=\"sortable trouble\">\n<caption class=\"unseen\">",
    "<th scope=\"col\" data-sort=\"text\">Student</th>",
    "<th scope=\"row\"><a href=\"#s3\">",
    "<table class=\"bars histogram\">",
    "<rect class=\"rail\" width=\"1000\" height=\"14\"/><rect class=\"mine\" width=\"250.0\"",
    "<rect class=\"mine\" width=\"0.0\"",
    "<rect class=\"mine\" width=\"750.0\"",
    "<rect class=\"mine\" width=\"1000.0\"",
    "<table class=\"sortable rates\">",
    "data-sort=\"number\">pass rate</th>",
    "<tr><td><code>k</code></td><th scope=\"row\">speedup, tiled</th><td class=\"number\">40 "
    "%</td>",
    "<table class=\"sortable findings\">",
    "<td class=\"examples\"><span><a href=\"#s1\">Lovelace, Ada</a> <small>s00000</small></span>",
    "<table class=\"bars histogram\">",
    "<table class=\"sortable ranking\">",
    "<table class=\"sortable pairs\">",
    "<table class=\"sortable ranking\">",
    "<h3 id=\"retried\">",
    "<form class=\"filter\" hidden>\n<label>Search <input type=\"search\" "
    "autocomplete=\"off\"></label>",
    "<select name=\"state\"><option value=\"\">any</option><option>graded</option>",
    "<select name=\"criterion\"><option value=\"\">any</option><option value=\"0\">a compiles",
    "<option value=\"12\">m extra</option>",
    "<select name=\"status\"><option value=\"\">anything</option><option>passed</option>",
    "<p role=\"status\"></p>",
    "<table class=\"sortable students\">",
    "<tr id=\"s1\"><th scope=\"row\">Lovelace, Ada <small>s00000</small></th>",
    "<td class=\"letters\">PPPPPPPP<i>\xC2\xBD</i>PPPP</td><td class=\"causes\">S01 </td>",
    "<td class=\"letters\">PPP<b>E</b>PP<b>FF</b>PP<b>F</b>PP</td>",
    "<td data-v=\"76542\">21 h 15 min",
    "<h2 id=\"grading\">",
};

static void test_what_the_page_says(void **state)
{
    (void)state;
    class_page(&class, &text);
    assert_says_in_order(text.bytes, class_says, COUNT(class_says));
    assert_has_in_order(text.bytes, class_has, COUNT(class_has));
}

static void test_table(void **state)
{
    (void)state;
    class_csv(&class, &text);
    struct csv_table table = read_table();
    assert_int_equal(table.row_count, SMALL);
    assert_int_equal(table.column_count, 22 + 3 * MADE_CRITERIA);
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
    for (size_t i = 0; i < SMALL; i++) {
        rows[i].decision_count = 0;
    }
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
    assert_null(strstr(text.bytes, "Feedback comments"));
    static const struct class_decision comments[] = {{.kind = DECISION_COMMENT, .text = "=well"},
                                                     {.kind = DECISION_COMMENT, .text = "done"}};
    rows[1].decisions = comments;
    rows[1].decision_count = 2;
    text_clear(&text);
    class_moodle(&class, "Lab 6", &text, &counts);
    table = read_table();
    assert_string_equal(cell(&table, 0, "Feedback comments"), "");
    assert_string_equal(cell(&table, 1, "Feedback comments"), "'=well\ndone");
    rows[1].decision_count = 0;
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
    assert_null(strstr(text.bytes, "which are personal data"));
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
    assert_non_null(strstr(text.bytes, "<dt>to review</dt><dd>1</dd>"));
    assert_non_null(strstr(text.bytes, "<a href=\"#review\">To review</a>"));
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
        cmocka_unit_test_setup_teardown(test_what_the_page_says, set_up, tear_down),
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
