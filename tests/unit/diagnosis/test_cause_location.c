/* test_cause_location.c: where in a source a cause without a line is.
 *
 * Each row is a source in which @ stands before the token that must be found; without it nothing
 * may be found.
 */
#include "../criteria_fixture.h"
#include "criteria/results/wrong_result.h"
#include "diagnosis/location/cause_location.h"

#include <stdio.h>
#include <stdlib.h>

#define KERNEL "__global__ void multiply(const float *a, float *c) { c[0] = a[0]; }\n"

struct row {
    enum code code;
    const char *source;
    const char *label; /* what the label holds */
};

/* Takes the mark out; returns false if there is none. */
static bool take_mark(char *source, int *out_line, int *out_column)
{
    char *mark = strchr(source, '@');

    *out_line = 0;
    *out_column = 0;
    if (mark == NULL) {
        return false;
    }
    *out_line = 1;
    *out_column = 1;
    for (const char *at = source; at < mark; at++) {
        *out_column = *at == '\n' ? 1 : *out_column + 1;
        *out_line += *at == '\n' ? 1 : 0;
    }
    memmove(mark, mark + 1, strlen(mark));
    return true;
}

static struct fixture fixture;
static struct source_file files[2];

static struct subject subject;

static void set_up(const char *source)
{
    subject = (struct subject){.kind = SUBJECT_NONE};
    fixture_init(&fixture, CRITERION_CORRECT);
    files[0] = (struct source_file){"multiply.cu", source, strlen(source)};
    fixture.input.sources = files;
    fixture.input.source_count = 1;
    fixture.criterion.has_printout = false;
    fixture.criterion.has_bytes_printout = false;
}

static void fail_with(enum code code, const char *message)
{
    fixture.verdict = (struct verdict){.criterion = &fixture.criterion, .status = STATUS_FAILED};
    fixture.verdict.cause =
        (struct cause){.code = code, .message = message, .file = "", .subject = subject};
    cause_location(&fixture.input, fixture.arena, &fixture.verdict);
}

static void expect_place(const char *file, int line, int column, const char *label)
{
    const struct cause *cause = &fixture.verdict.cause;

    if (cause->line != line || cause->column != column) {
        fail_msg("found %d:%d (%s), expected %d:%d", cause->line, cause->column,
                 cause->label == NULL ? "" : cause->label, line, column);
    }
    assert_string_equal(cause->file, line > 0 ? file : "");
    assert_true(line > 0 || cause->label == NULL);
    if (line > 0) {
        assert_non_null(cause->label);
        assert_non_null(strstr(cause->label, label));
    }
    fixture_free(&fixture);
}

/* `prepare` changes the fixture before the cause is placed; or NULL. */
static void check_rows(const struct row *rows, size_t count, const char *message,
                       void (*prepare)(void))
{
    for (size_t i = 0; i < count; i++) {
        char *source = strdup(rows[i].source);
        int line, column;
        bool is_found = take_mark(source, &line, &column);
        set_up(source);
        if (prepare != NULL) {
            prepare();
        }
        fail_with(rows[i].code, message);
        if ((fixture.verdict.cause.line > 0) != is_found) {
            print_message("row %zu: %s\n", i, rows[i].source);
        }
        expect_place("multiply.cu", line, column, rows[i].label);
        free(source);
    }
}

#define CHECK(rows, message, prepare)                                                              \
    check_rows(rows, sizeof rows / sizeof rows[0], message, prepare)

static void launches(void **state)
{
    static const struct row rows[] = {
        {CODE_BAD_OPERAND, KERNEL "void f() { @multiply<<<1, 2>>>(0, 0); }", "is launched here"},
        {CODE_BAD_OPERAND, KERNEL "void f() { ns::@multiply<3, a<4>><<<1, 2>>>(0, 0); }", ""},
        {CODE_BAD_OPERAND, KERNEL "void f() { @cudaLaunchKernel((void *)multiply, 1, 2, p); }", ""},
        {CODE_BAD_OPERAND,
         KERNEL "/* multiply<<<1, 2>>> */ // multiply<<<1, 2>>>()\n"
                "const char *s = \"multiply<<<1, 2>>>()\";\n"
                "const char *r = R\"x(multiply<<<1,2>>>()\")\" \n)x\";\n"
                "void f() { @multiply<<<1, 2>>>(0, 0); }",
         ""},
        {CODE_BAD_OPERAND,
         KERNEL "#if 0\nvoid g() { multiply<<<1, 2>>>(0, 0); }\n#else\n"
                "void f() { @multiply<<<1, 2>>>(0, 0); }\n#endif\n",
         ""},
        {CODE_BAD_OPERAND,
         KERNEL "#if 1\nvoid f() { @multiply<<<1, 2>>>(0, 0); }\n#else\n"
                "void g() { multiply<<<1, 2>>>(0, 0); }\n#endif\n",
         ""},
        /* either one may be the one */
        {CODE_BAD_OPERAND,
         KERNEL "#ifdef X\nvoid f() { multiply<<<1, 2>>>(0, 0); }\n#else\n"
                "void g() { multiply<<<1, 2>>>(0, 0); }\n#endif\n",
         ""},
        {CODE_BAD_OPERAND, KERNEL "void f() { multiply<<<1, 2>>>(0, 0); multiply<<<1, 2>>>(); }",
         ""},
        {CODE_BAD_OPERAND, KERNEL "#define multiply other\nvoid f() { multiply<<<1, 2>>>(0, 0); }",
         ""},
        {CODE_BAD_OPERAND, KERNEL "#define GO multiply<<<1, 2>>>(0, 0)\nvoid f() { GO; }", ""},
        {CODE_BAD_OPERAND, KERNEL "void f() { multiply_all<<<1, 2>>>(0, 0); }", ""},
        {CODE_LAUNCHED_TWICE,
         KERNEL "void f() { multiply<<<1, 2>>>(0, 0);\n @multiply<<<1, 2>>>(0, 0); }", "again"},
        {CODE_LAUNCHED_TWICE, KERNEL "void f() { for (;;) @multiply<<<1, 2>>>(0, 0); }", "here"},
    };

    (void)state;
    CHECK(rows, "", NULL);
}

