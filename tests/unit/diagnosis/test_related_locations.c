/* test_related_locations.c: the lines that are marked beside the place of a cause. */
#include "../criteria_fixture.h"
#include "diagnosis/hints/finding_hint.h"
#include "diagnosis/location/related_locations.h"

#include <stdio.h>

static struct fixture fixture;
static struct source_file file;

static void set_up(const char *source, enum code code, int line)
{
    fixture_init(&fixture, CRITERION_CORRECT);
    file = (struct source_file){"multiply.cu", source, strlen(source)};
    fixture.input.sources = &file;
    fixture.input.source_count = 1;
    fixture.verdict = (struct verdict){.criterion = &fixture.criterion, .status = STATUS_FAILED};
    fixture.verdict.cause =
        (struct cause){.code = code, .message = "", .file = "multiply.cu", .line = line};
}

static void expect_also(int line, const char *label)
{
    const struct cause *cause = &fixture.verdict.cause;

    related_locations(&fixture.input, fixture.arena, &fixture.verdict);
    assert_int_equal(cause->also_count, line > 0 ? 1 : 0);
    if (line > 0) {
        assert_int_equal(cause->also[0].line, line);
        assert_string_equal(cause->also[0].file, "multiply.cu");
        assert_string_equal(cause->also[0].label, label);
    }
    fixture_free(&fixture);
}

/* C has 8 rows and 24 columns in the second shape; a block of 8 x 8 threads reads in line 1. */
static void spoil_grid(uint32_t across, uint32_t down, uint32_t block_x, uint32_t block_y)
{
    struct observation *observation = &fixture.observations[1];

    set_up("__global__ void multiply(const float *a, float *c) { c[0] = a[0]; }\n"
           "void launch() {\n"
           "    dim3 blocks(3, 1);\n"
           "    multiply<<<blocks, 64>>>(a, c); }\n",
           CODE_GLOBAL_OUT_OF_BOUNDS, 1);
    observation->geometry = (struct launch_geometry){{across, down, 1}, {8, 8, 1}, 0};
    fixture.finding = (struct finding){
        .code = CODE_GLOBAL_OUT_OF_BOUNDS,
        .places =
            {{"read", "multiply.cu", 1, 5, true, {block_x, block_y, 0}, {0, 0, 0}, NULL, false}},
        .place_count = 1,
    };
    fixture.samples[1][0].findings = &fixture.finding;
    fixture.samples[1][0].finding_count = 1;
}

static void grids(void **state)
{
    (void)state;
    spoil_grid(4, 1, 3, 0);
    expect_also(3, "32 threads in x and 8 in y, for 24 columns and 8 rows of C");
    spoil_grid(3, 2, 0, 1);
    expect_also(3, "24 threads in x and 16 in y, for 24 columns and 8 rows of C");
    spoil_grid(4, 1, 2, 0); /* a block that belongs there */
    expect_also(0, "");
    spoil_grid(1, 3, 0, 2); /* rows lie along x, and all fit */
    expect_also(0, "");
    spoil_grid(UINT32_MAX, UINT32_MAX, 3, 0); /* no sum overflows */
    expect_also(0, "");
    spoil_grid(4, 1, 3, 0);
    fixture.finding.places[0].line = 2; /* another access */
    expect_also(0, "");
}

/* A call with one kernel. */
static void round_grid(uint32_t across, uint32_t down, uint32_t block_x, uint32_t block_y)
{
    static const struct kernel_counts kernel = {.plain_name = "multiply"};

    spoil_grid(across, down, 0, 0);
    fixture.verdict.cause.code = CODE_UNINITIALISED_GLOBAL;
    fixture.launch.call = "multiply";
    fixture.observations[1].geometry.block[0] = block_x;
    fixture.observations[1].geometry.block[1] = block_y;
    fixture.samples[1][0].kernels = &kernel;
    fixture.samples[1][0].kernel_count = 1;
}

static void grids_that_are_rounded_down(void **state)
{
    (void)state;
    round_grid(1, 1, 16, 16);
    expect_also(3, "16 threads in x and 16 in y, for 24 columns and 8 rows of C");
    round_grid(2, 1, 10, 5);
    expect_also(3, "20 threads in x and 5 in y, for 24 columns and 8 rows of C");
    round_grid(2, 1, 16, 16); /* covers all */
    expect_also(0, "");
    round_grid(1, 3, 16, 10); /* covers all if x goes along the rows */
    expect_also(0, "");
    round_grid(1, 1, 8, 8); /* each thread may have more columns */
    expect_also(0, "");
    round_grid(1, 1, 16, 1); /* or rows */
    expect_also(0, "");
}

