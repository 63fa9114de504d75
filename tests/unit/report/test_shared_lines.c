/* test_shared_lines.c: which lines of two sources say the same. */
#include "report/class/shared_lines.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char kernel[] = "__global__ void f(float *a, const float *b, int n)\n"
                             "{\n"
                             "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    if (i < n) {\n"
                             "        a[i] = 2 * b[i] + a[n - i];\n"
                             "    }\n"
                             "}\n";

/* The same with other names, numbers, comments and layout, behind something else. */
static const char copied[] = "int own = 1;\n"
                             "/* mine */\n"
                             "__global__ void scale(float *out, const float *in, int count) {\n"
                             "  int at = blockIdx.x * blockDim.x + threadIdx.x; // mine\n"
                             "  if (at < count)\n"
                             "  {\n"
                             "    out[at] = 3 * in[at]\n"
                             "            + out[count - at];\n"
                             "  }\n"
                             "}\n";

static struct shared_files files_of(const struct source_file *file)
{
    return (struct shared_files){.files = file, .count = 1};
}

static struct source_file file_of(const char *text)
{
    return (struct source_file){.name = "a.cu", .text = text, .length = strlen(text)};
}

/* How many lines of a side are marked. */
static size_t count_marked(const struct shared_lines *shared, size_t side, size_t lines)
{
    size_t marked = 0;

    for (size_t i = 1; i <= lines; i++) {
        marked += shared->lines[side][0][i] > 0;
    }
    return marked;
}

static void find(struct arena *arena, const char *left, const char *right, const char *known,
                 struct shared_lines *out_lines)
{
    struct source_file files[] = {file_of(left), file_of(right), file_of(known)};
    const struct shared_files sides[] = {files_of(&files[0]), files_of(&files[1])};
    const struct shared_files of_all = files_of(&files[2]);

    shared_lines_find(sides, &of_all, arena, out_lines);
}

static void names_and_layout_do_not_matter(void **state)
{
    struct arena *arena = arena_new();
    struct shared_lines shared;

    (void)state;
    find(arena, kernel, copied, "", &shared);
    assert_int_equal(shared.count, 1);
    assert_int_equal(shared.runs[0].places[0].first_line, 1);
    assert_int_equal(shared.runs[0].places[0].last_line, 7);
    assert_int_equal(shared.runs[0].places[1].first_line, 3);
    assert_int_equal(shared.runs[0].places[1].last_line, 10);
    assert_int_equal(count_marked(&shared, 0, 7), 7);
    assert_int_equal(count_marked(&shared, 1, 10), 8);
    arena_free(arena);
}

static void what_everybody_has_is_left_out(void **state)
{
    struct arena *arena = arena_new();
    struct shared_lines shared;

    (void)state;
    find(arena, kernel, copied, kernel, &shared);
    assert_int_equal(shared.count, 0);
    assert_int_equal(count_marked(&shared, 1, 10), 0);
    arena_free(arena);
}

static void names_that_are_used_otherwise_matter(void **state)
{
    struct arena *arena = arena_new();
    struct shared_lines shared;

    (void)state;
    find(arena, "int f(int a, int b, int c) { return a * a + b * b + c * c - a; }\n",
         "int f(int a, int b, int c) { return a * b + c * a + b * c - b; }\n", "", &shared);
    assert_int_equal(shared.count, 0);
    arena_free(arena);
}

/* Text that repeats itself takes no longer than other text: this would be 10^10 steps. */
static void work_is_bounded(void **state)
{
    struct arena *arena = arena_new();
    struct text left, right;
    struct shared_lines shared;

    (void)state;
    text_init(&left);
    text_init(&right);
    for (size_t i = 0; i < 30000; i++) {
        text_append(&left, "a+b;");
        text_append(&right, i % 19 == 0 ? "a-b;" : "a+b;");
    }
    find(arena, left.bytes, right.bytes, "", &shared);
    assert_true(shared.count > 0);
    for (size_t i = 0; i < 30000; i++) {
        text_append(&left, "a+b;");
    }
    find(arena, left.bytes, right.bytes, "", &shared);
    assert_int_equal(shared.count, 0); /* too much to compare */
    assert_null(shared.lines[0][0]);
    assert_non_null(shared.lines[1][0]);
    text_release(&left);
    text_release(&right);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_layout_do_not_matter),
        cmocka_unit_test(what_everybody_has_is_left_out),
        cmocka_unit_test(names_that_are_used_otherwise_matter),
        cmocka_unit_test(work_is_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