static void launch_arguments(void **state)
{
    static const struct row rows[] = {
        {CODE_WRONG_BLOCK, "void f() { dim3 @t(4, 4); multiply<<<g, t>>>(0); }", "block"},
        {CODE_WRONG_BLOCK, "void f() { const dim3 b{1}, g(2); multiply<<<g, @dim3(4, 4)>>>(0); }",
         ""},
        {CODE_WRONG_BLOCK, "void f() { dim3 t(4, 4); t.x = 5; multiply<<<1, @t>>>(0); }", ""},
        {CODE_WRONG_BLOCK, "void f() { dim3 t(4, 4); t = h(); multiply<<<1, @t>>>(0); }", ""},
        {CODE_WRONG_BLOCK, "void f() { dim3 t(4, 4); h(&t); multiply<<<1, @t>>>(0); }", ""},
        {CODE_WRONG_BLOCK, "void f(dim3 t) { multiply<<<1, @t>>>(0); } void g() { dim3 t(3); }",
         ""},
        {CODE_WRONG_BLOCK, "void f() { if (x) { dim3 t(1); } dim3 t(2); multiply<<<1, @t>>>(); }",
         ""},
        {CODE_WRONG_BYTE_COUNT, "void f() { multiply<<<1, 2, @2 * h(3)>>>(0); }", "bytes"},
        {CODE_WRONG_BYTE_COUNT, "void f() { int @n = 7; multiply<<<1, 2, n, s>>>(0); }", "bytes"},
        {CODE_WRONG_BYTE_COUNT, "void f() { @multiply<<<1, 2>>>(0); }", "is launched here"},
        {CODE_WRONG_BYTE_COUNT, "void f() { cudaLaunchKernel(multiply, 1, 2, p, @64, 0); }", ""},
    };

    (void)state;
    CHECK(rows, "", NULL);
}

static void refuse_grid(void)
{
    fixture.call_error = (struct call_error){.call = "launch of `multiply`",
                                             .is_launch = true,
                                             .kernel = "multiply",
                                             .message = "a grid of 0x1x1 blocks; each dimension "
                                                        "must be at least 1"};
    fixture.run.activity.call_error_count = 1;
}

