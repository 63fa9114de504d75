/* test_csv.c: tables as RFC 4180 and spreadsheets have them. */
#include "base/csv.h"

#include <setjmp.h>
#include <stdarg.h>
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

static struct csv_table read_text(const char *text)
{
    struct csv_table table = {0};
    struct diagnostic diagnostic = {0};

    if (csv_read(arena, text, strlen(text), "x.csv", &table, &diagnostic) != ERROR_NONE) {
        print_error("%s\n", diagnostic.message);
        fail();
    }
    return table;
}

static void refuse(const char *text, size_t length, int line, int column, const char *part)
{
    struct csv_table table = {.row_count = 77};
    struct diagnostic diagnostic = {0};

    assert_int_equal(csv_read(arena, text, length, "x.csv", &table, &diagnostic), ERROR_SYNTAX);
    assert_int_equal(diagnostic.blame, BLAME_USAGE);
    assert_string_equal(diagnostic.file, "x.csv");
    assert_int_equal(diagnostic.line, line);
    assert_int_equal(diagnostic.column, column);
    assert_non_null(strstr(diagnostic.message, part));
    assert_int_equal(table.row_count, 77);
}

static void test_reads(void **state)
{
    struct csv_table table = read_text("\xEF\xBB\xBF id ,Name,\"E-mail\"\r\n"
                                       "1,\"Doe, Jane\",j@x\r\n"
                                       "\r\n"
                                       "2,\"say \"\"hi\"\"\nthere\"\n"
                                       "3,,,\n"
                                       "\xC3\xA4,b");

    (void)state;
    assert_int_equal(table.column_count, 3);
    assert_string_equal(table.header[0], "id");
    assert_string_equal(table.header[2], "E-mail");
    assert_int_equal(table.row_count, 4);
    assert_string_equal(csv_cell(&table.rows[0], 1), "Doe, Jane");
    assert_string_equal(csv_cell(&table.rows[1], 1), "say \"hi\"\nthere");
    assert_string_equal(csv_cell(&table.rows[1], 2), "");
    assert_int_equal(table.rows[1].line, 4);
    assert_int_equal(table.rows[2].line, 6);
    assert_string_equal(csv_cell(&table.rows[2], 0), "3");
    assert_string_equal(csv_cell(&table.rows[3], 0), "\xC3\xA4");
    assert_string_equal(csv_cell(&table.rows[3], -1), "");
    assert_string_equal(csv_cell(&table.rows[3], 99), "");
}

static void test_separators(void **state)
{
    (void)state;
    struct csv_table table = read_text("id;name, first;x\n1;a,b;2\n");
    assert_int_equal(table.column_count, 3);
    assert_string_equal(csv_cell(&table.rows[0], 1), "a,b");
    table = read_text("id\tname\n1\ta;b\n");
    assert_string_equal(csv_cell(&table.rows[0], 1), "a;b");
    table = read_text("\"a;b;c;d\",e\n1,2\n"); /* those in quotes do not count */
    assert_int_equal(table.column_count, 2);
    table = read_text("id\n7\n");
    assert_int_equal(table.column_count, 1);
    assert_string_equal(csv_cell(&table.rows[0], 0), "7");
}

static void test_columns(void **state)
{
    static const char *const mail[] = {"mail", "E-MAIL", NULL};
    static const char *const preferred[] = {"student id", "id", NULL};
    static const char *const absent[] = {"section", NULL};
    struct csv_table table = read_text("id,e-mail,Student ID\n");

    (void)state;
    assert_int_equal(csv_column(&table, mail), 1);
    assert_int_equal(csv_column(&table, preferred), 2); /* the first name, not the first column */
    assert_int_equal(csv_column(&table, absent), -1);
    assert_int_equal(table.row_count, 0);
}

