/* test_index_origin.c: where an index comes from, and what it is for the threads of a finding. */
#include "../criteria_fixture.h"
#include "diagnosis/location/related_locations.h"

#include <stdio.h>

static struct fixture fixture;
static struct source_file file;
static struct finding_values values;

/* A finding of thread (5,0) of block (1,0), or of it after thread (4,0) of block (0,0), in the line
 * with the index: `multiply` has the parameters c, n = 8; c is at 4096. */
static void found(const char *body, enum code code, const char *role, const char *earlier)
{
    const char *text;
    int line = 1;

    fixture_init(&fixture, CRITERION_CORRECT);
    text = arena_printf(fixture.arena,
                        "#define W 4\n__device__ float g[2][W];\n__global__ void multiply(float "
                        "*c, int n) {\n%s\n}\n",
                        body);
    file = (struct source_file){"multiply.cu", text, strlen(text)};
    for (const char *at = text; at < strstr(text, "@"); at++) {
        line += *at == '\n' ? 1 : 0;
    }
    *strstr((char *)(uintptr_t)text, "@") = ' ';
    fixture.input.sources = &file;
    fixture.input.source_count = 1;
    fixture.verdict = (struct verdict){.criterion = &fixture.criterion, .status = STATUS_FAILED};
    fixture.verdict.cause =
        (struct cause){.code = code, .message = "", .file = "multiply.cu", .line = line};
    values = (struct finding_values){
        .grid = {2, 1, 1}, .block = {8, 1, 1}, .known = 3, .arguments = {4096, 8}, .address = 4128};
    fixture.finding = (struct finding){
        .code = code,
        .object = "s",
        .kernel = "multiply",
        .message = "",
        .access_bytes = 4,
        .object_bytes = 32,
        .needed_bytes = 36,
        .values = &values,
        .places = {{role, "multiply.cu", line, 1, true, {1, 0, 0}, {5, 0, 0}, NULL, false},
                   {earlier, "multiply.cu", line, 1, true, {0, 0, 0}, {4, 0, 0}, NULL, false}},
        .place_count = earlier != NULL ? 2 : 1,
    };
    fixture.verdict.cause.reason = &fixture.finding;
}

/* The marks, in their order; "" for none. */
static void expect_three(const char *first, const char *second, const char *third)
{
    const char *const labels[] = {first, second, third};
    const struct cause *cause = &fixture.verdict.cause;

    related_locations(&fixture.input, fixture.arena, &fixture.verdict);
    for (size_t i = 0; i < 3; i++) {
        const char *label = i < cause->also_count ? cause->also[i].label : "";
        assert_string_equal(label, labels[i]);
    }
    assert_true(cause->also_count <= 3);
    fixture_free(&fixture);
}

static void expect(const char *first, const char *second)
{
    expect_three(first, second, "");
}