static void an_empty_grid_has_a_hint(void **state)
{
    static const char *const rows[][2] = {
        {KERNEL "void f() { multiply<<<n / B, 2>>>(0, 0); }", "`(n + B - 1) / B`"},
        {KERNEL "void f() { int b = n / 64; multiply<<<b, 2>>>(0, 0); }", "`(n + 64 - 1) / 64`"},
        {KERNEL "void f() { multiply<<<n, 2>>>(0, 0); }", "as before"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up(rows[i][0]);
        refuse_grid();
        fixture.verdict = (struct verdict){.criterion = &fixture.criterion};
        fixture.verdict.cause = (struct cause){
            .code = CODE_IMPOSSIBLE_LAUNCH, .message = "", .file = "", .hint = "as before"};
        cause_location(&fixture.input, fixture.arena, &fixture.verdict);
        assert_non_null(strstr(fixture.verdict.cause.hint, rows[i][1]));
        fixture_free(&fixture);
    }
}

/* What runs before the kernel of the criterion, whose name is then unknown. */
static void refuse_another(void)
{
    refuse_grid();
    fixture.call_error.kernel = "naive";
    fixture.launch.is_pattern = true;
    fixture.launch.kernel = "*";
}

static void refuse_bytes_of_another(void)
{
    refuse_another();
    fixture.call_error.message = "65536 bytes of shared memory";
}

static void refused_launches(void **state)
{
    static const struct row told[] = {
        {CODE_IMPOSSIBLE_LAUNCH, "void f() { dim3 @g(h()); multiply<<<g, b>>>(0); }", "grid"},
    };
    static const struct row untold[] = {
        {CODE_IMPOSSIBLE_LAUNCH, "void f() { dim3 g(h()); @multiply<<<g, b>>>(0); }", "here"},
    };

    static const struct row others[] = {
        {CODE_IMPOSSIBLE_LAUNCH, "void f() { naive<<<@4, b>>>(0); multiply<<<g, b>>>(0); }",
         "grid"},
        {CODE_IMPOSSIBLE_LAUNCH, "void f() { multiply<<<g, b>>>(0); }", ""},
        {CODE_IMPOSSIBLE_LAUNCH, "void f() { naive<<<4, b>>>(0); naive<<<g, b>>>(0); }", ""},
    };
    static const struct row bytes[] = {
        {CODE_IMPOSSIBLE_LAUNCH, "void f() { @naive<<<4, b>>>(0); multiply<<<g, b>>>(0); }",
         "`naive` is launched here"},
    };

    (void)state;
    CHECK(told, "", refuse_grid);
    CHECK(untold, "", NULL);
    CHECK(others, "", refuse_another);
    CHECK(bytes, "", refuse_bytes_of_another);
}

static void missing_launches(void **state)
{
    static const struct row rows[] = {
        {CODE_NEVER_LAUNCHED, KERNEL "void f() { dim3 t(1);\n dim3 @g(2); (void)g; }", "no launch"},
        {CODE_NEVER_LAUNCHED, "__global__ void @multiply() {}\nvoid f() { h(); }", "defined here"},
        {CODE_NEVER_LAUNCHED,
         "__global__ void @multiply() {}\nvoid f() { dim3 a; }\n"
         "void g() { dim3 b; }",
         "defined here"},
        {CODE_NEVER_LAUNCHED, KERNEL "void f() { if (x) @multiply<<<1, 2>>>(0); }", "only launch"},
        {CODE_NEVER_LAUNCHED,
         "__global__ void init() {}\n__global__ void @multipyl(int) {}\n"
         "void f() { dim3 g(2); multipyl<<<g, 2>>>(0); }",
         "did you mean `multiply`?"},
        {CODE_NEVER_LAUNCHED,
         "__global__ void add() {}\nvoid f() { dim3 @g(2); add<<<g, 2>>>(0); }",
         "no launch of `multiply`"},
        {CODE_NO_LAUNCH_YET,
         "template <int N>\n__global__ void __launch_bounds__(256) @multiply"
         "(float *c) {}\n",
         "empty"},
        {CODE_NO_LAUNCH_YET, "__global__ void multiply(float *c);\n", ""},
        {CODE_NO_LAUNCH_YET, "__global__ void multiply(int) {}\n__global__ void multiply(float) {}",
         ""},
        {CODE_NO_LAUNCH_YET, "void f() { if (x) { }\n__global__ void multiply(int) {}\n", ""},
    };

    (void)state;
    CHECK(rows, "", NULL);
}

/* What another process launches is told only where one is started. */
static void launches_in_a_child(void **state)
{
    (void)state;
    set_up(KERNEL "void f() { if (fork() == 0) { multiply<<<1, 2>>>(0, 0); } }");
    fail_with(CODE_NEVER_LAUNCHED, "");
    assert_non_null(strstr(fixture.verdict.cause.hint, "a child of fork()"));
    expect_place("multiply.cu", 2, 31, "the only launch");
    set_up(KERNEL "void f() { if (a.forks == 0) { multiply<<<1, 2>>>(0, 0); } }");
    fail_with(CODE_NEVER_LAUNCHED, "");
    assert_null(fixture.verdict.cause.hint);
    expect_place("multiply.cu", 2, 32, "the only launch");
}

static void naive_is_stopped(void)
{
    static const struct call_error call = {.is_launch = true, .kernel = "naive"};

    subject = (struct subject){.kind = SUBJECT_CALL, .call = &call};
}

static void inside_of_the_kernel(void **state)
{
    static const struct row rows[] = {
        {CODE_STATIC_TILE,
         "__global__ void multiply() { extern __shared__ float t[]; __shared__ int @a[3], b; }",
         "static"},
        {CODE_STATIC_TILE, "__device__ void h() { __shared__ volatile float @a[3][4]; }\n" KERNEL,
         ""},
        {CODE_STATIC_TILE,
         "__device__ void h() { __shared__ int a; }\n__device__ void i() { __shared__ int b; }",
         ""},
        {CODE_LAUNCH_DEADLINE,
         "__global__ void multiply() { int i = 0; @while (i < 3) { for (;;) { } } i++; }", "loop"},
        {CODE_LAUNCH_DEADLINE,
         "__global__ void multiply() { @do { for (;;); } while (true); h(); }", "loop"},
        {CODE_LAUNCH_DEADLINE,
         "__global__ void @multiply() { for (int i = 0; i < 3; i++) h(i);\n while (1) { } }", ""},
        {CODE_LAUNCH_DEADLINE,
         "__device__ void h() { while (1) { } }\n"
         "__global__ void @multiply() { for (int i = 0; i < 3; i++) h(i); }",
         "defined here"},
        {CODE_LAUNCH_DEADLINE,
         "__device__ void h() { @while (1) { } }\nvoid g() { for (;;) { } }\n"
         "__global__ void multiply() { h(); }",
         "in device code"},
        {CODE_NO_SHARED_READS, "__global__ void @multiply() { }", "defined here"},
    };
    static const struct row other[] = {
        {CODE_LAUNCH_DEADLINE, "__global__ void multiply() { while (1) { } }", ""}};

    (void)state;
    CHECK(rows, "", NULL);
    CHECK(other, "", naive_is_stopped);
}

static void print_criterion(void)
{
    fixture.criterion.has_printout = true;
    fixture.criterion.has_launch = false;
}

static void print_line(const char *line)
{
    print_criterion();
    subject = (struct subject){.kind = SUBJECT_PRINTOUT,
                               .printout = &fixture.rubric.printouts[fixture.criterion.printout],
                               .line = line};
}

static void print_near_line(void)
{
    print_line("`The occupancy = 1`");
}

static void print_similar_line(void)
{
    print_line("`occupancy: 1`");
}

static void printed_lines(void **state)
{
    static const struct row rows[] = {
        {CODE_PRINTOUT_WRONG, "void f() { printf(@\"Occupancy: %f\\n\", x); }", "prints"},
        {CODE_PRINTOUT_WRONG, "void f() { printf(@\"\\n  Occupancy: %f\", x); }", "prints"},
        {CODE_PRINTOUT_MALFORMED, "void f() { printf(@\"a\\n\\tOccupancy: %f\", x); }", "prints"},
        {CODE_PRINTOUT_WRONG, "void f() { printf(\"My Occupancy: %f\", x); }", ""},
        {CODE_PRINTOUT_WRONG,
         "void f() { printf(\"Occupancy: %f\", x); }\nvoid g() { puts(\"Occupancy: 1\"); }", ""},
        {CODE_PRINTOUT_WRONG, "/* \"Occupancy: */ void f() { cout << @\"Occupancy: \" << x; }", ""},
        {CODE_PRINTOUT_REPEATED, "void f() { puts(\"Occupancy: 1\");\n puts(@\"Occupancy: 1\"); }",
         "again"},
        {CODE_PRINTOUT_REPEATED, "void f() { for (;;) puts(@\"Occupancy: 1\"); }", "prints"},
        {CODE_PRINTOUT_MISSING, "void f() { fputs(\"occupancy: failed\", stderr); }", ""},
        {CODE_PRINTOUT_MISSING, "void f() { if (x) puts(@\"Occupancy: 1\"); }", "only place"},
        {CODE_PRINTOUT_MISSING, "void printOccupancy() {\n f();\n@}\nint occ() { return 1; }",
         "printOccupancy() ends here"},
        {CODE_PRINTOUT_MISSING, "void printOccupancy() { }\nint occupancy_of() { return 1; }", ""},
        {CODE_PRINTOUT_MISSING, "int main() { }", ""},
        {CODE_NO_PRINTOUT_YET,
         "/* TO"
         "DO 1 */\nvoid printOccupancy()\n{\n /* @TO"
         "DO 2 */\n}\n",
         "open step"},
        {CODE_NO_PRINTOUT_YET,
         "// @TO"
         "DO 1\nvoid print() { }\n",
         "open step"},
        {CODE_TEMPLATE_UNCHANGED,
         "\"TO"
         "DO\"\n/* a\n * @TO"
         "DO 1 */\n// TO"
         "DO 2\n",
         "open step"},
        {CODE_TEMPLATE_UNCHANGED, "int main() { }", ""},
        {CODE_TOO_MUCH_OUTPUT,
         "void f() { while (0) { } @for (;;) { puts(\"x\"); } }\n__global__ void k() { for (;;) "
         "printf(\"x\"); }",
         "loop that prints"},
        {CODE_TOO_MUCH_OUTPUT, "void f() { for (;;) puts(\"x\"); for (;;) puts(\"y\"); }", ""},
        {CODE_CPU_DEADLINE, "void f() { @while (1) ; }\n__global__ void k() { for (;;) ; }",
         "loop in the host"},
        {CODE_PROGRAM_DEADLINE, "void f() { @while (1) ; }", "loop in the host"},
        {CODE_PROGRAM_DEADLINE, "void f() { while (x) { } sleep(99); }", ""},
    };

    (void)state;
    CHECK(rows, "", print_criterion);
    static const struct row similar[] = {
        {CODE_PRINTOUT_MISSING, "void f() { puts(@\"occupancy: 1\"); }", "the label must be"},
    };
    static const struct row near[] = {
        {CODE_PRINTOUT_MISSING,
         "void printOccupancy() { puts(\"no occupancy: %s\"); puts(@\"\\nThe occupancy = %d\"); }",
         "the label must be"},
        {CODE_PRINTOUT_MISSING,
         "void printOccupancy() { puts(\"The occupancy \"); puts(\"The occupancy =\"); }", ""},
        {CODE_PRINTOUT_MISSING, "void printOccupancy() { puts(\"The occupance\"); }", ""},
    };
    CHECK(near, "", print_near_line);
    CHECK(similar, "", print_similar_line);
}

/* Where a number is computed that is printed wrong. */
static void printed_values(void **state)
{
    static const struct row rows[] = {
        {CODE_PRINTOUT_WRONG,
         "void f() { double @x = n / 3.0;\n printf(\"Occupancy: %f\\n\", x); }",
         "the value that line 2 prints"},
        {CODE_PRINTOUT_WRONG,
         "double g(int n) { return @n * 2.0; }\n"
         "void f() { double x = g(3); printf(\"Occupancy: %f\\n\", x); }",
         "the value that line 2 prints"},
        {CODE_PRINTOUT_WRONG,
         "double g(int n) { return @n * 2.0; }\nvoid f() { printf(\"Occupancy: %f\", g(3)); }", ""},
        {CODE_PRINTOUT_WRONG,
         "void f() { int @x = 3;\n cudaMemcpyToSymbol(N, &x, 4); printf(\"Occupancy: %d\", x); }",
         "the value that line 2 prints"},
        /* set twice, or there are several of them */
        {CODE_PRINTOUT_WRONG, "void f() { int x = 3; set(&x); printf(@\"Occupancy: %d\", x); }",
         "prints"},
        {CODE_PRINTOUT_WRONG, "void f() { int x = 3; x++; printf(@\"Occupancy: %d\", x); }",
         "prints"},
        {CODE_PRINTOUT_WRONG, "void f(int x) { printf(@\"Occupancy: %d\", x); }", "prints"},
        {CODE_PRINTOUT_WRONG, "void f() { double x = 1; x = 2; printf(@\"Occupancy: %f\", x); }",
         "prints"},
        {CODE_PRINTOUT_WRONG,
         "double g(int n) { if (n) return 1; return 2; }\n"
         "void f() { printf(@\"Occupancy: %f\", g(3)); }",
         "prints"},
        {CODE_PRINTOUT_WRONG, "void f() { double x = 1; printf(@\"Occupancy: %f\", x + 1); }",
         "prints"},
        {CODE_PRINTOUT_WRONG, "double g() { return g(); }\nvoid f() { printf(@\"Occupancy:\"); }",
         "prints"},
        /* the mistake is in the format */
        {CODE_PRINTOUT_WRONG, "void f() { double x = 1; printf(@\"Occupancy: %d\", x); }",
         "prints"},
        {CODE_PRINTOUT_MALFORMED, "void f() { double x = 1; printf(@\"Occupancy: %f\", x); }",
         "prints"},
    };

    (void)state;
    CHECK(rows, "printed 1, expected 2", print_criterion);
}

static void advise_blockfuls(const char *source)
{
    set_up(source);
    fixture.criterion.has_printout = true;
    fixture.verdict = (struct verdict){.criterion = &fixture.criterion, .status = STATUS_FAILED};
    fixture.verdict.cause = (struct cause){.code = CODE_PRINTOUT_WRONG,
                                           .message = "printed 2, expected 1",
                                           .file = "",
                                           .advice = {.id = ADVICE_PRINTED_BLOCKFULS}};
    cause_location(&fixture.input, fixture.arena, &fixture.verdict);
}

/* The limit of a block, by which the threads of a multiprocessor are divided. */
static void printed_limits(void **state)
{
    (void)state;
    advise_blockfuls("double g(int b) { cudaDeviceProp p;\n"
                     " cudaGetDeviceProperties(&p, 0);\n"
                     " int m = p.maxThreadsPerBlock;\n return b * 256.0 / m; }\n"
                     "void f() { printf(\"Occupancy: %f\", g(8)); }\n");
    expect_place("multiply.cu", 3, 12, "1024 on H200; a multiprocessor holds 2048 threads");
    advise_blockfuls("void f() { int m, n;\n"
                     " cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0);\n"
                     " if (cudaDeviceGetAttribute(&m, cudaDevAttrMaxThreadsPerBlock, 0)) {\n"
                     " return; }\n printf(\"Occupancy: %f\", 8 * 256.0 / m); }\n");
    expect_place("multiply.cu", 3, 33, "1024 on H200; a multiprocessor holds 2048 threads");
    /* one that no printed value is made of, and two of which one is right */
    advise_blockfuls("void f() { int m, n = p.maxThreadsPerBlock;\n"
                     " printf(\"Occupancy: %f\", 8 * 256.0 / m); }\n");
    expect_place("multiply.cu", 2, 9, "prints");
    advise_blockfuls("void f() { int m = p.maxThreadsPerBlock;\n"
                     " printf(\"Occupancy: %f\", p.maxThreadsPerBlock * 1.0 / m); }\n");
    expect_place("multiply.cu", 2, 9, "prints");
}

static void print_block_size(const char *returned, const char *printed)
{
    static char source[512];

    snprintf(source, sizeof source,
             "int needs(int n)\n{\n    return %s;\n}\n"
             "int main() { int edge, least, most;\n"
             "    cudaOccupancyMaxPotentialBlockSizeVariableSMem(&least, &most, multiply, needs);\n"
             "    edge = sqrt(most); edge &= ~1;\n"
             "    printf(\"Occupancy: %%d\", edge); }\n",
             returned);
    set_up(source);
    fixture.criterion.kind = CRITERION_BLOCK_SIZE;
    fixture.criterion.has_printout = true;
    fixture.criterion.minimum_bytes = toy_expression(&fixture, "8 * threads");
    fixture.printouts[0].form = PRINTOUT_INTEGER;
    fixture.resources.registers = 32;
    fixture_print(&fixture, 0, printed);
    fail_with(CODE_PRINTOUT_WRONG, "printed 4, expected 32");
}

/* The function that tells the calculator how many bytes a block needs, where these are wrong and
 * bring about what is printed. */
static void printed_widths(void **state)
{
    (void)state;
    print_block_size("2 * n * n * sizeof(float)", "Occupancy: 4\n");
    expect_place("multiply.cu", 3, 12, "needs(64) returns 32768; a block of 64 threads needs 512");
    print_block_size("(int)(2 * n * n) * 4", "Occupancy: 4\n");
    expect_place("multiply.cu", 3, 12, "needs(64) returns 32768; a block of 64 threads needs 512");
    print_block_size("2 * n * n * sizeof(float)", "Occupancy: 16\n"); /* it has another reason */
    expect_place("multiply.cu", 8, 12, "prints");
    print_block_size("2 * n * sizeof(float)", "Occupancy: 32\n"); /* right */
    expect_place("multiply.cu", 8, 12, "prints");
    print_block_size("2 * n * n / 2 * 8", "Occupancy: 4\n"); /* not read */
    expect_place("multiply.cu", 8, 12, "prints");
    print_block_size("n * n * n * n * n", "Occupancy: 4\n"); /* more than an int holds */
    expect_place("multiply.cu", 8, 12, "prints");
}

static void ended_early(void)
{
    fixture.run.activity.ended_early = true;
}

static void ended_with_status(void)
{
    fixture.run.activity.end.exit_status = 1;
}

static void malloc_failed(void)
{
    fixture.call_error =
        (struct call_error){.call = "cudaMalloc", .name = "cudaErrorInvalidValue", .message = ""};
    subject = (struct subject){.kind = SUBJECT_CALL, .call = &fixture.call_error};
}

static void launch_failed(void)
{
    malloc_failed();
    fixture.call_error.is_launch = true;
}

static void unknown_call(void)
{
    malloc_failed();
    fixture.call_error.is_unknown = true;
}

static void calls(void **state)
{
    static const struct row exits[] = {
        {CODE_EXIT_STATUS, "void exit(int);\nvoid f() { @exit(0); }", "ends the program"},
        {CODE_EXIT_STATUS, "void f() { exit(0); _Exit(0); }", ""},
    };
    static const struct row nowhere[] = {{CODE_EXIT_STATUS, "void f() { exit(0); }", ""}};
    static const struct row failed[] = {
        {CODE_API_ERROR, "void f() { @cudaMalloc(&p, 0); }", "cudaErrorInvalidValue"},
        {CODE_API_ERROR, "void f() { cudaMalloc(&p, 0); cudaMalloc(&q, 0); }", ""},
        {CODE_DEVICE_MEMORY, "#define CHECK(x) x\nvoid f() { CHECK(@cudaMalloc(&p, 0)); }", ""},
    };
    static const struct row unknown[] = {
        {CODE_UNKNOWN_CALL, "void f() { @cudaMalloc(&p, 0); }", ""}};
    static const struct row other[] = {{CODE_API_ERROR, "void f() { cudaMalloc(&p, 0); }", ""}};

    (void)state;
    CHECK(exits, "", ended_early);
    CHECK(nowhere, "", ended_with_status);
    CHECK(failed, "", malloc_failed);
    CHECK(unknown, "", unknown_call);
    CHECK(other, "", launch_failed);
}

/* C of the second shape is 8 x 24 in blocks of 8 x 8. */
static void elements_that_no_block_reaches(void **state)
{
    static const struct {
        uint32_t grid, block_rows;
        size_t unwritten_from_column, unwritten_from_row;
        int column; /* of what is found; 0: nothing */
    } rows[] = {
        {2, 8, 16, 8, 17}, {3, 4, 24, 4, 28}, {3, 8, 16, 8, 0},
        {2, 8, 8, 8, 0},   {3, 8, 24, 4, 0},  {2, 4, 16, 4, 0},
    };
    uint8_t states[8 * 24];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up("void f() { dim3 g(1); dim3 t(2); multiply<<<g, t>>>(0); }\n");
        for (size_t j = 0; j < sizeof states; j++) {
            states[j] =
                j % 24 >= rows[i].unwritten_from_column || j / 24 >= rows[i].unwritten_from_row
                    ? ELEMENT_UNWRITTEN
                    : ELEMENT_RIGHT;
        }
        const struct element_map map = {.operand = "C",
                                        .shape = "A 8x2, B 2x24",
                                        .probe = "exact",
                                        .rows = 8,
                                        .columns = 24,
                                        .states = states};
        fixture.observations[1].geometry =
            (struct launch_geometry){{rows[i].grid, 1, 1}, {8, rows[i].block_rows, 1}, 0};
        fixture.verdict = (struct verdict){.criterion = &fixture.criterion, .map = &map};
        fixture.verdict.cause = (struct cause){.code = CODE_NOT_WRITTEN,
                                               .file = rows[i].column > 0 ? "multiply.cu" : "",
                                               .line = rows[i].column > 0 ? 7 : 0,
                                               .label = rows[i].column > 0 ? "of a trace" : NULL};
        cause_location(&fixture.input, fixture.arena, &fixture.verdict);
        expect_place("multiply.cu", rows[i].column > 0 ? 1 : 0, rows[i].column, "the ");
    }
}