/* 24 columns and 8 rows, in blocks that should have 8 columns and 4 rows. */
static void exchange_block(void)
{
    round_grid(3, 2, 4, 8);
}

/* The same, of a kernel whose index is that; nothing is to be read but the launch. */
static void exchange_of_kernel(const char *index)
{
    static char source[256];

    exchange_block();
    snprintf(source, sizeof source,
             "enum { WIDE = 8, HIGH = 4 };\n"
             "__global__ void multiply(const float *a, float *c) { c[%s] = 0; }\n"
             "void launch() {\n"
             "    multiply<<<blocks, 64>>>(a, c); }\n",
             index);
    file.text = source;
    file.length = strlen(source);
    fixture.verdict.cause.line = 2;
}

/* Where the cause has moved to, what is said there and in the hint. */
static void expect_exchange(int line, int column, const char *label, const char *hint)
{
    const struct cause *cause = &fixture.verdict.cause;

    related_locations(&fixture.input, fixture.arena, &fixture.verdict);
    assert_int_equal(cause->line, line);
    assert_int_equal(cause->column, column);
    assert_string_equal(cause->label, label);
    assert_non_null(strstr(cause->hint, hint));
    fixture_free(&fixture);
}

static void exchanges_that_kernels_decide(void **state)
{
    const char *grid = "the grid fits blocks of 8 columns and 4 rows";
    const char *block = "blocks of 4 columns and 8 rows";

    (void)state;
    exchange_of_kernel("blockIdx.x * HIGH + threadIdx.x");
    expect_exchange(4, 16, grid, "exchange the two numbers that it is divided by");
    exchange_of_kernel("8 * blockIdx.y");
    expect_exchange(4, 16, grid, "`multiply` is made for blocks of 4 columns and 8 rows");
    exchange_of_kernel("blockIdx.x * WIDE + threadIdx.x");
    expect_exchange(4, 24, block, "exchange the two numbers of the block,");
    exchange_of_kernel("blockIdx.x * blockDim.x + threadIdx.x");
    expect_exchange(4, 24, block, "exchange the two numbers of the block,");
    exchange_of_kernel("0]; __shared__ float tile[8]; c[blockIdx.x * blockDim.x");
    related_locations(&fixture.input, fixture.arena, &fixture.verdict);
    assert_int_equal(fixture.verdict.cause.line, 2); /* the tile's size decides, but how? */
    fixture_free(&fixture);
}

static void blocks_with_exchanged_sides(void **state)
{
    struct observation *other = &fixture.observations[0];

    (void)state;
    exchange_block(); /* what the kernel is made for is not known: the cause stays */
    related_locations(&fixture.input, fixture.arena, &fixture.verdict);
    assert_int_equal(fixture.verdict.cause.line, 1);
    assert_int_equal(fixture.verdict.cause.also_count, 2);
    assert_non_null(strstr(fixture.verdict.cause.hint, "or of the block, as the kernel needs it"));
    fixture_free(&fixture);
    round_grid(3, 1, 8, 8); /* as wide as high */
    expect_also(0, "");
    round_grid(4, 3, 2, 8); /* the two numbers of the grid are exchanged */
    expect_also(0, "");
    exchange_block();
    other->samples = fixture.samples[1];
    other->geometry = (struct launch_geometry){{1, 1, 1}, {4, 8, 1}, 0}; /* too few blocks there */
    expect_also(0, "");
}

static void warned(const char *warning, int line)
{
    set_up("__device__ const float *scratch;\n"
           "__global__ void multiply(float *c) {\n"
           "    c[0] = scratch[0]; }\n"
           "void launch() {\n"
           "    scratch = a; }\n",
           CODE_NULL_POINTER, 3);
    fixture.messages[0] =
        (struct tool_message){.file = "multiply.cu", .line = line, .column = 5, .message = warning};
    fixture.build.messages = fixture.messages;
    fixture.build.message_count = 1;
}

static void assignments(void **state)
{
    const char *label = "host code writes its own copy, which no kernel sees";

    (void)state;
    warned("a __device__ variable \"scratch\" cannot be directly written in a host function", 5);
    expect_also(5, label);
    warned("a __device__ variable \"other\" cannot be directly written in a host function", 5);
    expect_also(0, "");
    warned("a __device__ variable cannot be directly written in a host function", 5);
    expect_also(0, "");
    warned("variable \"scratch\" was set but never used", 5);
    expect_also(0, "");
}

