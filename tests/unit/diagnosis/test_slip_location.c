/* test_slip_location.c: slips in the source that make a launch go wrong become its place. */
#include "../criteria_fixture.h"
#include "diagnosis/location/slip_location.h"

#include <stdio.h>

#define KERNEL "__global__ void multiply(float *c) {\n"
#define TILE "    __shared__ float s[9]; s[threadIdx.x] = 1; __syncthreads(); }\n"

static struct fixture fixture;
static struct source_file file;

static void set_up(const char *source, enum code code)
{
    fixture_init(&fixture, CRITERION_CORRECT);
    file = (struct source_file){"multiply.cu", source, strlen(source)};
    fixture.input.sources = &file;
    fixture.input.source_count = 1;
    fixture.verdict = (struct verdict){.criterion = &fixture.criterion, .status = STATUS_FAILED};
    fixture.verdict.cause = (struct cause){.code = code, .message = "", .file = "", .hint = ""};
}

/* Line 0: there is no slip. */
static void expect(int line, const char *label, const char *hint)
{
    const struct cause *cause = &fixture.verdict.cause;

    slip_location(&fixture.input, fixture.arena, &fixture.verdict);
    if (cause->line != line) {
        fail_msg("line %d, not %d, in %s", cause->line, line, file.text);
    }
    assert_true(line == 0 || strstr(cause->label, label) != NULL);
    assert_true(line == 0 || strstr(cause->hint, hint) != NULL);
    fixture_free(&fixture);
}

