/* test_element_origin.c: why an element of an input is never loaded, or loaded from elsewhere. */
#include "../criteria_fixture.h"
#include "diagnosis/location/element_origin.h"

/* Finds out why a kernel lacks something of d_in, with 2 x 3 blocks of 8 x 4. */
static void origin_of(struct fixture *fixture, const char *body, struct element_fault lacks,
                      struct index_origin *out_origin)
{
    struct source_file *file = arena_array(fixture->arena, 1, sizeof *file);
    struct program_file *program = arena_array(fixture->arena, 1, sizeof *program);
    const struct program_source source = {program, 1};
    struct cause cause = {.code = CODE_MISMATCH, .file = "a.cu", .line = 1, .lacks = lacks};

    *out_origin = (struct index_origin){.mark_count = 0};
    file->name = "a.cu";
    file->text =
        arena_printf(fixture->arena,
                     "template <int R> __global__ void multiply(const float *in, float *y, "
                     "int n) { %s }",
                     body);
    file->length = strlen(file->text);
    source_tokens_read(fixture->arena, file, &program->tokens);
    source_functions_read(fixture->arena, &program->tokens, &program->functions);
    cause.lacks.operand = "d_in";
    cause.lacks.name = "d_in(0,1)";
    cause.lacks.kernel = "_Z8multiplyILi2EEvPKfPfi";
    memcpy(cause.lacks.grid, (uint32_t[]){2, 3, 1}, sizeof cause.lacks.grid);
    memcpy(cause.lacks.block, (uint32_t[]){8, 4, 1}, sizeof cause.lacks.block);
    element_origin_find(&fixture->input, fixture->arena, 0, &source, program, &cause, out_origin);
}

/* The label of the first mark; "": there is none. */
static const char *mark_of(struct fixture *fixture, const char *body, struct element_fault lacks)
{
    struct index_origin origin;

    origin_of(fixture, body, lacks, &origin);
    return origin.mark_count > 0 ? origin.marks[0].label : "";
}

static void loads(void **state)
{
    const struct element_fault first = {.kind = ELEMENT_NOT_LOADED, .element = 1, .columns = 10};
    const struct element_fault row = {
        .kind = ELEMENT_REPLACED, .element = 1, .other = 41, .columns = 10};
    const struct element_fault flat = {.kind = ELEMENT_NOT_LOADED, .element = 12};
    const struct {
        const char *body, *expected;
        struct element_fault lacks;
    } rows[] = {
        {"for (int i = 0; i < n; i++) { const int y = i, x = i;"
         "t = y > 0 && x < n ? in[y * n + x] : 0; }",
         "`y > 0` is false for `y` = 0: d_in(0,1) is left out", first},
        {"for (int i = 0; i < n; i++) { const int y = i, x = i; const bool b = y >= 0 && x > 1;"
         "if (b) { t = in[y * n + x]; } }",
         "`x > 1` is false for `x` = 1: d_in(0,1) is left out", first},
        {"for (int i = 0; i < n; i++) { const int y = i, x = i; if (x == 1) continue;"
         "t = in[y * n + x]; }",
         "`x == 1` is true for `x` = 1: d_in(0,1) is left out", first},
        {"for (int i = 0; i < n; i++) { const int y = i, x = i; if (y >= 0 && x < n) {"
         "t = in[y * n + x]; } }",
         "", first},
        {"for (int i = 0; i < n; i++) { const int y = i, x = i; if (y > 0 || n) {"
         "t = in[y * n + x]; } }",
         "", first},
        {"const int top = blockIdx.y * 4 - R, x = threadIdx.x;"
         "for (int i = 0; i < n; i++) { const int y = top + i; t = in[y * n + x]; }",
         "`top` is -2 in block (0,0), 2 in block (0,1)", row},
        {"const int top = g(n), x = threadIdx.x;"
         "for (int i = 0; i < n; i++) { const int y = top + i; t = in[y * n + x]; }",
         "", row},
        {"const int first = blockIdx.x * 4; for (int i = first + threadIdx.x; i < n; i += 64) {"
         "t = in[i]; }",
         "`first` is 0 in block (0,0), 4 in block (1,0)", flat},
        {"const int first = blockIdx.x * 4; for (int i = first + threadIdx.x; i < n; i += 4) {"
         "t = in[i]; }",
         "`i < n` is false for `i` = 12: the loop ends", flat},
        {"for (int i = threadIdx.x; i < n; ++i) { t = in[i]; }",
         "`i < n` is false for `i` = 12: the loop ends", flat},
        {"for (int i = threadIdx.x; i < n; i += 16) { t = in[i]; }", "", flat},
        {"for (int i = threadIdx.x; i < n; i += g(n)) { t = in[i]; }", "", flat},
        {"for (int i = threadIdx.x; i < n; i++) { if (i == n - 1) break; t = in[i]; }", "", flat},
        {"for (int i = threadIdx.x; i < n; i++) { if (g(i)) { t = in[i]; } }", "", flat},
        {"for (int i = threadIdx.x; i < n; i++) { t = in[i]; }",
         "",
         {.kind = ELEMENT_NOT_LOADED, .element = 0}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fixture fixture;
        fixture_init(&fixture, CRITERION_CORRECT);
        const char *label = mark_of(&fixture, rows[i].body,
                                    (struct element_fault){.kind = rows[i].lacks.kind,
                                                           .element = rows[i].lacks.element,
                                                           .other = rows[i].lacks.other,
                                                           .columns = rows[i].lacks.columns,
                                                           .file = "a.cu",
                                                           .line = 1});
        assert_string_equal(label, rows[i].expected);
        fixture_free(&fixture);
    }
}

/* The bound that a loop ends at has a mark of its own, and the marks give the hint. */
static void loop_end(void **state)
{
    const struct element_fault lacks = {
        .kind = ELEMENT_NOT_LOADED, .element = 12, .file = "a.cu", .line = 1};
    struct fixture fixture;
    struct index_origin origin;

    (void)state;
    fixture_init(&fixture, CRITERION_CORRECT);
    origin_of(&fixture,
              "const int end = min(100, n - 1); for (int i = blockIdx.x * 8 + threadIdx.x; "
              "i <= end; i += 8) { t = in[i]; }",
              lacks, &origin);
    assert_int_equal(origin.mark_count, 2);
    assert_string_equal(origin.marks[0].label, "`i <= end` is false for `i` = 12: the loop ends");
    assert_string_equal(origin.marks[1].label, "`end` is at most 11 in block (0,0)");
    assert_string_equal(origin.hint, "the loop in thread (4,0) of block (0,0) ends before `i` is "
                                     "12: check its bound");
    fixture_free(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads), cmocka_unit_test(loop_end)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