/* The same C, turned: blocks are laid over A, 24 x 8, so the grid's x goes with the rows of C. */
static void grids_over_a_turned_input(void **state)
{
    static const struct {
        uint32_t grid[2];
        size_t unwritten_from_column;
        int column; /* of what is found; 0: nothing */
    } rows[] = {{{1, 2}, 16, 17}, {{2, 1}, 16, 0}, {{1, 3}, 16, 0}};
    uint8_t states[8 * 24];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up("void f() { dim3 g(1); dim3 t(2); multiply<<<g, t>>>(0); }\n");
        for (size_t j = 0; j < sizeof states; j++) {
            states[j] = j % 24 >= rows[i].unwritten_from_column ? ELEMENT_UNWRITTEN : ELEMENT_RIGHT;
        }
        const struct element_map map = {.operand = "C",
                                        .shape = "height 8, width 24",
                                        .probe = "exact",
                                        .rows = 8,
                                        .columns = 24,
                                        .states = states};
        const struct rubric_operand *output = &fixture.launch.operands[OPERAND_C];
        fixture.launch.operands[OPERAND_A].shape[0] = output->shape[1];
        fixture.launch.operands[OPERAND_A].shape[1] = output->shape[0];
        fixture.observations[1].geometry =
            (struct launch_geometry){{rows[i].grid[0], rows[i].grid[1], 1}, {8, 4, 1}, 0};
        fixture.verdict = (struct verdict){.criterion = &fixture.criterion, .map = &map};
        fixture.verdict.cause = (struct cause){.code = CODE_NOT_WRITTEN, .file = ""};
        cause_location(&fixture.input, fixture.arena, &fixture.verdict);
        expect_place(rows[i].column > 0 ? "multiply.cu" : "", rows[i].column > 0 ? 1 : 0,
                     rows[i].column, "the grid does not cover every element");
    }
}

