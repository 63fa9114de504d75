/* test_source_access.c: which part of a line may read or write a variable. */
#include "diagnosis/grouping/source_access.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

struct row {
    const char *text;
    int column;
    enum source_access access;
    const char *covered; /* of `s`; NULL: no such access */
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct source_file source = {
            .name = "a.cu", .text = rows[i].text, .length = strlen(rows[i].text)};
        int column = 0;
        int end = 0;
        bool found =
            source_find_access(&source, 1, rows[i].column, "s", rows[i].access, &column, &end);
        if (found != (rows[i].covered != NULL)) {
            fail_msg("%s: %d", rows[i].text, found);
        }
        if (found && ((size_t)(end - column) != strlen(rows[i].covered) ||
                      memcmp(rows[i].text + column - 1, rows[i].covered, end - column) != 0)) {
            fail_msg("%s: %.*s", rows[i].text, end - column, rows[i].text + column - 1);
        }
    }
}

static void finds_the_only_access(void **state)
{
    static const struct row rows[] = {
        {"v = s[t + 1];", 1, SOURCE_READ, "s[t + 1]"},
        {"s[t] = s[t + 1];", 1, SOURCE_READ, "s[t + 1]"},
        {"s[t] = s[t + 1];", 1, SOURCE_WRITE, "s[t]"},
        {"s[t] += s[t + 1];", 1, SOURCE_WRITE, "s[t]"},
        {"if (s[t] < s[k]) s[t] = s[k];", 1, SOURCE_WRITE, "s[t]"},
        {"s[s[t]] = 1;", 1, SOURCE_WRITE, "s[s[t]]"},
        {"s[bin]++;", 1, SOURCE_WRITE, "s[bin]"},
        {"s[bin]++;", 1, SOURCE_READ, "s[bin]"},
        {"--s[bin];", 1, SOURCE_WRITE, "s[bin]"},
        {"s[t] <<= 2;", 1, SOURCE_WRITE, "s[t]"},
        {"s[y][x].re = v;", 1, SOURCE_WRITE, "s[y][x].re"},
        {"p->s = 1; s[t]->v = 2;", 9, SOURCE_WRITE, "s[t]->v"},
        {"*s = v;", 1, SOURCE_WRITE, "s"},
        {"while (s[t] <= v) {", 1, SOURCE_READ, "s[t]"},
        {"old = atomicAdd(&s[0], 1);", 1, SOURCE_READ, "s[0]"},
        {"atomicAdd(&s[0], 1);", 1, SOURCE_WRITE, "s[0]"},
        {"v = s[t]; // s[t + 1] later", 1, SOURCE_READ, "s[t]"},
        {"v = s[t] /* not s[0] */;", 1, SOURCE_READ, "s[t]"},
        {"use(\"s[%d] s\", '\\'', s[t]);", 1, SOURCE_READ, "s[t]"},
        {"ss = s_s + s[t];", 1, SOURCE_READ, "s[t]"},
        {"s[0] = s[1] + s[2];", 12, SOURCE_READ, "s[2]"},
        {"v = s[t] +\n    r[t]; s[1] = 2;", 1, SOURCE_READ, "s[t]"},
        {"if (s[t] > 1)\n    s[t + 1] = s[t];", 1, SOURCE_READ, "s[t]"},
        {"v = s[t]", 0, SOURCE_READ, "s[t]"},
        {"v = s[t", 1, SOURCE_READ, "s[t"},
        {"s[t + 1] = c ?\n    v : 0;", 3, SOURCE_WRITE, "s[t + 1]"},
        {"p[t] = 1; s[t] = 2;", 16, SOURCE_WRITE, "s[t]"}, /* clang's column is that of the sign */
        {"s[t] = 1; s[k] = 2;", 16, SOURCE_WRITE, "s[k]"},
        {"p[t] = s[t];", 6, SOURCE_WRITE, "p[t]"}, /* `p` may point to `s` */
        {"s[t] += s[k];", 6, SOURCE_WRITE, "s[t]"},
    };
    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

/* A wrong one would send its reader to the wrong index. */
static void covers_all_that_it_may_be(void **state)
{
    static const struct row rows[] = {
        {"v = s[y - 1][x] + s[y + 1][x] - 4;", 1, SOURCE_READ, "s[y - 1][x] + s[y + 1][x]"},
        {"s[t] += s[t + k];", 1, SOURCE_READ, "s[t] += s[t + k]"},
        {"if (s[t] < s[k]) s[t] = s[k];", 1, SOURCE_READ, "s[t] < s[k]) s[t] = s[k]"},
        {" s[l] = 0; if (t < 3) { s[l - 3] = v; }", 2, SOURCE_WRITE,
         "s[l] = 0; if (t < 3) { s[l - 3]"},
        {"0.25f * (s[0] + s[1]);", 1, SOURCE_READ, "s[0] + s[1]"},
        {"swap(s[t], s[k]);", 1, SOURCE_WRITE, "s[t], s[k]"},
        {"v = s[0] +\n    s[1];", 1, SOURCE_READ, "v = s[0] +"},
        {"v = f(s[0], // first\n    r[0],\n    s[1]);", 1, SOURCE_READ, "v = f(s[0],"},
        {"s[t] = s[t - 1];", 1, SOURCE_ANY, "s[t] = s[t - 1]"},
    };
    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void finds_none(void **state)
{
    static const struct row rows[] = {
        {"s[t] = p[t];", 1, SOURCE_READ, NULL}, /* `p` may point to `s` */
        {"p[t] = s[t];", 1, SOURCE_WRITE, NULL},
        {"p[t] += s[t];", 1, SOURCE_WRITE, NULL},
        {"v = s[t] ? a : b;", 12, SOURCE_READ, NULL},
        {"v = s[t] + a;", 10, SOURCE_READ, NULL},
        {"if (s[t] == 2) v;", 10, SOURCE_WRITE, NULL},
        {"v = a + b; // s", 1, SOURCE_READ, NULL},
        {"", 1, SOURCE_READ, NULL},
        {"s", 9, SOURCE_READ, NULL},
    };
    (void)state;
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

/* A line that no hand wrote takes no time. */
static void bounds_what_it_looks_at(void **state)
{
    static char text[1 << 20];
    const struct source_file source = {.name = "a.cu", .text = text, .length = sizeof text};
    int column = 0;
    int end = 0;

    (void)state;
    for (size_t i = 0; i < sizeof text; i++) {
        text[i] = i % 2 == 0 ? 's' : '[';
    }
    assert_false(source_find_access(&source, 1, 1, "s", SOURCE_READ, &column, &end));
    for (size_t i = 0; i < sizeof text; i++) {
        text[i] = i == 4 ? 's' : i % 8 == 7 ? '\n' : '+';
    }
    assert_true(source_find_access(&source, 1, 1, "s", SOURCE_READ, &column, &end));
    assert_int_equal(column, 5);
}

static void knows_where_statements_end(void **state)
{
    static const char *const lines[] = {"{ a = b; c = d", "a = b", "x[1]", ""};
    static const char text[] = "{ a = b; c = d; } // e\na = b;\nx[1] /* f */\n;\n";
    const struct source_file source = {.name = "a.cu", .text = text, .length = sizeof text - 1};

    (void)state;
    for (int i = 0; i < 4; i++) {
        int expected = lines[i][0] == '\0' ? 0 : (int)strlen(lines[i]) + 1;
        assert_int_equal(source_statements_end(&source, i + 1), expected);
    }
    assert_int_equal(source_statements_end(&source, 9), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_only_access),
        cmocka_unit_test(covers_all_that_it_may_be),
        cmocka_unit_test(finds_none),
        cmocka_unit_test(bounds_what_it_looks_at),
        cmocka_unit_test(knows_where_statements_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