/* A finding of one access, or of two, in lines of a source whose cause is the last one. */
static void found(const char *source, enum code code, int first, const char *role, int line)
{
    set_up(source, code, line);
    fixture.finding = (struct finding){
        .code = code,
        .object = "parts",
        .message = "reads c[8], past the end of c",
        .places = {{role, "multiply.cu", first, 1, true, {0, 0, 0}, {0, 0, 0}, NULL, false},
                   {"write", "multiply.cu", line, 1, true, {0, 0, 0}, {1, 0, 0}, NULL, false}},
        .place_count = first > 0 ? 2 : 1,
        .main_place = 1,
    };
    if (first == 0) {
        fixture.finding.places[0] = fixture.finding.places[1];
        fixture.finding.places[0].thread[0] = 0;
        fixture.finding.main_place = 0;
    }
    fixture.verdict.cause.reason = &fixture.finding;
}

static void loops(void **state)
{
    static const char step[] = "__global__ void multiply(float *c, int n) {\n"
                               "    int k = 0;\n"
                               "    while (k < n) {\n"
                               "        c[0] += 1; }}\n";
    static const char counted[] = "__global__ void multiply(float *c, int n) {\n"
                                  "    for (int k = 0; k <= n; k++) {\n"
                                  "        c[k] += 1; }}\n";
    static const char called[] = "__global__ void multiply(float *c, int n) {\n"
                                 "    int k = 0;\n"
                                 "    while (k < n) {\n"
                                 "        next(&k); }}\n";
    static const char halo[] = "__global__ void multiply(float *c, int n) {\n"
                               "    for (int k = -1; k <= 1; k++) {\n"
                               "        c[k] += 1; }}\n";

    (void)state;
    set_up(step, CODE_LAUNCH_DEADLINE, 4);
    expect_also(3, "nothing in this loop changes `k`");
    set_up(called, CODE_LAUNCH_DEADLINE, 4);
    expect_also(3, "this loop");
    found(counted, CODE_GLOBAL_OUT_OF_BOUNDS, 0, "", 3);
    expect_also(0, ""); /* whether that loop goes too far is not known */
    found(halo, CODE_GLOBAL_OUT_OF_BOUNDS, 0, "", 3);
    expect_also(0, "");
}

static void barriers(void **state)
{
    static const char skipped[] = "__global__ void multiply(float *c, int n) {\n"
                                  "    parts[0] = c[0];\n"
                                  "    if (n > 3) __syncthreads();\n"
                                  "    c[1] = parts[1]; }\n";
    static const char held[] = "__global__ void multiply(float *c, int n) {\n"
                               "    if (n > 3) {\n"
                               "        parts[0] = c[0];\n"
                               "        __syncthreads();\n"
                               "        c[1] = parts[1]; }}\n";

    (void)state;
    found(skipped, CODE_SHARED_RACE, 4, "read", 2);
    expect_also(3, "this barrier runs only if `n > 3`");
    found(held, CODE_SHARED_RACE, 5, "read", 3);
    expect_also(0, "");
}

/* The hint of a cause. */
static void expect_hint(const char *words)
{
    struct cause *cause = &fixture.verdict.cause;

    cause->hint = "as before";
    related_locations(&fixture.input, fixture.arena, &fixture.verdict);
    assert_non_null(strstr(cause->hint, words));
    fixture_free(&fixture);
}

/* A byte with a sign may make an index negative, if the function has any. */
static void expect_sign(const char *type, bool is_said)
{
    char source[200];

    snprintf(source, sizeof source,
             "__global__ void multiply(const %s *a, float *c) {\n"
             "    __shared__ float parts[9];\n"
             "    parts[a[0]] = c[0]; }\n",
             type);
    found(source, CODE_SHARED_OUT_OF_BOUNDS, 0, "write", 3);
    fixture.finding.message = "writes 4 bytes, 4 bytes before the start of `parts` of 36 bytes";
    fixture.verdict.cause.hint = finding_hint(&fixture.finding);
    assert_non_null(strstr(fixture.verdict.cause.hint, "the index is negative"));
    related_locations(&fixture.input, fixture.arena, &fixture.verdict);
    assert_int_equal(strstr(fixture.verdict.cause.hint, "such as char") != NULL, is_said);
    fixture_free(&fixture);
}