static void slips_are_found(void **state)
{
    static const struct {
        const char *source;
        int line;
        const char *label, *hint;
    } rows[] = {
        {KERNEL "    float s[9];\n    s[threadIdx.x] = 1; __syncthreads(); }\n", 2,
         "`s` is private", "write __shared__"},
        {KERNEL TILE "void f() {\n    multiply<<<9, (8, 8)>>>(c); }\n", 4, "the block is only",
         "dim3(a, b)"},
        {KERNEL TILE "void f() {\n    dim3 g = (8, 8);\n    multiply<<<g, 9>>>(c); }\n", 4,
         "the grid is only", "dim3(a, b)"},
        {KERNEL TILE "void f() {\n    cudaMemset(c, INT_MIN, 9 * sizeof(int));\n"
                     "    multiply<<<9, 9>>>(c); }\n",
         4, "sets each byte", "repeats one byte"},
        {"__global__ void multiply(int width, int height) { }\nvoid f() {\n"
         "    multiply<<<9, 9>>>(height, width); }\n",
         3, "`height` is given for `width`", "in the order of the parameters"},
        {KERNEL TILE "void other() {\n    cudaMemset(c, INT_MIN, 9 * sizeof(int)); }\n", 0, "", ""},
        {"__global__ void unused(float *c) { float s[9]; s[threadIdx.x] = 1; __syncthreads(); "
         "}\n" KERNEL TILE,
         0, "", ""},
        {KERNEL TILE "void f() {\n    multiply<<<9, dim3(8, 8)>>>(c); }\n", 0, "", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up(rows[i].source, CODE_MISMATCH);
        expect(rows[i].line, rows[i].label, rows[i].hint);
        set_up(rows[i].source, CODE_COMPILE_ERROR); /* nothing ran */
        expect(0, "", "");
    }
}

/* What a compiler warns of, in a line of the source. */
static void set_up_warning(const char *source, enum code code, int line, const char *message)
{
    struct program_build *build;

    set_up(source, code);
    build = arena_alloc(fixture.arena, sizeof *build);
    *build = fixture.evidence.builds[0];
    struct tool_message *warning = arena_alloc(fixture.arena, sizeof *warning);
    *warning = (struct tool_message){.file = "multiply.cu", .line = line, .message = message};
    build->messages = warning;
    build->message_count = 1;
    fixture.evidence.builds = build;
}

static void warnings_say_what_is_wrong(void **state)
{
    static const char unset[] = "variable \"x\" is used before its value is set";
    static const char read[] =
        "a __constant__ variable \"N\" cannot be directly read in a host function";
    static const struct {
        const char *source;
        enum code code;
        int line;
        const char *message;
        bool is_found;
        const char *label, *hint;
    } rows[] = {
        {"__device__ float f() {\n    float x, y = 0;\n    while (x < 4) { x += 1; } return x; "
         "}\n" KERNEL "    c[0] = f(); }\n",
         CODE_MISMATCH, 3, unset, true, "`x` has no value", "give `x` a value"},
        {KERNEL
         "    float x;\n    for (int i = 0; i < 9; i++) {\n        x += 1; }\n    c[0] = x; }\n",
         CODE_MISMATCH, 4, unset, true, "`x` has no value", "give `x` a value"},
        /* another round of the loop sets it */
        {KERNEL
         "    float x;\n    for (int i = 0; i < 9; i++) {\n        if (i > 0) { c[i] = x; }\n"
         "        x = 1; } }\n",
         CODE_MISMATCH, 4, unset, false, "", ""},
        /* no kernel of the launch calls it */
        {"__device__ float f() {\n    float x;\n    return x; }\n" KERNEL "    c[0] = 1; }\n",
         CODE_MISMATCH, 3, unset, false, "", ""},
        {"float f() {\n    float x;\n    return x; }\n" KERNEL "    c[0] = 1; }\n", CODE_MISMATCH,
         3, unset, false, "", ""},
        {KERNEL "    float x;\n    c[0] = x; }\n", CODE_SHARED_RACE, 3, unset, false, "", ""},
        {"__constant__ int N;\n" KERNEL "    c[0] = N; }\nvoid f(int n) {\n"
         "    cudaMemcpyToSymbol(N, &n, 4);\n    multiply<<<9, 9, 4 * N>>>(c); }\n",
         CODE_WRONG_BYTE_COUNT, 6, read, true, "`N` is the host's own copy", "such as `n`,"},
        {"__constant__ int N;\n" KERNEL "    c[0] = N; }\nvoid f(int n) {\n    int grid = N;\n"
         "    multiply<<<grid, 9>>>(c); }\n",
         CODE_IMPOSSIBLE_LAUNCH, 5, read, true, "`N` is the host's own copy",
         "host's own variable that"},
        {"__constant__ int N;\n" KERNEL "    c[0] = N; }\nvoid f(int n) {\n    int other = N;\n"
         "    multiply<<<9, 9>>>(c); }\n",
         CODE_WRONG_BYTE_COUNT, 5, read, false, "", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        int line = rows[i].is_found ? rows[i].line : 0;
        set_up_warning(rows[i].source, rows[i].code, rows[i].line, rows[i].message);
        expect(line, rows[i].label, rows[i].hint);
    }
}

static void blocks_of_one_row_are_found(void **state)
{
    static const char flat[] = KERNEL "    c[threadIdx.y] = 1; }\n"
                                      "void f() {\n"
                                      "    multiply<<<9, 64>>>(c); }\n";

    (void)state;
    set_up(flat, CODE_NOT_WRITTEN);
    expect(0, "", "");
    set_up(flat, CODE_NOT_WRITTEN);
    for (size_t i = 0; i < TOY_SHAPES; i++) {
        fixture.observations[i].geometry.block[1] = 1;
    }
    expect(4, "the block has one row", "with rows");
}

static void findings_keep_their_place(void **state)
{
    (void)state;
    set_up(KERNEL TILE "void f() {\n    multiply<<<9, (8, 8)>>>(c); }\n", CODE_SHARED_RACE);
    fixture.finding = (struct finding){.code = CODE_SHARED_RACE, .kernel = "multiply"};
    fixture.verdict.cause.subject =
        (struct subject){.kind = SUBJECT_FINDING, .finding = &fixture.finding};
    fixture.verdict.cause.file = "multiply.cu";
    fixture.verdict.cause.line = 2;
    slip_location(&fixture.input, fixture.arena, &fixture.verdict);
    assert_int_equal(fixture.verdict.cause.line, 2);
    assert_int_equal(fixture.verdict.cause.also_count, 1);
    assert_int_equal(fixture.verdict.cause.also[0].line, 4);
    fixture_free(&fixture);
}

/* An access of the line 1 to 9 bytes that the line 3 allocates. */
static void expect_allocation(const char *size, uint64_t needed_bytes, int line)
{
    char source[200];

    snprintf(source, sizeof source, "%sc[9] = 1; }\nvoid f(int n) {\n    cudaMalloc(&c, %s); }\n",
             KERNEL, size);
    set_up(source, CODE_GLOBAL_OUT_OF_BOUNDS);
    fixture.finding = (struct finding){
        .code = CODE_GLOBAL_OUT_OF_BOUNDS,
        .kernel = "multiply",
        .access_bytes = 4,
        .object_bytes = 9,
        .needed_bytes = needed_bytes,
        .places = {{.role = "write", .file = "multiply.cu", .line = 2},
                   {.role = "allocated", .file = "multiply.cu", .line = 4}},
        .place_count = 2,
    };
    fixture.verdict.cause.subject =
        (struct subject){.kind = SUBJECT_FINDING, .finding = &fixture.finding};
    fixture.verdict.cause.file = "multiply.cu";
    fixture.verdict.cause.line = 2;
    fixture.verdict.cause.label = "";
    expect(line, line == 4 ? "allocates 9 bytes: is sizeof missing?" : "",
           line == 4 ? "counts bytes" : "");
}

static void allocations_of_elements_are_the_place(void **state)
{
    (void)state;
    expect_allocation("n", 36, 4);
    expect_allocation("n", 37, 2); /* 9 elements would not do either */
    expect_allocation("n * sizeof(float)", 36, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slips_are_found),
        cmocka_unit_test(warnings_say_what_is_wrong),
        cmocka_unit_test(blocks_of_one_row_are_found),
        cmocka_unit_test(findings_keep_their_place),
        cmocka_unit_test(allocations_of_elements_are_the_place),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
