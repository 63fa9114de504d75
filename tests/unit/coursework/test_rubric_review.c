/* test_rubric_review.c: rubrics that load and are not what one wants, and files that are missing.
 */
#include "coursework/review.h"

#include "base/file.h"
#include "coursework/launch_shape.h"
#include "rubric/rubric_load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* The parts that rows exchange: model, limits, cases, further launches, printouts. */
static const char rubric_text[] =
    "{\"schema\": \"gpugrade/rubric/v1\", \"id\": \"pairs\", \"version\": 1, \"title\": "
    "\"pairs\",\n"
    "\"gpu_model\": \"%s\", \"limits\": { \"device_memory_mb\": %s },\n"
    "\"programs\": [{\"id\": \"p\", \"title\": \"p\", \"sources\": [\"p.cu\", \"q.cu\"], "
    "\"given\": [\"p.h\"], \"harness\": [\"main.cu\"]}],\n"
    "\"parameters\": [{\"name\": \"n\", \"unit\": \"block\"}, {\"name\": \"m\"}],\n"
    "\"cases\": [%s],\n"
    "\"launches\": [{\"id\": \"l\", \"title\": \"l\", \"program\": \"p\", \"kernel\": \"k\", "
    "\"input\": [\"n\"], \"first\": {\"n\": 64, \"m\": 1}, \"blocks\": [16, 32], %s}],\n"
    "\"printouts\": [%s],\n"
    "\"criteria\": [{\"id\": \"c\", \"kind\": \"%s\", \"title\": \"c\", \"points\": 100, "
    "\"launch\": \"l\"}]}\n";

static const char operands[] =
    "\"operands\": [{\"name\": \"x\", \"bind\": {\"argument\": 0}, \"type\": \"f32\", \"shape\": "
    "[\"n\", \"m\"], \"role\": \"input\"}, {\"name\": \"y\", \"bind\": {\"argument\": 1}, "
    "\"type\": "
    "\"f64\", \"shape\": [\"n\"], \"role\": \"output\"}]";

static const char two_cases[] =
    "{\"id\": \"one\", \"n\": 1, \"m\": 2}, {\"id\": \"more\", \"n\": [2, 3], \"m\": 3}";

struct row {
    const char *model, *memory_mb, *cases, *printouts, *kind;
    const char *line; /* "": only ok */
    size_t failed;
};

static const struct row rows[] = {
    {"H200", "64", two_cases, "", "correct", "ok    rubric: 100 points for 1 criteria, 2 cases\n",
     0},
    {"H200", "1",
     "{\"id\": \"one\", \"n\": 1, \"m\": 2}, {\"id\": \"large\", \"n\": 80, \"m\": 102}", "",
     "correct",
     "FAIL  rubric: the operands of the launch 'l' need 1064960 bytes in the case 'large' with a "
     "block width of 32, but device_memory_mb allows only 1048576\n",
     1},
    {"H200", "64", "{\"id\": \"one\", \"n\": [1, 2], \"m\": 7}", "", "correct",
     "note  rubric: 'm' is 7 in every case, so a kernel with that value hard-coded passes\n", 0},
    {"H200", "64", two_cases,
     "{\"id\": \"o\", \"program\": \"p\", \"label\": \"Occupancy:\", \"form\": \"fraction\"}",
     "correct", "note  rubric: no criterion checks the printout 'o'\n", 0},
    {"H200", "64", two_cases, "", "race-free",
     "note  rubric: no criterion checks what the launch 'l' computes\n", 0},
};

static const struct rubric *parse(struct arena *arena, const struct row *row)
{
    const struct rubric *rubric = NULL;
    struct diagnostic diagnostic = {.message = ""};
    char *json = arena_printf(arena, rubric_text, row->model, row->memory_mb, row->cases, operands,
                              row->printouts, row->kind);

    if (rubric_parse(arena, json, strlen(json), "pairs.json", GPUGRADE_SOURCE_DIR, &rubric,
                     &diagnostic) != ERROR_NONE) {
        fail_msg("%d:%d: %s", diagnostic.line, diagnostic.column, diagnostic.message);
    }
    return rubric;
}

static void each_rubric_gets_its_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct arena *arena = arena_new();
        struct text out;
        text_init(&out);
        struct review review = {.arena = arena, .out = &out, .seed = 7};
        review_rubric(&review, parse(arena, &rows[i]));
        if (strstr(out.bytes, rows[i].line) == NULL) {
            fail_msg("expected \"%s\" in \"%s\"", rows[i].line, out.bytes);
        }
        assert_int_equal(review.failed, rows[i].failed);
        assert_int_equal(strstr(out.bytes, "ok    rubric") != NULL, rows[i].failed == 0);
        if (i == 0) {
            assert_null(strstr(out.bytes, "note"));
        }
        text_release(&out);
        arena_free(arena);
    }
}