/* A call that launches `blocks` blocks of 64 threads for 192 elements, which hold what they did
 * before where no thread gets; elements [first, end) are wrong. */
static void launch_few(uint32_t blocks, size_t first, size_t end, uint64_t stored)
{
    static const struct kernel_counts kernel = {.plain_name = "multiply", .launches = 1};
    static struct wrong_result result;
    static struct element_map map;
    static uint8_t states[192];
    struct sample *sample = &fixture.samples[1][0];

    set_up("void f() { int g = 1; multiply<<<g, 64>>>(0); }\n");
    for (size_t j = 0; j < sizeof states; j++) {
        states[j] = j >= first && j < end ? ELEMENT_WRONG : ELEMENT_RIGHT;
    }
    map = (struct element_map){.operand = "C",
                               .shape = "A 8x2, B 2x24",
                               .probe = "exact",
                               .rows = 1,
                               .columns = 192,
                               .states = states};
    result = (struct wrong_result){.launch = &fixture.launch, .output = OPERAND_C};
    fixture.launch.call = "multiply";
    fixture.observations[1].block = 0;
    fixture.observations[1].geometry = (struct launch_geometry){{blocks, 1, 1}, {64, 1, 1}, 0};
    fixture.observations[1].element_counts[OPERAND_C] = 192;
    sample->kernels = &kernel;
    sample->kernel_count = 1;
    sample->call.launches = 1;
    sample->counts.is_counted = true;
    sample->counts.operands[OPERAND_C][COUNT_WRITE].bytes = stored * sizeof(float);
    fixture.verdict = (struct verdict){.criterion = &fixture.criterion, .map = &map};
    fixture.verdict.cause = (struct cause){
        .code = CODE_MISMATCH,
        .file = "multiply.cu",
        .line = 7,
        .label = "of a trace",
        .hint = "as before",
        .subject = {.kind = SUBJECT_RESULT, .result = &result},
    };
    cause_location(&fixture.input, fixture.arena, &fixture.verdict);
}

