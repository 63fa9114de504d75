/* test_passed_pointers.c: an index that is loaded, and pointers of one launch that overlap. */
#include "../criteria_fixture.h"
#include "criteria/program_source.h"
#include "diagnosis/location/passed_pointers.h"
#include "diagnosis/location/related_locations.h"

#include <stdio.h>
#include <stdlib.h>

static struct fixture fixture;
static struct source_file file;
static struct finding_values values;

#define LAUNCH                                                                                     \
    "void host(const int *given) {\n"                                                              \
    "    prepare(made, 4);\n"                                                                      \
    "    cudaMemset(made, 0, 4);\n"                                                                \
    "    multiply<<<1, 8>>>(%s, c);\n"                                                             \
    "}\n"

/* A finding in line 2 of the kernel, of thread (3,0), and one of block (1,0) in line 3: `b` is at
 * 8192; `c` at 4096, with 8 elements of 4 bytes. */
static void found(const char *body, const char *passed, enum code code)
{
    fixture_init(&fixture, CRITERION_CORRECT);
    const char *host = arena_printf(fixture.arena, LAUNCH, passed);
    const char *text = arena_printf(
        fixture.arena, "__global__ void multiply(const int *b, int *c) {\n%s\n}\n%s", body, host);
    file = (struct source_file){"multiply.cu", text, strlen(text)};
    fixture.input.sources = &file;
    fixture.input.source_count = 1;
    fixture.verdict = (struct verdict){.criterion = &fixture.criterion, .status = STATUS_FAILED};
    fixture.verdict.cause = (struct cause){
        .code = code, .message = "", .file = "multiply.cu", .line = 2, .hint = "as before"};
    values = (struct finding_values){.grid = {2, 1, 1},
                                     .block = {8, 1, 1},
                                     .known = 3,
                                     .arguments = {8192, 4096},
                                     .address = 4096 + 4 * 300};
    fixture.finding = (struct finding){
        .code = code,
        .kernel = "multiply",
        .message = "",
        .access_bytes = 4,
        .object_bytes = 32,
        .needed_bytes = 4 * 301,
        .values = &values,
        .places = {{"write", "multiply.cu", 2, 1, true, {0, 0, 0}, {3, 0, 0}, NULL, false},
                   {"read", "multiply.cu", 3, 1, true, {1, 0, 0}, {4, 0, 0}, NULL, false}},
        .place_count = code == CODE_GLOBAL_RACE ? 2 : 1,
    };
    fixture.verdict.cause.reason = &fixture.finding;
}

static void expect_hint(const char *hint, size_t marks)
{
    const struct cause *cause = &fixture.verdict.cause;

    related_locations(&fixture.input, fixture.arena, &fixture.verdict);
    assert_string_equal(cause->hint, hint);
    assert_int_equal(cause->also_count, marks);
    fixture_free(&fixture);
}

#define LOADED(body) found(body, "made", CODE_GLOBAL_OUT_OF_BOUNDS)

static void loaded_indices(void **state)
{
    const char *made = "the index is loaded: `b[0]` is 300. Check what was stored in `made`, and "
                       "whether that is the array to pass as `b`";

    (void)state;
    LOADED("c[b[0]] = b[1];");
    related_locations(&fixture.input, fixture.arena, &fixture.verdict);
    assert_int_equal(fixture.verdict.cause.also_count, 2);
    assert_string_equal(fixture.verdict.cause.also[0].label, "`b` is `made` here");
    assert_int_equal(fixture.verdict.cause.also[0].line, 7);
    assert_string_equal(fixture.verdict.cause.also[1].label, "the last use of `made` before");
    assert_int_equal(fixture.verdict.cause.also[1].line, 5);
    fixture_free(&fixture);
    LOADED("const int p = b[0]; if (p >= 0)\nc[p] = 1;"); /* in line 2 nothing is stored */
    expect_hint("as before", 0);
    LOADED("const int p = b[0]; c[p] = 1;");
    expect_hint(made, 2);
    found("c[b[0]] = 1;", "given", CODE_GLOBAL_OUT_OF_BOUNDS);
    expect_hint("the index is loaded: `b[0]` is 300. Check how an index follows from the values of "
                "`given`",
                1);
    found("c[b[0]] = 1;", "made + 1", CODE_GLOBAL_OUT_OF_BOUNDS);
    expect_hint("the index is loaded: `b[0]` is 300. Check what was stored there", 0);
}