static void indices(void **state)
{
    (void)state;
    found("const int i = blockIdx.x * W + threadIdx.x;\n@c[i] = 0;", CODE_GLOBAL_OUT_OF_BOUNDS,
          "write", NULL);
    expect("`i` is 9 in thread (5,0) of block (1,0)", "");
    found("const int i = blockIdx.x * W;\nconst int k = threadIdx.x / 2, z = 0;\n@c[i + k] = c[z];",
          CODE_GLOBAL_RACE, "write", "write");
    expect("`i` is 4 in block (1,0), 0 in block (0,0)", ""); /* `k` is the same */
    found("const int i = threadIdx.x + 1;\nfloat *to = &c[i * n];\n@store(to, n);",
          CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    expect("`i` is 6 in thread (5,0) of block (1,0)", "");
    found("__shared__ float s[W];\nconst int i = threadIdx.x * 2;\n@s[i] = c[threadIdx.x];",
          CODE_SHARED_OUT_OF_BOUNDS, "write", NULL);
    expect("`i` is 10 in thread (5,0) of block (1,0)", "");
}

static void bounds(void **state)
{
    (void)state;
    found("for (int k = 0; k <= n; k++) {\n@c[k] = 0; }", CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    expect("`k <= n` lets `k` = 8 in: `n` is 8", "");
    found("const int i = threadIdx.x + 3;\nif (i < n + 1) {\n@c[i] = 0; }",
          CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    expect("`i < n + 1` lets `i` = 8 in: `n + 1` is 9", "`i` is 8 in thread (5,0) of block (1,0)");
    found("const int i = threadIdx.x + 3;\nif (i < n || n) {\n@c[i] = 0; }",
          CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    expect("`i` is 8 in thread (5,0) of block (1,0)", "");
    found("const int i = threadIdx.x + 3, k = n;\nconst int j = threadIdx.x / 2;\n"
          "if (j < n) {\n@c[j + i] = 0; }",
          CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    expect("`j` is 2 in thread (5,0) of block (1,0)", "`i` is 8 in thread (5,0) of block (1,0)");
    found("__shared__ float s[W];\nfor (int i = threadIdx.x; i < n / 2; i += W) {\ns[i] = 0; }\n"
          "const int k = threadIdx.x + 1;\n@c[0] = s[k];",
          CODE_UNINITIALISED_SHARED, "read", NULL);
    expect("`k` is 6 in thread (5,0) of block (1,0)",
           "`i` goes on from 5 in thread (5,0) of block (1,0) while `i < n / 2`, which is 4");
}

/* An access to s[element] of s[8], by thread (5,0). */
static void found_past(const char *body, const char *role, size_t element)
{
    found(body, CODE_SHARED_OUT_OF_BOUNDS, role, NULL);
    fixture.finding.message = "right past the end";
    values.access_bytes = 4;
    values.variable_bytes = 32;
    values.offset = 4 * element;
}

/* What is not known of an index follows from the element. */
static void solved(void **state)
{
    (void)state;
    found("const int i = f(threadIdx.x);\n@c[i] = 0;", CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    expect("`i` is 8 in thread (5,0) of block (1,0)", "");
    found("for (int k = 0; k < n; k += 2) {\n@c[k * W] = 0; }", CODE_GLOBAL_OUT_OF_BOUNDS, "write",
          NULL);
    expect("`k < n` lets `k` = 2 in: `n` is 8", "");
    found(
        "for (int k = 0; k < n; k += 2) {\nconst int i = threadIdx.x / 5;\n@c[k * W + i - 1] = 0; "
        "}",
        CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    expect("`i` is 1 in thread (5,0) of block (1,0)",
           "`k` is 2 in thread (5,0) of block (1,0), and goes on while `k < n`, which is 8");
    /* Two loops, of which one round leads there. */
    found("for (int s = 0; s < n; s += W) {\nfor (int i = 5; i < n; i += 2) {\n"
          "const int y = s + i / 5;\n@c[y * 2 + i % 5 - 2] = 0; } }",
          CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    expect_three("`y` is 5 in thread (5,0) of block (1,0)",
                 "`i` is 5 in thread (5,0) of block (1,0), and goes on while `i < n`, which is 8",
                 "`s` is 4 in thread (5,0) of block (1,0), and goes on while `s < n`, which is 8");
    /* Two rounds do. */
    found("for (int s = 0; s < n; s += W) {\nfor (int i = 0; i < n; i += W) {\n@c[s + i + 4] = 0; "
          "} }",
          CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    expect("", "");
}

/* An array outside of functions has its extents in its declaration. */
static void global_arrays(void **state)
{
    (void)state;
    found("const int x = threadIdx.x - 1;\nif (x < n) {\n@c[0] = g[1][x]; }",
          CODE_GLOBAL_OUT_OF_BOUNDS, "read", NULL);
    expect("`x < n` lets `x` = 4 in: `n` is 8, and g has 4 columns",
           "`x` is 4 in thread (5,0) of block (1,0)");
    found("const int x = threadIdx.x - 1;\nif (x < n) {\n@c[0] = g[1][x]; }",
          CODE_GLOBAL_OUT_OF_BOUNDS, "read", NULL);
    fixture.finding.object_bytes = 64; /* another array */
    fixture.finding.needed_bytes = 68;
    expect("`x < n` lets `x` = 4 in: `n` is 8", "`x` is 4 in thread (5,0) of block (1,0)");
}

/* What the names of an index are made of. */
static void chains(void **state)
{
    (void)state;
    found("const int low = threadIdx.x + 2;\nconst int high = low + 1;\n@c[high] = 0;",
          CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    expect("`high` is 8 in thread (5,0) of block (1,0)",
           "`low` is 7 in thread (5,0) of block (1,0)");
    found("const int low = threadIdx.x + 2;\nconst int high = low + 1;\nif (low >= n) "
          "return;\n@c[high] = 0;",
          CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    expect("`low >= n` is false in thread (5,0) of block (1,0): `low` is 7, `n` is 8",
           "`high` is 8 in thread (5,0) of block (1,0)"); /* `low` is said */
}

/* A variable that counts along an extent, and goes beyond it. */
static void extents(void **state)
{
    static const char rows[] =
        "for (int s = 0; s < n; s += 2) {\nconst int y = s + threadIdx.x / 8;\n"
        "@c[y * 4 + threadIdx.x - 5] = 0; }";
    (void)state;
    found(rows, CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    expect("`y` is 2 in thread (5,0) of block (1,0)",
           "`s` is 2 in thread (5,0) of block (1,0), and goes on while `s < n`, which is 8");
    found(rows, CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    values.operand = "B";
    values.operand_rank = 2;
    values.operand_extents[0] = 2;
    values.operand_extents[1] = 4;
    expect("`s < n` lets `s` = 2 in: `n` is 8, and B has 2 rows",
           "`y` is 2 in thread (5,0) of block (1,0)");
    found(rows, CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    values.operand = "B";
    values.operand_rank = 2;
    values.operand_extents[0] = 4;
    values.operand_extents[1] = 2; /* `s` does not count rows of 2 */
    expect("`y` is 2 in thread (5,0) of block (1,0)",
           "`s` is 2 in thread (5,0) of block (1,0), and goes on while `s < n`, which is 8");
    found("for (int i = threadIdx.x - 5; i < 2 * n; i += n) {\nconst int y = i / 4;\n"
          "@c[y * 4 + i % 4] = 0; }",
          CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    values.operand = "B";
    values.operand_rank = 2;
    values.operand_extents[0] = 2;
    values.operand_extents[1] = 4; /* `i` counts all elements, not those of a row */
    expect("`y` is 2 in thread (5,0) of block (1,0)",
           "`i` is 8 in thread (5,0) of block (1,0), and goes on while `i < 2 * n`, which is 16");
}

static void shared_arrays(void **state)
{
    (void)state;
    found_past("__shared__ T s[2 * W];\nfor (int k = 4; k > 0; k /= 2) {\n"
               "if (threadIdx.x <= k + 2) {\n@s[threadIdx.x] += s[threadIdx.x + k]; } }",
               "read", 8);
    expect("`threadIdx.x <= k + 2` lets `threadIdx.x` = 5 in: `k + 2` is 5",
           "`k` is 3 in thread (5,0) of block (1,0)");
    found_past("__shared__ T s[2 * W];\nfor (int k = 4; k > 0; k /= 2) {\n"
               "if (threadIdx.x < k) {\n@s[threadIdx.x] += s[threadIdx.x + k]; } }",
               "read", 9); /* k is 4: the condition is false */
    expect("", "");
    found_past("__shared__ T s[X][Y];\nfor (int k = 1; k <= W; k++) {\n@s[k][0] = 0; }", "write",
               8);
    expect("", ""); /* X and Y are not known */
    found_past("__shared__ T s[W][2];\nfor (int k = 1; k <= W; k++) {\n@s[k][0] = 0; }", "write",
               8);
    expect("`k <= W` lets `k` = 4 in: `W` is 4, and s has 4 rows", "");
}

static void leaving(void **state)
{
    (void)state;
    found("const int i = threadIdx.x + 3;\nif (i > n) return;\n@c[i] = 0;",
          CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    expect("`i > n` lets `i` = 8 through: `n` is 8", "`i` is 8 in thread (5,0) of block (1,0)");
    found("const int i = threadIdx.x + 3;\nif (i >= n) return;\n@c[i] = 0;",
          CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    expect("`i` is 8 in thread (5,0) of block (1,0)", ""); /* that would have kept it out */
    found("const int x = threadIdx.x, i = x + 3;\nconst bool is_inside = x > 0 && x < n;\n"
          "if (is_inside) {\n@c[i] = 0; }",
          CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    fixture.finding.message = "before the start";
    fixture.finding.needed_bytes = 0;
    expect("`i` is 8 in thread (5,0) of block (1,0)", "");
    found("const int x = threadIdx.x, i = x + 3;\nconst bool is_edge = x == 0 && x < n;\n"
          "if (!is_edge) {\n@c[i] = 0; }",
          CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    expect("`is_edge` is false in thread (5,0) of block (1,0): `x` is 5, `n` is 8",
           "`i` is 8 in thread (5,0) of block (1,0)");
    found("const int i = blockIdx.x * W + 4;\nif (threadIdx.x < n) {\n@c[i + threadIdx.x] = 0; }",
          CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    values.address += 20;
    fixture.finding.needed_bytes += 20;
    expect("`threadIdx.x < n` is true in thread (5,0) of block (1,0): `threadIdx.x` is 5, `n` is 8",
           "`i` is 8 in block (1,0)");
}

/* Of a name that is too long to read, the start is shown. */
static void long_names(void **state)
{
    enum { LENGTH = 300, SHOWN = 200 };
    char name[LENGTH + 1] = "";
    char body[3 * LENGTH];
    char expected[2 * SHOWN];

    (void)state;
    memset(name, 'x', LENGTH);
    snprintf(body, sizeof body, "const int %s = threadIdx.x + 1;\n@c[%s] = 0;", name, name);
    snprintf(expected, sizeof expected, "`%.*s...` is 6 in thread (5,0) of block (1,0)", SHOWN,
             name);
    found(body, CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    expect(expected, "");
}

static void stored_elements(void **state)
{
    (void)state;
    found("__shared__ float s[W];\nconst int k = threadIdx.x + 1;\ns[threadIdx.x] = 0;\n"
          "if (threadIdx.x == 0) { s[0] = 1; }\n@c[0] = s[k];",
          CODE_UNINITIALISED_SHARED, "read", NULL);
    expect("`k` is 6 in thread (5,0) of block (1,0)",
           "writes `s[5]` in thread (5,0) of block (1,0)");
    found("__shared__ float s[W];\nif (threadIdx.x < W) {\ns[threadIdx.x] = 0; }\n"
          "@c[0] = s[threadIdx.x + 1];",
          CODE_UNINITIALISED_SHARED, "read", NULL);
    expect("", ""); /* the thread does not get there */
    found("__shared__ float s[W];\ns[threadIdx.x] = 0;\n@c[0] = s[threadIdx.x];",
          CODE_UNINITIALISED_SHARED, "read", NULL);
    expect("", "");
    /* No array has so many dimensions: the name of an element stays short. */
    found("s[threadIdx.x][0][0][0] = 0;\n@c[0] = s[1][0][0][0];", CODE_UNINITIALISED_SHARED, "read",
          NULL);
    expect("writes `s[5][0][0][0]` in thread (5,0) of block (1,0)", "");
    found("s[threadIdx.x][0][0][0][0] = 0;\n@c[0] = s[1][0][0][0][0];", CODE_UNINITIALISED_SHARED,
          "read", NULL);
    expect("", "");
}

/* What is not certain has no mark. */
static void doubts(void **state)
{
    const char *const bodies[] = {
        "int i = threadIdx.x + 1;\nif (n) { i = 2; }\n@c[i] = 0;",
        "@c[threadIdx.x + 1] = 0;",
        "const int i = threadIdx.x;\n@c[i] = 0;",
        "const int i = threadIdx.x + 1;\nconst int k = i + 1;\n@c[i] = 0, c[k] = 0;",
        "const int i = 2 * n;\n@c[i] = 0;",
    };

    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        found(bodies[i], CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
        expect("", "");
    }
    /* An allocation that c does not point into. */
    found("const int i = threadIdx.x + 1;\n@c[i] = 0;", CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    values.address += 64;
    expect("", "");
    /* A barrier is missing: no index is wrong. */
    found("__shared__ float s[W];\nconst int i = threadIdx.x * 2;\n@s[i] = s[i + 1];",
          CODE_SHARED_RACE, "read", "write");
    expect("", "");
    /* Without the launch only coordinates are known. */
    found("const int i = threadIdx.x + n;\n@c[i] = 0;", CODE_GLOBAL_OUT_OF_BOUNDS, "write", NULL);
    fixture.finding.values = NULL;
    expect("", "");
}

/* An element s[element] of s, of 4 * `size` bytes, that thread (5,0) reads where nothing has been
 * written; blocks have 8 threads. */
static void unwritten(const char *body, size_t size, size_t element)
{
    found(body, CODE_UNINITIALISED_SHARED, "read", NULL);
    values.access_bytes = 4;
    values.variable_bytes = 4 * size;
    values.offset = 4 * element;
}

static void expect_access(const char *label, const char *first, const char *second)
{
    const char *of_cause;

    related_locations(&fixture.input, fixture.arena, &fixture.verdict);
    of_cause = fixture.verdict.cause.label;
    assert_string_equal(of_cause == NULL ? "" : of_cause, label);
    for (size_t i = 0; i < 2; i++) {
        const struct cause *cause = &fixture.verdict.cause;
        assert_string_equal(i < cause->also_count ? cause->also[i].label : "",
                            i == 0 ? first : second);
    }
    fixture_free(&fixture);
}

static void unwritten_ranges(void **state)
{
    (void)state;
    unwritten("__shared__ float s[3 * W];\ns[threadIdx.x + 1] = 0;\n@c[0] = s[threadIdx.x - 5];",
              12, 0);
    expect_access("`s[0]` is read by thread (5,0) of block (1,0)",
                  "only elements 1 to 8 are stored here", "");
    /* Which of the accesses is meant shows in the element. */
    unwritten("__shared__ float s[3 * W];\nconst int own = threadIdx.x + 1;\ns[own] = 0;\n"
              "@c[0] = s[own] - s[own + 3];",
              12, 9);
    expect_access("`s[9]` is read by thread (5,0) of block (1,0)",
                  "only elements 1 to 8 are stored here",
                  "`own` is 6 in thread (5,0) of block (1,0)");
    unwritten("__shared__ float s[20][2];\nfor (int i = threadIdx.x; i < 20; i += 2 * n) {\n"
              "s[i][0] = 0;\ns[i][1] = 0; }\n@c[0] = s[n][0];",
              40, 16);
    expect_access("`s[8][0]` is read by thread (5,0) of block (1,0)", "", "");
    unwritten("__shared__ float s[20][2];\nfor (int i = threadIdx.x; i < 20; i += 2 * n) {\n"
              "for (int k = 0; k < 2; k++) {\ns[i][k] = 0; } }\n@c[0] = s[n][0];",
              40, 16);
    expect_access("`s[8][0]` is read by thread (5,0) of block (1,0)",
                  "only rows 0 to 7 and 16 to 19 are stored here",
                  "`i` starts at 0 to 7 and goes on by 16");
    /* X, which only the size of the array shows, is 2. */
    unwritten("__shared__ float s[W][2 * X];\nfor (int i = 0; i < X; ++i) {\n"
              "s[threadIdx.x / 2][i] = 0; }\n@c[0] = s[0][2];",
              16, 2);
    expect_access("`s[0][2]` is read by thread (5,0) of block (1,0)",
                  "only columns 0 to 1 are stored here", "");
    unwritten("extern __shared__ float s[];\ns[2 * threadIdx.x] = 0;\n@c[0] = s[1];", 16, 1);
    expect_access("`s[1]` is read by thread (5,0) of block (1,0)",
                  "no thread stores element 1 here", "");
}

static void unwritten_conditions(void **state)
{
    static const char alone[] = "__shared__ float s[3 * W];\nif (threadIdx.x < n) {\n"
                                "if (threadIdx.x == %s) {\ns[0] = 0; } }\n"
                                "s[threadIdx.x + 1] = 0;\n@c[0] = s[0];";
    char body[256];

    (void)state;
    snprintf(body, sizeof body, alone, "n - 1");
    unwritten(body, 12, 0);
    expect_access("`s[0]` is read by thread (5,0) of block (1,0)", /* it is stored */
                  "writes `s[6]` in thread (5,0) of block (1,0)", "");
    unwritten("__shared__ float s[3 * W];\nconst int i = blockIdx.x * 8 + threadIdx.x;\n"
              "if (i < n && threadIdx.x == 7) {\ns[0] = 0; }\n"
              "s[threadIdx.x + 1] = 0;\n@c[0] = s[0];",
              12, 0);
    expect_access("`s[0]` is read by thread (5,0) of block (1,0)",
                  "`i < n` is false in thread (7,0) of block (1,0), which alone would store `s[0]`",
                  "the only store of `s[0]`");
    unwritten("__shared__ float s[3 * W];\nif (threadIdx.x >= W) return;\n"
              "s[threadIdx.x] = 0;\n@c[0] = s[4];",
              12, 4);
    expect_access("`s[4]` is read by thread (5,0) of block (1,0)",
                  "`threadIdx.x >= W` is true in thread (4,0) of block (1,0), which alone would "
                  "store `s[4]`",
                  "the only store of `s[4]`");
    unwritten("__shared__ float s[3 * W];\ns[threadIdx.x] = 0;\n" /* another store gets there */
              "if (n < 5) {\ns[0] = threadIdx.x; }\n@c[0] = s[0];",
              12, 0);
    expect_access("`s[0]` is read by thread (5,0) of block (1,0)",
                  "writes `s[5]` in thread (5,0) of block (1,0)", "");
    unwritten("__shared__ float s[3 * W];\nif (n < 5) {\ns[0] = threadIdx.x; }\n@c[0] = s[0];", 12,
              0);
    expect_access("`s[0]` is read by thread (5,0) of block (1,0)",
                  "`n < 5` is false in all threads that would store `s[0]`",
                  "the only store of `s[0]`");
}

/* Nothing is said of stores where their elements are not certain. */
static void unwritten_doubts(void **state)
{
    const char *const bodies[] = {
        "__shared__ float s[3 * W];\ns[f(n)] = 0;\n@c[0] = s[0];",
        "__shared__ float s[3 * W];\ns[threadIdx.x + 1] = 0;\nset(&s[0]);\n@c[0] = s[0];",
        "__shared__ float s[3 * W];\ns[threadIdx.x + 1] = 0;\nset(s);\n@c[0] = s[0];",
        "__shared__ float s[3 * W];\nfor (int i = 1; i < 8; i *= 2) {\ns[i] = 0; }\n@c[0] = s[0];",
        "__shared__ float s[3 * W];\nfor (int i = 1; i < 8; i++) {\nif (n) break;\ns[i] = 0; }\n"
        "@c[0] = s[0];",
        "__shared__ float s[3 * W];\nfor (int i = 1; i < 100000; i++) {\ns[i % 5 + 1] = 0; }\n"
        "@c[0] = s[0];",
        "__shared__ float s[3 * W];\nif (f(n)) {\ns[0] = 0; }\n@c[0] = s[0];",
    };
    /* Other tokens may store the element. */
    enum { HIDDEN = 9 };
    const char *const hidden[HIDDEN] = {
        "#define PUT(i) \\\n  s[i] = 0\n",
        " #  define FIRST s[0] = 0\n",
        "float &first = s[0]; first = 0;",
        "auto put = [&]() { s[0] = 0; }; put();",
        "multiply(0, s[0]);",
        "multiply(s[0], 0);",
        "multiply(W + (n), s[0]);",
        "swap(s[0], s[1]);",
        "if (n) { __shared__ float s[12]; s[1] = 0; }",
    };
    const char *const harmless[] = {
        "#define OTHERS(i) as[i] = 0\n", "float first = s[0];", "c[0] = fmaxf(s[0], 1);",
        "if (c[s[0]] > 0) { }",          "#ifdef s\n#endif\n",
    };

    static const char goes_on[] = "`i` goes on from 1 while `i < 8`";
    static const char goes_far[] = "`i` goes on from 1 while `i < 100000`";
    static const char writes[] = "writes `s[6]` in thread (5,0) of block (1,0)";
    const char *const marks[] = {"", writes, writes, goes_on, goes_on, goes_far, ""};

    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        unwritten(bodies[i], 12, 0);
        expect_access("`s[0]` is read by thread (5,0) of block (1,0)", marks[i], "");
    }
    for (size_t i = 0; i < HIDDEN + sizeof harmless / sizeof harmless[0]; i++) {
        const bool is_hidden = i < HIDDEN;
        char body[256];
        snprintf(body, sizeof body,
                 "__shared__ float s[12];\nif (n < 5) {\ns[0] = 1; }\n%s\n@c[0] = s[0];",
                 is_hidden ? hidden[i] : harmless[i - HIDDEN]);
        unwritten(body, 12, 0);
        expect_access("`s[0]` is read by thread (5,0) of block (1,0)",
                      is_hidden ? "" : "`n < 5` is false in all threads that would store `s[0]`",
                      is_hidden ? "" : "the only store of `s[0]`");
    }
    /* Two stores, one of which is kept out for several reasons. */
    unwritten("__shared__ float s[12];\nif (threadIdx.x > 1 && threadIdx.x < 1) {\ns[0] = 1; }\n"
              "if (n < 5) {\ns[0] = 1; }\n@c[0] = s[0];",
              12, 0);
    expect_access("`s[0]` is read by thread (5,0) of block (1,0)",
                  "`n < 5` is false in all threads that would store `s[0]`", "");
    unwritten("__shared__ float s[12];\ns[threadIdx.x] = 0;\n@c[0] = s[n + 4];", 12, 12);
    expect_access("`s[12]` is read by thread (5,0) of block (1,0)",
                  "writes `s[5]` in thread (5,0) of block (1,0)", "");
    /* What is read is not certain: the size does not fit, two accesses may be meant. */
    unwritten("__shared__ float s[W];\ns[threadIdx.x + 1] = 0;\n@c[0] = s[0];", 12, 0);
    expect_access("", "writes `s[6]` in thread (5,0) of block (1,0)", "");
    unwritten("__shared__ float s[X][Y];\ns[0][n] = 0;\n@c[0] = s[0][0];", 12, 0);
    expect_access("", "", "");
    unwritten("__shared__ float s[3 * W];\ns[threadIdx.x + 1] = 0;\n@c[0] = s[f(n)] + s[f(0)];", 12,
              0);
    expect_access("", "only elements 1 to 8 are stored here", "");
}

static void unwritten_device_memory(void **state)
{
    (void)state;
    found("@c[1] = c[threadIdx.x + 3];", CODE_UNINITIALISED_GLOBAL, "read", NULL);
    values.access_bytes = 4;
    expect_access("`c[8]` is read by thread (5,0) of block (1,0)", "", "");
    found("@c[1] = c[threadIdx.x + 3] + c[0];", CODE_UNINITIALISED_GLOBAL, "read", NULL);
    values.access_bytes = 4;
    expect_access("`c[8]` is read by thread (5,0) of block (1,0)", "", "");
    found("@c[1] = c[threadIdx.x + 2];", CODE_UNINITIALISED_GLOBAL, "read", NULL);
    values.access_bytes = 8; /* no element of c */
    expect_access("", "", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unwritten_ranges), cmocka_unit_test(unwritten_conditions),
        cmocka_unit_test(unwritten_doubts), cmocka_unit_test(unwritten_device_memory),
        cmocka_unit_test(indices),          cmocka_unit_test(bounds),
        cmocka_unit_test(shared_arrays),    cmocka_unit_test(leaving),
        cmocka_unit_test(stored_elements),  cmocka_unit_test(doubts),
        cmocka_unit_test(long_names),       cmocka_unit_test(solved),
        cmocka_unit_test(extents),          cmocka_unit_test(chains),
        cmocka_unit_test(global_arrays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