static void grids_of_too_few_threads(void **state)
{
    (void)state;
    launch_few(2, 128, 192, 128);
    assert_string_equal(fixture.verdict.cause.hint,
                        "a thread stores one element, so 192 elements need 3 blocks of 64 threads: "
                        "divide by the block that is launched and round up, or let threads go on "
                        "to further elements in a loop");
    expect_place("multiply.cu", 1, 16,
                 "2 blocks of 64 threads: 128 threads in all, for 192 elements");
    launch_few(1, 96, 192, 64); /* by chance some are right */
    expect_place("multiply.cu", 1, 16, "1 block of 64 threads: 64 threads in all");
    launch_few(2, 127, 192, 128); /* one of a thread's own is wrong too */
    expect_place("multiply.cu", 7, 0, "of a trace");
    launch_few(2, 128, 160, 128); /* half of the others are right */
    expect_place("multiply.cu", 7, 0, "of a trace");
    launch_few(2, 128, 192, 192); /* threads store further elements */
    expect_place("multiply.cu", 7, 0, "of a trace");
    launch_few(3, 128, 192, 192); /* there are enough */
    expect_place("multiply.cu", 7, 0, "of a trace");
}

static const char *missing_symbol;

static const char *link_message;

static void link_fails(void)
{
    fixture.messages[0] = (struct tool_message){
        .is_error = true, .file = "", .message = link_message, .symbol = missing_symbol};
    fixture.build.message_count = 1;
    fixture.build.linked = false;
    fixture.criterion.has_launch = false;
    subject = (struct subject){.kind = SUBJECT_BUILD, .message = &fixture.messages[0]};
}

static void symbols(void **state)
{
    static const struct row functions[] = {
        {CODE_LINK_ERROR, "int @choose(float);\n", "declared, but not defined"},
        {CODE_LINK_ERROR, "extern __device__ float @choose(float);\n" KERNEL, "declared"},
        {CODE_LINK_ERROR, "void @choose(int) { }", "is defined here"},
        {CODE_LINK_ERROR, "void choose() { }\nvoid @choose() { }", "again"},
        {CODE_LINK_ERROR, "void @Cho_ose() { }\n", "the missing name is"},
        {CODE_LINK_ERROR, "void f() { choose(); }\n", ""},
        {CODE_LINK_ERROR, "#define choose chosen\nvoid choose() { }\n", ""},
        {CODE_COMPILE_ERROR, "__global__ void choose() { __shared__ float @a[9]; }", "static"},
    };

    (void)state;
    missing_symbol = "ns::choose";
    link_message = "shared data";
    CHECK(functions, "shared data", link_fails);
    missing_symbol = NULL;
    static const struct row none[] = {{CODE_LINK_ERROR, "void choose() { }", ""}};
    CHECK(none, "shared data", link_fails);
}