static void signs(void **state)
{
    (void)state;
    expect_sign("char", true);
    expect_sign("signed char", true);
    expect_sign("unsigned char", false);
    expect_sign("int", false);
}

/* Some threads wait in a loop, others past it. */
static void rounds(void **state)
{
    static const char apart[] = "__global__ void multiply(float *c, int n) {\n"
                                "    for (int i = threadIdx.x; i < n; i += 32) {\n"
                                "        c[i] = 0;\n"
                                "        __syncthreads(); }\n"
                                "    __syncthreads(); }\n";
    static const char held[] = "__global__ void multiply(float *c, int n) {\n"
                               "    for (int i = 0; i < n; i++) {\n"
                               "        if (i > threadIdx.x)\n"
                               "            __syncthreads(); }\n"
                               "    __syncthreads(); }\n";

    (void)state;
    found(apart, CODE_BARRIER_DIVERGENT, 5, "barrier", 4);
    expect_also(2, "some threads go through this loop less often");
    found(apart, CODE_BARRIER_MISMATCH, 5, "barrier", 4);
    expect_hint("out of the loop");
    found(apart, CODE_BARRIER_DIVERGENT, 3, "barrier", 4); /* both are in it */
    expect_also(0, "");
    found(held, CODE_BARRIER_DIVERGENT, 5, "barrier", 4);
    expect_also(0, "");
}

static void steps(void **state)
{
#define KERNEL "__global__ void multiply(float *c, int n) {\n"
    static const char tree[] = KERNEL "    for (int k = n; k > 0; k /= 2) {\n"
                                      "        if (t < k) parts[t] += parts[t + k]; }}\n";
    static const char apart[] = KERNEL "    for (int k = n; k > 0; k /= 2) {\n"
                                       "        if (parts[t + k] > parts[t])\n"
                                       "            parts[t] = parts[t + k]; }}\n";
    static const char inside[] = KERNEL "    for (int k = n; k > 0; k /= 2) {\n"
                                        "        parts[t] += parts[t + k]; __syncthreads(); }}\n";
    static const char counts[] = KERNEL "    for (int k = 0; k < n; k++) {\n"
                                        "        parts[v[k]]++; }}\n";
    static const char bare[] = KERNEL "    parts[t] = c[t];\n"
                                      "    for (int k = n; k > 0; k /= 2) {\n"
                                      "        if (t < k) parts[t] += parts[t + k]; }}\n";
    static const char tile[] = KERNEL "    for (int k = 0; k < n; k++) {\n"
                                      "        parts[t] = c[k];\n"
                                      "        sum += parts[0]; }}\n";

    (void)state;
    found(tree, CODE_SHARED_RACE, 3, "read", 3);
    expect_hint("at the end of the loop's body");
    found(apart, CODE_SHARED_RACE, 3, "read", 4);
    expect_hint("at the end of the loop's body");
    found(inside, CODE_SHARED_RACE, 3, "read", 3);
    expect_hint("the loop has a barrier already");
    found(counts, CODE_WARP_RACE, 3, "read", 3);
    expect_hint("atomicAdd()");
    found(bare, CODE_SHARED_RACE, 2, "write", 4);
    fixture.finding.places[1].role = "read";
    expect_hint("before the loop, and again at the end");
    found(tile, CODE_SHARED_RACE, 3, "write", 4);
    fixture.finding.places[1].role = "read";
    expect_hint("as before");
    found(tile, CODE_SHARED_RACE, 4, "read", 3); /* the next round */
    expect_hint("as before");
#undef KERNEL
}

static void global_races(void **state)
{
#define KERNEL "__global__ void multiply(float *c, int n) {\n"
    static const char own[] = KERNEL "    c[t] += a[t]; }\n";
    static const char place[] = KERNEL "    c[t] = c[t - 1] + c[t + 1]; }\n";
    static const char cleared[] = KERNEL "    c[t] = 0.0f;\n"
                                         "    atomicAdd(&c[t], 1.0f); }\n";
    static const char stepped[] = KERNEL "    for (int s = 0; s < n; s++) {\n"
                                         "        to[t] = from[t - 1];\n"
                                         "        __syncthreads(); }}\n";

    (void)state;
    found(own, CODE_GLOBAL_RACE, 2, "read", 2);
    expect_hint("as before"); /* of one block */
    found(own, CODE_GLOBAL_RACE, 2, "read", 2);
    fixture.finding.places[1].block[0] = 1;
    expect_hint("blockIdx.x * blockDim.x");
    found(place, CODE_GLOBAL_RACE, 2, "read", 2);
    fixture.finding.places[1].block[0] = 1;
    expect_hint("write to another array");
    found(cleared, CODE_GLOBAL_RACE, 2, "write", 3);
    fixture.finding.places[1].block[0] = 1;
    expect_hint("before the launch, with cudaMemset");
    found(stepped, CODE_GLOBAL_RACE, 3, "read", 3);
    fixture.finding.places[1].block[0] = 1;
    expect_hint("launch it once for each step");
#undef KERNEL
}