static void indices_that_are_not_loaded(void **state)
{
    (void)state;
    LOADED("c[b[0] + 1] = 1;"); /* the value is not that of b[0] */
    expect_hint("as before", 0);
    LOADED("c[threadIdx.x] = 1;");
    expect_hint("as before", 0);
    LOADED("b++; c[b[0]] = 1;"); /* b is not what the launch passes */
    expect_hint("as before", 0);
    LOADED("c[b[0]] = 1; c[b[1]] = 2;"); /* which one? */
    expect_hint("as before", 0);
    LOADED("c[b[0]].x = 1;"); /* an element has several members */
    expect_hint("as before", 0);
    LOADED("c[b[0]] = 1;");
    fixture.finding.access_bytes = 2; /* likewise */
    expect_hint("as before", 0);
    LOADED("c[b[0]] = 1;");
    values.known = 1;
    expect_hint("as before", 0);
    LOADED("c[b[0]] = 1;");
    values.arguments[1] = 1 << 20; /* another array */
    expect_hint("as before", 0);
}

static void pointers_that_overlap(void **state)
{
    static const char body[] = "c[0] = 1;\nint i = b[1];";

    (void)state;
    found(body, "made", CODE_GLOBAL_RACE);
    values.arguments[0] = 4096 - 8;
    expect_hint("`c` starts 8 bytes after `b` in this launch, and both get to the same element. "
                "Check how host code computes the pointers that it passes, and how far the index "
                "of `b` goes",
                0);
    found(body, "made", CODE_GLOBAL_RACE);
    values.arguments[0] = 4096;
    related_locations(&fixture.input, fixture.arena, &fixture.verdict);
    assert_non_null(strstr(fixture.verdict.cause.hint, "are the same array in this launch"));
    fixture_free(&fixture);
    found("c[0] = 1;\nint i = c[1];", "made", CODE_GLOBAL_RACE);
    expect_hint("as before", 0);
    found("c[0] = 1;\nint i = b[1] + c[1];", "made", CODE_GLOBAL_RACE); /* which one? */
    expect_hint("as before", 0);
    found(body, "made", CODE_GLOBAL_RACE);
    fixture.finding.places[1].actor = "`other` in stream 1";
    expect_hint("as before", 0);
}

/* What is said of the launches of `step` in a loop with that body; NULL: nothing. */
static const char *repeated(const char *kernel, const char *loop)
{
    struct program_source source;
    struct file_token at;
    const char *label;

    found("", "made", CODE_MISMATCH);
    const char *text = arena_printf(fixture.arena,
                                    "__global__ void step(const float *from, float *to, int n) {\n"
                                    "%s }\n"
                                    "void host(float *a, float *b, int n, int steps) {\n"
                                    "float *from = a; float *to = b;\n%s\n"
                                    "finish(from, to); }\n",
                                    kernel, loop);
    file = (struct source_file){"multiply.cu", text, strlen(text)};
    program_source_read(&fixture.input, fixture.arena, 0, &source);
    const char *seen =
        find_repeated_launch(fixture.arena, &source, "step", &at, &label) ? label : NULL;
    seen = seen != NULL ? strdup(seen) : NULL;
    fixture_free(&fixture);
    return seen;
}

static void expect_repeated(bool is_repeated, const char *kernel, const char *loop)
{
    char *seen = (char *)(uintptr_t)repeated(kernel, loop);

    if (is_repeated) {
        assert_non_null(seen);
        assert_string_equal(seen, "all rounds read `from` and write `to`");
    } else {
        assert_null(seen);
    }
    free(seen);
}

static void launches_that_are_repeated(void **state)
{
    static const char kernel[] = "to[threadIdx.x] = 2 * from[threadIdx.x];";
#define LOOP(body) "for (int i = 0; i < steps; i++) { " body " }"
    static const char plain[] = LOOP("step<<<1, 8>>>(from, to, n);");

    (void)state;
    expect_repeated(true, kernel, plain);
    expect_repeated(true, kernel, LOOP("step<<<1, 8>>>(from, to, n); std::swap(a, b);"));
    expect_repeated(false, kernel, "step<<<1, 8>>>(from, to, n);");
    expect_repeated(false, kernel, LOOP("step<<<1, 8>>>(from, to, n); std::swap(from, to);"));
    expect_repeated(false, kernel, LOOP("step<<<1, 8>>>(from, to, i);"));
    expect_repeated(false, kernel, LOOP("step<<<1, 8>>>(from, to, n--);"));
    expect_repeated(false, kernel, LOOP("step<<<1, 8>>>(from, to, global);"));
    expect_repeated(false, kernel, LOOP("step<<<1, 8>>>(from, from, n);"));
    expect_repeated(false, kernel, LOOP("copy(to, from); step<<<1, 8>>>(from, to, n);"));
    expect_repeated(false, kernel,
                    "float *&other = from;" LOOP("step<<<1, 8>>>(from, to, n); swap(other, b);"));
    expect_repeated(false, "to[threadIdx.x] += from[threadIdx.x];", plain);
    expect_repeated(false, "add(to, from[threadIdx.x]);", plain);
    expect_repeated(false, "to[0] = to[1] + from[0];", plain);
#undef LOOP
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loaded_indices),
        cmocka_unit_test(indices_that_are_not_loaded),
        cmocka_unit_test(pointers_that_overlap),
        cmocka_unit_test(launches_that_are_repeated),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