/* Two programs miss the same symbol: a cause belongs to the build that it quotes. */
static void equal_messages_of_two_programs(void **state)
{
    static const char *const second_sources[] = {"second.cu"};
    static const char first[] = "int choose(float);\n", second[] = "\nint choose(int);\n";
    struct rubric_program programs[2];
    struct program_build builds[2];

    (void)state;
    missing_symbol = "choose";
    link_message = "undefined reference to `choose'";
    for (size_t i = 0; i < 2; i++) {
        set_up(first);
        link_fails();
        files[1] = (struct source_file){"second.cu", second, strlen(second)};
        fixture.input.source_count = 2;
        programs[0] = programs[1] = fixture.program;
        programs[1].sources = second_sources;
        programs[1].source_count = 1;
        builds[0] = builds[1] = fixture.build;
        fixture.rubric.programs = programs;
        fixture.rubric.program_count = 2;
        fixture.evidence.builds = builds;
        subject.program = i;
        fail_with(CODE_LINK_ERROR, link_message);
        expect_place(files[i].name, 1 + (int)i, 5, "declared, but not defined");
    }
}

/* What the linker misses is choose(float const*, unsigned int, shape). */
static void parameters(void **state)
{
    static const struct row rows[] = {
        {CODE_LINK_ERROR, "void @choose(float *a, unsigned n, struct shape s) { }",
         "`a` is `float *` here, but `const float *` where it is called"},
        {CODE_LINK_ERROR, "void @choose(const float *a, int n, shape s) { }",
         "`n` is `int` here, but `unsigned int` where"},
        {CODE_LINK_ERROR, "void @choose(const float *, unsigned int, const shape *s) { }",
         "`s` is `const shape *` here, but `shape` where"},
        {CODE_LINK_ERROR, "void @choose(const float *const a, unsigned, int) { }",
         "parameter 3 is `int` here, but `shape` where"},
        {CODE_LINK_ERROR, "void @choose(float const *a, unsigned long n, shape s) { }",
         "`n` is `unsigned long` here"},
        {CODE_LINK_ERROR, "void @choose(float const **a, unsigned n, shape s) { }",
         "`a` is `const float **` here"},
        {CODE_LINK_ERROR, "void @choose(const float *a, unsigned n) { }",
         "has 2 parameters here, but 3 where"},
        {CODE_LINK_ERROR, "void @choose(void) { }", "has 0 parameters here"},
        {CODE_LINK_ERROR, "void @choose() { }", "has 0 parameters here"},
        /* one of another name may be the same type */
        {CODE_LINK_ERROR, "void @choose(const real *a, word n, const form s) { }",
         "is defined here"},
        {CODE_LINK_ERROR, "void @choose(const float a[3], unsigned n, shape s) { }",
         "is defined here"},
        {CODE_LINK_ERROR, "void @choose(float *a, unsigned n = f<1, 2>(3)) { }", "is defined here"},
        {CODE_LINK_ERROR, "void @choose(const float *a, const unsigned n, const shape s) { }",
         "is defined here"},
    };

    (void)state;
    missing_symbol = "choose";
    link_message = "undefined reference to `choose(float const*, unsigned int, shape)'";
    CHECK(rows, link_message, link_fails);
}

static void constants_and_results(void **state)
{
    static const struct {
        const char *source;
        bool is_copied;
    } constants[] = {
        {"__constant__ int @EDGE;\nvoid f() { cudaMemcpyToSymbol(EDGE, &x, 4); }", false},
        {"__constant__ int EDGE;\nvoid f() { @cudaMemcpyToSymbol(EDGE, &x, 4); }", true},
        {"__constant__ int @EDGE;\nvoid f() { cudaMemcpyToSymbol(OTHER, &x, 4); }", true},
        {"__constant__ int EDGE;\nvoid f() { cudaMemcpyToSymbol(EDGE, &x, 4); "
         "cudaMemcpyToSymbol(EDGE, &x, 4); }",
         true},
    };
    static const char *const results[] = {
        "int requiredSM(int n) {\n @return n; }",
        "int @requiredSM(int n) { if (n) return 1; return n; }",
        "int required(int n) { return n; }",
    };

    (void)state;
    for (size_t i = 0; i < 7; i++) {
        char *source = strdup(i < 4 ? constants[i].source : results[i - 4]);
        int line, column;
        take_mark(source, &line, &column);
        set_up(source);
        if (i < 4) {
            subject.kind = constants[i].is_copied ? SUBJECT_COPY : SUBJECT_CONSTANT;
            subject.name = "EDGE";
        } else {
            subject = (struct subject){.kind = SUBJECT_FUNCTION, .name = "requiredSM"};
        }
        fail_with(CODE_WRONG_CONSTANT, "");
        expect_place("multiply.cu", line, column, "");
        free(source);
    }
}

static void stores_to_an_input(void **state)
{
    static struct line_count lines[] = {
        {.file = "multiply.cu",
         .line = 1,
         .column = 3,
         .space = COUNT_GLOBAL,
         .access = COUNT_WRITE,
         .sum.bytes = 512},
        {.file = "multiply.cu",
         .line = 2,
         .column = 5,
         .space = COUNT_GLOBAL,
         .access = COUNT_WRITE,
         .sum.bytes = 4},
        {.file = "multiply.cu",
         .line = 3,
         .column = 5,
         .space = COUNT_GLOBAL,
         .access = COUNT_READ,
         .sum.bytes = 4},
    };

    (void)state;
    for (int same = 0; same < 3; same++) {
        set_up(KERNEL);
        lines[0].sum.bytes = same != 0 ? 4 : 512;
        lines[0].sum.sectors = same == 2 ? 8 : 0;
        fixture.samples[0][0].counts.lines = lines;
        fixture.samples[0][0].counts.line_count = 3;
        fixture.samples[0][0].counts.operands[OPERAND_B][COUNT_WRITE].bytes = 4;
        fail_with(CODE_INPUT_CHANGED, "");
        expect_place("multiply.cu", same == 1 ? 0 : 2, same == 1 ? 0 : 5, "writes to an input");
    }
}

/* Stores to the output and to an input that cost the same: the source tells. */
static void store_to_both(void)
{
    static struct line_count lines[2];

    for (size_t i = 0; i < 2; i++) {
        lines[i] = (struct line_count){.file = "multiply.cu",
                                       .line = (int)i + 2,
                                       .column = 5,
                                       .space = COUNT_GLOBAL,
                                       .access = COUNT_WRITE,
                                       .sum.bytes = 4};
    }
    fixture.samples[0][0].counts.lines = lines;
    fixture.samples[0][0].counts.line_count = 2;
    fixture.samples[0][0].counts.operands[OPERAND_A][COUNT_WRITE].bytes = 4;
}