static void test_refuses(void **state)
{
    (void)state;
    refuse("", 0, 1, 1, "empty");
    refuse("\n\r\n", 3, 3, 1, "empty");
    refuse("a,b\n1,\"x\n2,3\n", 13, 2, 3, "no closing quote");
    refuse("a,b\n1,\"x\"y\n", 11, 2, 6, "after a quoted cell");
    refuse("a,b\n1,2,3\n", 10, 2, 0, "3 cells");
    refuse("a,b\n1,\xFF\n", 8, 2, 3, "UTF-8");
    refuse("a,b\n\0,2\n", 8, 2, 1, "UTF-8");
    refuse("\xFF\xFE"
           "a\0",
           4, 1, 1, "UTF-8"); /* what some spreadsheets save */
}

/* As spreadsheets on a Macintosh may save a table. */
static void test_carriage_returns(void **state)
{
    static const char bytes[] = "id,name\r1,\"a\rb\"\r2,c\r";
    struct csv_table table;

    (void)state;
    assert_int_equal(csv_read(arena, bytes, strlen(bytes), "t.csv", &table, NULL), ERROR_NONE);
    assert_int_equal(table.column_count, 2);
    assert_int_equal(table.row_count, 2);
    assert_string_equal(csv_cell(&table.rows[0], 1), "a\rb");
    assert_string_equal(csv_cell(&table.rows[1], 1), "c");
    assert_int_equal(table.rows[1].line, 3);
}

static void test_writes(void **state)
{
    struct text out;

    (void)state;
    text_init(&out);
    csv_append_text(&out, "");
    csv_append_text(&out, "Doe, \"J\"");
    csv_append_number(&out, 12.5);
    csv_append_number(&out, -0.0000001);
    csv_append_number(&out, 100);
    csv_end_row(&out);
    csv_append_text(&out, "=1+1");
    csv_append_text(&out, "-3.5");
    csv_append_text(&out, "-x");
    csv_append_text(&out, "@a,b");
    csv_append_text(&out, "\tx");
    csv_append_text(&out, "+49 1");
    csv_append_text(&out, "");
    csv_end_row(&out);
    assert_string_equal(out.bytes, "\"\",\"Doe, \"\"J\"\"\",12.5,0,100\r\n"
                                   "'=1+1,-3.5,'-x,\"'@a,b\",\"'\tx\",'+49 1,\r\n");
    /* A spreadsheet that separates by semicolons or tabs does not see these quotes. */
    text_clear(&out);
    csv_append_text(&out, "x");
    csv_append_text(&out, "a;=1+1;b,@c");
    csv_append_text(&out, "a\t-x\n+1; b");
    csv_end_row(&out);
    assert_string_equal(out.bytes, "x,\"a;'=1+1;b,@c\",\"a\t'-x\n'+1; b\"\r\n");
    text_release(&out);
}

/* What is written is read back, whatever is in the cells. */
static void test_round_trip(void **state)
{
    static const char *const cells[] = {"",      " a ",    "x\ny", "\"", "\"\"", "a;b",
                                        "t\tab", "w\r\nz", "1e5",  "ä",  "'",    ",,,"};
    size_t count = sizeof cells / sizeof cells[0];
    struct text out;

    (void)state;
    text_init(&out);
    for (size_t row = 0; row < 3; row++) {
        for (size_t i = 0; i < count; i++) {
            csv_append_text(&out, row == 0 ? "h" : cells[(i + row) % count]);
        }
        csv_end_row(&out);
    }
    struct csv_table table = read_text(out.bytes);
    assert_int_equal(table.column_count, count);
    assert_int_equal(table.row_count, 2);
    for (size_t row = 1; row < 3; row++) {
        for (size_t i = 0; i < count; i++) {
            assert_string_equal(csv_cell(&table.rows[row - 1], (int)i), cells[(i + row) % count]);
        }
    }
    text_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads),
        cmocka_unit_test(test_separators),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_carriage_returns),
        cmocka_unit_test(test_writes),
        cmocka_unit_test(test_round_trip),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