static void symbols(void **state)
{
    static const char source[] = "__constant__ float mask[9];\n"
                                 "void launch() {\n"
                                 "    cudaMemcpy(mask, h, 36, cudaMemcpyHostToDevice); }\n";
    static const char pointer[] = "float *mask;\n"
                                  "void launch() {\n"
                                  "    cudaMemcpy(mask, h, 36, cudaMemcpyHostToDevice); }\n";

    (void)state;
    set_up(source, CODE_API_ERROR, 3);
    expect_also(1, "a variable of the device, no pointer to its memory");
    set_up(pointer, CODE_API_ERROR, 3);
    expect_also(0, "");
}

static void parts(void **state)
{
    static const char overlap[] = "__global__ void multiply(float *c, int n) {\n"
                                  "    float *a = parts;\n"
                                  "    float *b = parts + n;\n"
                                  "    a[0] = 1;\n"
                                  "    b[0] = 2; }\n";
    static const char moved[] = "__global__ void multiply(float *c, int n) {\n"
                                "    int t = threadIdx.x;\n"
                                "    float *a = parts + t;\n"
                                "    float *b = parts + t + 1;\n"
                                "    a[0] = 1;\n"
                                "    b[0] = 2; }\n";
    static const char exchanged[] = "__global__ void multiply(float *c, int n) {\n"
                                    "    float *a = parts;\n"
                                    "    float *b = parts + n;\n"
                                    "    a[0] = 1;\n"
                                    "    b[0] = 2; float *t = a; a = b; b = t; }\n";

    (void)state;
    found(overlap, CODE_SHARED_RACE, 4, "write", 5);
    expect_also(3, "`b` starts before `a` ends");
    found(moved, CODE_SHARED_RACE, 5, "write", 6);
    expect_also(0, "");
    found(exchanged, CODE_SHARED_RACE, 4, "write", 5);
    expect_also(0, "");
}

/* A function that calls itself until the program crashes: nothing else is marked. */
static void recursion(void **state)
{
    static const char source[] = "void scan(int n) {\n"
                                 "    if (n > 1) {\n"
                                 "        scan(n);\n"
                                 "    }\n"
                                 "}\n"
                                 "__global__ void multiply(const float *a, float *c) {\n"
                                 "    for (int k = 0; k < 9; k++)\n"
                                 "        c[k] = a[k];\n"
                                 "}\n";

    (void)state;
    set_up(source, CODE_GLOBAL_OUT_OF_BOUNDS, 8);
    fixture.run.activity.recursion = (struct host_place){"multiply.cu", 3};
    expect_also(3, "`scan` calls itself here until the program crashes");
    set_up(source, CODE_GLOBAL_OUT_OF_BOUNDS, 8);
    fixture.run.activity.recursion = (struct host_place){"multiply.cu", 3};
    expect_hint("check the arguments of the call in line 3");
    set_up(source, CODE_SIGNAL, 0);
    fixture.run.activity.recursion = (struct host_place){"multiply.cu", 3};
    expect_also(0, ""); /* it is the place itself */
    assert_int_equal(fixture.verdict.cause.line, 3);
    set_up(source, CODE_GLOBAL_OUT_OF_BOUNDS, 8);
    fixture.run.activity.recursion = (struct host_place){"multiply.cu", 2}; /* names no function */
    expect_hint("as before");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(grids),
                                       cmocka_unit_test(grids_that_are_rounded_down),
                                       cmocka_unit_test(blocks_with_exchanged_sides),
                                       cmocka_unit_test(signs),
                                       cmocka_unit_test(exchanges_that_kernels_decide),
                                       cmocka_unit_test(rounds),
                                       cmocka_unit_test(assignments),
                                       cmocka_unit_test(loops),
                                       cmocka_unit_test(barriers),
                                       cmocka_unit_test(steps),
                                       cmocka_unit_test(global_races),
                                       cmocka_unit_test(symbols),
                                       cmocka_unit_test(parts),
                                       cmocka_unit_test(recursion)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