static void store_to_both_symbols(void)
{
    store_to_both();
    fixture.launch.operands[OPERAND_A].bind = (struct binding){.is_symbol = true, .symbol = "d_A"};
}

static void stores_that_cost_the_same(void **state)
{
#define HEAD "__global__ void multiply(const float *a, float *b, float *c) {\n"
    static const struct row arguments[] = {
        {CODE_INPUT_CHANGED, HEAD "    c[0] = a[0];\n    @a[i] += 1;\n}", "writes to an input"},
        {CODE_INPUT_CHANGED, HEAD "    c[0] = a[0];\n    a == b;\n}", ""},
        {CODE_INPUT_CHANGED, HEAD "    a[0] = 1;\n    a[i] = 2;\n}", ""},
        {CODE_INPUT_CHANGED, "#define a x\n" HEAD "    c[0] = 1;\n    a[i] = 2;\n}", ""},
    };
    static const struct row symbols[] = {
        {CODE_INPUT_CHANGED,
         "__global__ void multiply() {\n    c[d_A[0][0]] = 2;\n"
         "    @d_A[y][tx] = d_A[0][0];\n}",
         "writes to an input"},
        {CODE_INPUT_CHANGED,
         "__global__ void multiply() {\n    c[0] = d_A[0][0];\n"
         "    other[y][tx] = 0;\n}",
         ""},
    };
#undef HEAD

    (void)state;
    CHECK(arguments, "", store_to_both);
    CHECK(symbols, "", store_to_both_symbols);
}

static void headers_of_the_submission_count(void **state)
{
    static const char header[] = "__global__ void multiply() { }\n";
    static const char *const given[] = {"mine.h"};

    (void)state;
    for (int round = 0; round < 3; round++) {
        set_up(round == 1 ? "// #include \"mine.h\"\n" : "#include \"mine.h\"\n");
        files[1] = (struct source_file){"mine.h", header, sizeof header - 1};
        fixture.input.source_count = 2;
        fixture.program.given = given;
        fixture.program.given_count = round == 2 ? 1 : 0;
        fail_with(CODE_NO_LAUNCH_YET, "");
        expect_place("mine.h", round == 0 ? 1 : 0, round == 0 ? 17 : 0, "");
    }
}

static void a_line_that_is_known_stays(void **state)
{
    (void)state;
    set_up(KERNEL);
    fixture.verdict = (struct verdict){.criterion = &fixture.criterion};
    fixture.verdict.cause =
        (struct cause){.code = CODE_NO_LAUNCH_YET, .file = "multiply.cu", .line = 7, .column = 3};
    cause_location(&fixture.input, fixture.arena, &fixture.verdict);
    assert_int_equal(fixture.verdict.cause.line, 7);
    assert_null(fixture.verdict.cause.label);
    fixture.verdict.cause = (struct cause){.code = CODE_NO_LAUNCH_YET, .file = "other.cu"};
    cause_location(&fixture.input, fixture.arena, &fixture.verdict);
    assert_int_equal(fixture.verdict.cause.line, 0);
    fixture_free(&fixture);
}

/* Whatever a file holds, the search ends and stays inside of it. */
static void broken_sources(void **state)
{
    static const char *const pieces[] = {"\"",
                                         "'",
                                         "/*",
                                         "R\"(",
                                         "R\"abcdefghijklmnopqrstuvwxyz",
                                         "#",
                                         "#if 0\n",
                                         "#if",
                                         "#endif\n#endif\n",
                                         "{{{{",
                                         "}}}}",
                                         "((((",
                                         "))))",
                                         "multiply<<<",
                                         "multiply<",
                                         "@\\",
                                         "\\\n",
                                         "1.e",
                                         ".5e+",
                                         "u8\"x",
                                         "for",
                                         "do",
                                         "while (",
                                         "dim3",
                                         "__shared__",
                                         "__shared__ int",
                                         "return",
                                         "Occupancy",
                                         "#define",
                                         "#include \"",
                                         "//",
                                         "multiply<a>>>b",
                                         "0x",
                                         "__global__ void multiply(",
                                         "cudaLaunchKernel(multiply"};
    static const enum code codes[] = {
        CODE_BAD_OPERAND,      CODE_STATIC_TILE,     CODE_LAUNCH_DEADLINE, CODE_NEVER_LAUNCHED,
        CODE_PRINTOUT_MISSING, CODE_TOO_MUCH_OUTPUT, CODE_WRONG_BYTE_COUNT};
    enum { PIECES = sizeof pieces / sizeof pieces[0] };

    (void)state;
    for (size_t i = 0; i < PIECES * PIECES; i++) {
        char text[256];
        snprintf(text, sizeof text, "__global__ void multiply() { %s x %s", pieces[i / PIECES],
                 pieces[i % PIECES]);
        char *copy = strndup(text, strlen(text)); /* no byte more, for the sanitizer */
        set_up(copy);
        fixture.criterion.has_printout = true;
        for (size_t j = 0; j < sizeof codes / sizeof codes[0]; j++) {
            fail_with(codes[j], "");
            assert_true(fixture.verdict.cause.line >= 0);
        }
        fixture_free(&fixture);
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches),
        cmocka_unit_test(an_empty_grid_has_a_hint),
        cmocka_unit_test(launch_arguments),
        cmocka_unit_test(refused_launches),
        cmocka_unit_test(missing_launches),
        cmocka_unit_test(inside_of_the_kernel),
        cmocka_unit_test(printed_lines),
        cmocka_unit_test(printed_values),
        cmocka_unit_test(printed_limits),
        cmocka_unit_test(printed_widths),
        cmocka_unit_test(calls),
        cmocka_unit_test(elements_that_no_block_reaches),
        cmocka_unit_test(grids_over_a_turned_input),
        cmocka_unit_test(grids_of_too_few_threads),
        cmocka_unit_test(launches_in_a_child),
        cmocka_unit_test(symbols),
        cmocka_unit_test(equal_messages_of_two_programs),
        cmocka_unit_test(parameters),
        cmocka_unit_test(constants_and_results),
        cmocka_unit_test(stores_to_an_input),
        cmocka_unit_test(stores_that_cost_the_same),
        cmocka_unit_test(headers_of_the_submission_count),
        cmocka_unit_test(a_line_that_is_known_stays),
        cmocka_unit_test(broken_sources),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
