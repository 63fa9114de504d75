/* test_element_origin.c: why an element of an input is never loaded, or loaded from elsewhere. */
#include "../criteria_fixture.h"
#include "diagnosis/location/element_origin.h"

/* The first mark for what a kernel lacks of d_in, with 2 x 3 blocks of 8 x 4; "": there is none. */
static const char *mark_of(struct fixture *fixture, const char *body, struct element_fault lacks)
{
    struct source_file *file = arena_array(fixture->arena, 1, sizeof *file);
    struct program_file *program = arena_array(fixture->arena, 1, sizeof *program);
    const struct program_source source = {program, 1};
    struct cause cause = {.code = CODE_MISMATCH, .file = "a.cu", .line = 1, .lacks = lacks};
    struct index_origin origin = {.mark_count = 0};

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
    element_origin_find(&fixture->input, fixture->arena, 0, &source, program, &cause, &origin);
    return origin.mark_count > 0 ? origin.marks[0].label : "";
}

static void loads(void **state)
{
    const struct element_fault first = {.kind = ELEMENT_NOT_LOADED, .element = 1, .columns = 10};
    const struct element_fault row = {
        .kind = ELEMENT_REPLACED, .element = 1, .other = 41, .columns = 10};
    const struct element_fault flat = {.kind = ELEMENT_NOT_LOADED, .element = 1};
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
        {"const int first = blockIdx.x * 4; for (int i = first + threadIdx.x; i < n; i += 8) {"
         "t = in[i]; }",
         "`first` is 0 in block (0,0), 4 in block (1,0)", flat},
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