/* A program with results of so many floats at least; `more` are further criteria. */
static bool is_noted_of_the_host(const char *floats, const char *more)
{
    static const char program[] =
        "{\"schema\": \"gpugrade/rubric/v1\", \"id\": \"lab\", \"version\": 1, \"title\": \"lab\", "
        "\"gpu_model\": \"T4\",\n"
        "\"programs\": [{\"id\": \"p\", \"title\": \"p\", \"sources\": [\"p.cu\"]}],\n"
        "\"parameters\": [{\"name\": \"n\"}], \"cases\": [{\"id\": \"c\", \"n\": [%s, 4000]}],\n"
        "\"launches\": [{\"id\": \"l\", \"title\": \"l\", \"program\": \"p\", \"call\": \"main\", "
        "\"operands\": [{\"name\": \"a\", \"type\": \"f32\", \"shape\": [\"n\"], \"role\": "
        "\"input\", "
        "\"memory\": \"file\"}, {\"name\": \"c\", \"type\": \"f32\", \"shape\": [\"n\"], \"role\": "
        "\"output\"}]}],\n"
        "\"criteria\": [{\"id\": \"c\", \"kind\": \"correct\", \"title\": \"c\", \"points\": 50, "
        "\"launch\": \"l\"}, {\"id\": \"m\", \"title\": \"m\", \"points\": 50, %s}]}\n";
    struct arena *arena = arena_new();
    const char *json = arena_printf(arena, program, floats, more);
    const struct rubric *rubric = NULL;
    struct diagnostic diagnostic = {.message = ""};
    struct text out;

    text_init(&out);
    struct review review = {.arena = arena, .out = &out, .seed = 7};
    if (rubric_parse(arena, json, strlen(json), "lab.json", GPUGRADE_SOURCE_DIR, &rubric,
                     &diagnostic) != ERROR_NONE) {
        fail_msg("%d:%d: %s", diagnostic.line, diagnostic.column, diagnostic.message);
    }
    review_rubric(&review, rubric);
    const bool is_noted = strstr(out.bytes, "note  rubric: the host could compute the result of "
                                            "'l', as each case may have one of 1088 bytes or "
                                            "less") != NULL;
    text_release(&out);
    arena_free(arena);
    return is_noted;
}

static void small_results_of_programs_are_noted(void **state)
{
    static const char manual[] = "\"kind\": \"manual\"";
    static const char count[] =
        "\"kind\": \"count\", \"launch\": \"l\", \"measure\": \"global.loaded_bytes\", "
        "\"at_least\": "
        "\"4 * n\", \"fails_with\": {\"cause\": \"forbidden\", \"title\": \"x\", \"hint\": \"x\"}";

    (void)state;
    assert_true(is_noted_of_the_host("272", manual));
    assert_false(is_noted_of_the_host("273", manual));
    assert_false(is_noted_of_the_host("1", count));
}

static void shapes_are_counted(void **state)
{
    struct arena *arena = arena_new();
    const struct rubric *rubric = parse(arena, &rows[0]);
    const struct drawn_case drawn = {.units = {3, 5}};
    struct launch_shape shape;
    int64_t blocks[1] = {0};

    (void)state;
    assert_int_equal(launch_blocks(rubric, &rubric->launches[0], &drawn, blocks, 1), 1);
    assert_int_equal(blocks[0], 16);
    assert_true(launch_shape_find(rubric, &rubric->launches[0], &drawn, 32, &shape));
    assert_int_equal(shape.parameters[0], 96);
    assert_int_equal(shape.parameters[1], 5);
    assert_int_equal(shape.element_counts[0], 480);
    assert_int_equal(shape.element_counts[1], 96);
    assert_int_equal(shape.bytes, 480 * 4 + 96 * 8);
    const struct drawn_case huge = {.units = {INT64_C(1) << 50, 5}};
    assert_false(launch_shape_find(rubric, &rubric->launches[0], &huge, 32, &shape));
    const struct drawn_case wide = {.units = {INT64_C(1) << 34, INT64_C(1) << 39}};
    assert_false(launch_shape_find(rubric, &rubric->launches[0], &wide, 16, &shape));
    arena_free(arena);
}

static void put(struct arena *arena, const char *root, const char *name)
{
    const char *path = arena_printf(arena, "%s/%s", root, name);
    const char *folder = arena_strndup(arena, path, (size_t)(strrchr(path, '/') - path));

    assert_int_equal(folder_make(folder, 0700, NULL), ERROR_NONE);
    assert_int_equal(file_write_atomic(path, "x", 1, NULL), ERROR_NONE);
}

static void each_missing_file_is_named(void **state)
{
    static const char *const names[] = {
        "reference/oracle.c",
        "reference/main.cu",
        "reference/solution/p.cu",
        "reference/solution/q.cu",
        "template/p.cu",
        "template/q.cu",
        "template/p.h",
    };
    struct arena *arena = arena_new();
    struct rubric rubric = *parse(arena, &rows[0]);
    struct text out;
    char *root = NULL;

    (void)state;
    assert_int_equal(folder_make_temporary(arena, &root, NULL), ERROR_NONE);
    rubric.reference_folder = arena_printf(arena, "%s/reference", root);
    rubric.template_folder = arena_printf(arena, "%s/template", root);
    text_init(&out);
    for (size_t i = 0; i <= sizeof names / sizeof names[0]; i++) {
        struct review review = {.arena = arena, .out = &out};
        text_clear(&out);
        review_files(&review, &rubric);
        assert_int_equal(review.failed, sizeof names / sizeof names[0] - i);
        if (i < sizeof names / sizeof names[0]) {
            assert_non_null(
                strstr(out.bytes, arena_printf(arena, "expected %s/%s\n", root, names[i])));
            put(arena, root, names[i]);
        }
    }
    assert_non_null(strstr(out.bytes, "note  files: the template has no README.md"));
    assert_non_null(strstr(
        out.bytes, "ok    files: 3 in the template, 2 in the reference solution, 2 next to it\n"));
    text_release(&out);
    assert_true(folder_remove(root));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rubric_gets_its_line),
        cmocka_unit_test(small_results_of_programs_are_noted),
        cmocka_unit_test(shapes_are_counted),
        cmocka_unit_test(each_missing_file_is_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
