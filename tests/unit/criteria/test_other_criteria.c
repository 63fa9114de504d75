/* test_other_criteria.c: compile, dynamic, occupancy, block-size, and the printouts they read. */
#include "../criteria_fixture.h"

#include <stdio.h>

static struct fixture fixture;

/* Compile **************************************************************************************/

static void test_compile_passes(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_COMPILE);
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.summary, "1 program, 32 registers, no spills");
    fixture.resources.spill_load_bytes = 12;
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.summary, "1 program, 32 registers, 12 bytes spilled");
    fixture.resources.registers = 0;
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.summary, "1 program");
    fixture.is_template = true; /* the template compiles */
    expect_pass(&fixture);
}

static void test_compile_is_shared(void **state)
{
    struct program_build builds[2];
    struct rubric_program programs[2];

    (void)state;
    fixture_init(&fixture, CRITERION_COMPILE);
    programs[0] = programs[1] = fixture.program;
    builds[0] = builds[1] = fixture.build;
    builds[1].linked = false;
    builds[1].failure = CODE_LINK_ERROR;
    fixture.rubric.programs = programs;
    fixture.rubric.program_count = 2;
    fixture.evidence.builds = builds;
    const struct verdict *verdict = fixture_judge(&fixture);
    assert_int_equal(verdict->status, STATUS_PARTIAL);
    assert_true(verdict->points == 4.5);
    assert_int_equal(verdict->cause.code, CODE_LINK_ERROR);
    assert_string_equal(verdict->summary, "1 of 2 programs");
    builds[0].linked = false;
    builds[0].failure = CODE_SOURCE_MISSING;
    builds[0].failed_file = "multiply.cu";
    expect_failure(&fixture, CODE_SOURCE_MISSING, "multiply.cu is missing");
}

static void test_compile_causes(void **state)
{
    static const struct {
        enum code code;
        const char *words;
    } rows[] = {
        {CODE_COMPILE_ERROR, "nvcc rejects"},
        {CODE_COMPILE_LIMIT, "the compiler was stopped at its limit of 60 s"},
        {CODE_SOURCE_NOT_TEXT, "multiply.cu is not a text file"},
        {CODE_LINK_ERROR, "missing or defined twice"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture_init(&fixture, CRITERION_COMPILE);
        fixture.build.linked = false;
        fixture.build.failure = rows[i].code;
        fixture.build.failed_file = "multiply.cu";
        fixture.build.end = (struct program_end){.ending = ENDING_WALL_LIMIT, .limit = 60000000000};
        expect_failure(&fixture, rows[i].code, rows[i].words);
    }
}

static void test_source_too_large(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_COMPILE);
    fixture.build.linked = false;
    fixture.build.failure = CODE_SOURCE_NOT_TEXT;
    fixture.build.failed_file = "multiply.cu";
    fixture.build.failed_limit_bytes = 4194304;
    expect_failure(&fixture, CODE_SOURCE_NOT_TEXT,
                   "multiply.cu is larger than 4194304 bytes, the limit for a source");
}

/* Dynamic **************************************************************************************/

static int set_up_dynamic(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_DYNAMIC);
    return 0;
}

static void test_dynamic_passes(void **state)
{
    (void)state;
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.summary, "512 bytes for 64 threads");
    assert_int_equal(fixture_evidence(&fixture, "static_shared_bytes")->integer, 0);
    for (size_t i = 0; i < TOY_SHAPES; i++) {
        fixture.observations[i].geometry.block[1] =
            4; /* fewer rows: the block width's square counts too */
    }
    expect_pass(&fixture);
}

static void expect_hint(const char *words)
{
    fixture_judge(&fixture);
    if (strstr(fixture.verdict.cause.hint, words) == NULL) {
        fail_msg("%s", fixture.verdict.cause.hint);
    }
}

/* The smallest block, of 8 columns, needs 512 bytes. */
static void test_dynamic_static_tile(void **state)
{
    fixture.resources.static_shared_bytes = 2048;
    expect_failure(&fixture, CODE_STATIC_TILE,
                   "2048 bytes of static shared memory, expected less than 128, too few for a "
                   "tile");
    set_up_dynamic(state);
    fixture.resources.static_shared_bytes = 128;
    expect_hint("`extern __shared__ float tiles[]`");
    expect_failure(&fixture, CODE_STATIC_TILE, "128 bytes of static shared memory");
    set_up_dynamic(state);
    fixture.resources.static_shared_bytes = 127; /* a counter, a barrier */
    fixture_judge(&fixture);
    assert_int_equal(fixture_evidence(&fixture, "static_shared_bytes")->integer, 127);
    expect_pass(&fixture);
}

/* A block of many threads is launched, and a smaller one allowed. */
static void test_dynamic_static_array_of_a_smaller_block(void **state)
{
    (void)state;
    fixture.criterion.minimum_bytes = toy_expression(&fixture, "4 * threads");
    for (size_t i = 0; i < TOY_OPERANDS; i++) {
        fixture.launch.operands[i].rank = 1;
        fixture.launch.operands[i].type = ELEMENT_I32;
    }
    fixture.resources.static_shared_bytes = 7;
    fixture_judge(&fixture);
    assert_int_not_equal(fixture.verdict.cause.code, CODE_STATIC_TILE);
    fixture.resources.static_shared_bytes = 8;
    expect_hint("`extern __shared__ int data[]` and keep in it what the block loads");
    expect_failure(&fixture, CODE_STATIC_TILE, "expected less than 8, too few for an array");
}

static void test_dynamic_static_bytes_without_a_minimum(void **state)
{
    (void)state;
    fixture.criterion.minimum_bytes = NULL;
    fixture.resources.static_shared_bytes = 4;
    expect_failure(&fixture, CODE_STATIC_TILE, "4 bytes of static shared memory, expected none");
}

static void test_dynamic_bytes(void **state)
{
    (void)state;
    fixture.observations[2].geometry.dynamic_shared_bytes = 516;
    expect_failure(&fixture, CODE_WRONG_BYTE_COUNT,
                   "516 bytes of dynamic shared memory, but "
                   "requiredSM(64) gives 512");
    set_up_dynamic(state);
    fixture.observations[0].geometry.dynamic_shared_bytes = 0;
    fixture_print(&fixture, 1, "requiredSM(64) = 0\n");
    expect_failure(&fixture, CODE_WRONG_BYTE_COUNT, "but requiredSM(64) gives 0");
    set_up_dynamic(state);
    for (size_t i = 0; i < TOY_SHAPES; i++) {
        fixture.observations[i].geometry.dynamic_shared_bytes = 511;
    }
    fixture_print(&fixture, 1, "requiredSM(64) = 511\n");
    expect_failure(&fixture, CODE_WRONG_BYTE_COUNT, "at least 512 are needed");
}

/* Launches that take what the table gives for their block of 8 columns. */
static void set_up_table(void **state, uint32_t bytes, const char *table)
{
    set_up_dynamic(state);
    for (size_t i = 0; i < TOY_SHAPES; i++) {
        fixture.observations[i].geometry.dynamic_shared_bytes = bytes;
    }
    fixture_print(&fixture, 1, table);
}

/* Block widths 8 and 16 are allowed, 512 and 2048 bytes; the table is judged at 64 and 256 threads.
 * */
static void test_dynamic_table_of_all_blocks(void **state)
{
    fixture_free(&fixture);
    set_up_table(state, 512, "requiredSM(64) = 512\nrequiredSM(256) = 2047\n");
    expect_failure(&fixture, CODE_WRONG_BYTE_COUNT,
                   "requiredSM(256) gives 2047 bytes, at least 2048 are needed for a block of 16 "
                   "columns (8 * 16 * 16)");
    set_up_table(state, 512, "requiredSM(64) = 512\nrequiredSM(256) = 0\n");
    expect_hint("for any number of threads");
    expect_failure(&fixture, CODE_WRONG_BYTE_COUNT, "requiredSM(256) gives 0 bytes");
    set_up_table(state, 2048, "requiredSM(256) = 2048\nrequiredSM(64) = 2048\n");
    expect_failure(&fixture, CODE_WRONG_BYTE_COUNT,
                   "requiredSM gives 2048 bytes for 64 threads and for 256: it must depend");
    set_up_table(state, 4096, "requiredSM(64) = 4096\nrequiredSM(256) = 3072\n");
    expect_failure(&fixture, CODE_WRONG_BYTE_COUNT,
                   "4096 bytes for 64 threads, but only 3072 for 256: more threads");
}

static void test_dynamic_table_that_is_right(void **state)
{
    fixture_free(&fixture);
    /* padded; other rows do not matter, nor one that is missing */
    set_up_table(state, 576, "requiredSM(32) = 0\nrequiredSM(64) = 576\nrequiredSM(256) = 2176\n");
    expect_pass(&fixture);
    set_up_table(state, 2047, "requiredSM(64) = 2047\nrequiredSM(256) = 2048\n");
    expect_pass(&fixture);
    set_up_table(state, 2048, "requiredSM(64) = 2048\n");
    expect_pass(&fixture);
    set_up_table(state, 2048, "requiredSM(64) = 2048\nrequiredSM(256) = 2048\n");
    fixture.criterion.minimum_bytes = toy_expression(&fixture, "2000"); /* does not grow either */
    expect_pass(&fixture);
    set_up_table(state, 2048, "requiredSM(64) = 2048\nrequiredSM(256) = 2048\n");
    fixture.criterion.minimum_bytes = NULL;
    expect_pass(&fixture);
}

static void test_dynamic_words_for_the_minimum(void **state)
{
    fixture_free(&fixture);
    set_up_table(state, 256, "requiredSM(64) = 256\n");
    expect_hint("exactly half");
    expect_failure(&fixture, CODE_WRONG_BYTE_COUNT,
                   "passes 256 bytes of dynamic shared memory, at least 512 are needed for a block "
                   "of 8 columns (8 * 8 * 8)");
    set_up_table(state, 120, "requiredSM(64) = 120\n");
    fixture.criterion.minimum_bytes =
        toy_expression(&fixture, "max(1e2, 4 * threads) + 2 * floor( block * 16)");
    expect_hint("all arrays that share the memory need room");
    expect_failure(&fixture, CODE_WRONG_BYTE_COUNT, "(max(1e2, 4 * 64) + 2 * floor( 8 * 16))");
    set_up_table(state, 128, "requiredSM(64) = 128\n");
    expect_hint("return bytes, not elements: 128 elements, times sizeof(float)");
    set_up_table(state, 136, "requiredSM(64) = 136\n"); /* with a halo */
    expect_hint("return bytes, not elements");
    fixture_free(&fixture);
}

/* Vectors have no columns, and their elements a type. */
static void test_dynamic_words_for_vectors(void **state)
{
    fixture_free(&fixture);
    set_up_table(state, 136, "requiredSM(64) = 136\n");
    for (size_t i = 0; i < TOY_OPERANDS; i++) {
        fixture.launch.operands[i].rank = 1;
        fixture.launch.operands[i].type = ELEMENT_I32;
    }
    expect_hint("return bytes, not elements: 136 elements, times sizeof(int)");
    fixture.launch.operands[0].type = ELEMENT_F64;
    fixture.observations[0].geometry.dynamic_shared_bytes = 100;
    fixture_print(&fixture, 1, "requiredSM(64) = 100\n");
    expect_hint("elements times the size of one");
    expect_failure(&fixture, CODE_WRONG_BYTE_COUNT, "for a block of 64 threads (8 * 8 * 8)");
}

static void set_up_source(void **state, const char *source, int64_t value)
{
    static struct source_file file;

    set_up_dynamic(state);
    file = (struct source_file){"multiply.cu", source, strlen(source)};
    fixture.input.sources = &file;
    fixture.input.source_count = 1;
    fixture.observations[0].scalars[0] = value;
}

static void test_dynamic_constant_hints(void **state)
{
    static struct rubric_criterion criteria[2];
    static const char prints[] = "int choose() { int edge = 8; printf(\"Edge: %d\\n\", edge); }\n";
    static const struct {
        const char *more;
        int64_t value;
        const char *hint;
    } rows[] = {
        {"", 0,
         "copy the block width with cudaMemcpyToSymbol(EDGE, &width, sizeof width), in `choose`"},
        {"void f() { printf(\"Edge: %d\\n\", 1); }", 0, "sizeof width)"},
        {"#define cudaMemcpyToSymbol copy\n", 0, "sizeof width)"},
        {"", 4, "sizeof width)"},
        {"void f() { cudaMemcpyToSymbol(EDGE, &x, 4); }", 4,
         "before the block width has its final"},
        {"void f() { cudaMemcpyToSymbol(EDGE, &x, 4); }", 0, "fails, comes after the launch"},
        {"void f() { cudaMemcpyToSymbol(EDGE, &x, 4); }", 64, "64 is the number of threads"},
        {"void f() { cudaMemcpyToSymbol(OTHER, &x, 4); }", 0, "in `choose`"},
    };

    fixture_free(&fixture);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char source[512];
        snprintf(source, sizeof source, "%s%s\n", prints, rows[i].more);
        set_up_source(state, source, rows[i].value);
        criteria[0] = fixture.criterion;
        criteria[1] = fixture.criterion;
        criteria[1].kind = CRITERION_BLOCK_SIZE;
        fixture.rubric.criteria = criteria;
        fixture.rubric.criterion_count = 2;
        fixture.printouts[0].label = "Edge:";
        expect_hint(rows[i].hint);
        if (strstr(rows[i].hint, "in `") == NULL) {
            assert_null(strstr(fixture.verdict.cause.hint, "`choose`"));
        }
        fixture_free(&fixture);
    }
}

static void test_dynamic_constant(void **state)
{
    (void)state;
    fixture.observations[0].scalars[0] = 16;
    expect_failure(&fixture, CODE_WRONG_CONSTANT, "EDGE holds 16, expected 8");
    set_up_dynamic(state);
    fixture.observations[0].scalar_known[0] = false;
    expect_failure(&fixture, CODE_WRONG_CONSTANT, "there is no constant EDGE");
    set_up_source(state, "__constant__ size_t EDGE;\n", 0);
    fixture.observations[0].scalar_known[0] = false;
    expect_failure(&fixture, CODE_WRONG_CONSTANT, "EDGE is declared, but not as a single int of 4");
    set_up_dynamic(state);
    fixture.observations[0].scalar_constant[0] = false;
    expect_failure(&fixture, CODE_WRONG_CONSTANT, "EDGE is not in constant memory");
}

static void test_dynamic_blocked(void **state)
{
    (void)state;
    fixture.run.observation_count = 0;
    expect_failure(&fixture, CODE_NEVER_LAUNCHED, "other kernels are launched 3 times");
    set_up_dynamic(state);
    fixture.is_template = true;
    expect_failure(&fixture, CODE_TEMPLATE_UNCHANGED, "still the template");
    set_up_dynamic(state);
    fixture.build.linked = false;
    expect_failure(&fixture, CODE_COMPILE_ERROR, "nvcc rejects");
    set_up_dynamic(state);
    fixture.run.activity.protocol_broken = true;
    expect_failure(&fixture, CODE_PROTOCOL, "tampered");
    set_up_dynamic(state);
    fixture.resources.registers = 0;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_ERROR);
    assert_string_equal(fixture_evidence(&fixture, "static_shared_bytes")->text, "unknown");
    fixture_free(&fixture);
}

static void test_table(void **state)
{
    static const struct {
        const char *text;
        enum code code;
        const char *words;
    } rows[] = {
        {"", CODE_PRINTOUT_MISSING, "no line `requiredSM(<threads>) = <bytes>`"},
        {"required SM(64) = 512\n", CODE_PRINTOUT_MISSING, "got `required SM(64) = 512`"},
        {"requiredSM(32) = 256\n", CODE_PRINTOUT_MISSING, "`requiredSM(64) = <bytes>`"},
        {"requiredSM(64) = -8\n", CODE_PRINTOUT_MALFORMED, "requiredSM(64) = -8"},
        {"requiredSM(64) = 512 bytes\n", CODE_PRINTOUT_MALFORMED, "512 bytes"},
        {"requiredSM(64) = 99999999999999999999\n", CODE_PRINTOUT_MALFORMED, "whole numbers"},
        {"requiredSM(64 = 512\n", CODE_PRINTOUT_MALFORMED, "(64 = 512"},
        {"requiredSM(64) = 512\nrequiredSM(64) = 516\n", CODE_PRINTOUT_REPEATED, "twice"},
    };

    (void)state;
    fixture_free(&fixture);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up_dynamic(state);
        fixture_print(&fixture, 1, rows[i].text);
        expect_failure(&fixture, rows[i].code, rows[i].words);
    }
    set_up_dynamic(state);
    fixture_print(&fixture, 1, "\n  requiredSM(64)=512\r\nother\nrequiredSM(64) = 512");
    expect_pass(&fixture);
}

/* Occupancy ************************************************************************************/

/* On an H200 with 64 threads a block: 32 * 64 / (2048 * 132) = 0.0075758, and the API's 1.0. */
static void expect_printed(const char *text, enum code code, const char *words)
{
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture_print(&fixture, 0, text);
    if (code == CODE_NONE) {
        fixture_judge(&fixture);
        if (fixture.verdict.status == STATUS_PASSED) {
            assert_string_equal(fixture_evidence(&fixture, "formula")->text, words);
        }
        expect_pass(&fixture);
    } else {
        expect_failure(&fixture, code, words);
    }
}

static void test_occupancy_matches(void **state)
{
    (void)state;
    expect_printed("Occupancy: 0.0076\n", CODE_NONE, "sheet");
    expect_printed("first\n  Occupancy:0.00757576   \nlast", CODE_NONE, "sheet");
    expect_printed("Occupancy: 0.0075757573\n", CODE_NONE, "sheet"); /* computed in float */
    expect_printed("Occupancy: 7.58e-03\r\n", CODE_NONE, "sheet");
    expect_printed("Occupancy: 0.76%\n", CODE_NONE, "sheet");
    expect_printed("Occupancy: 0.758 %\n", CODE_NONE, "sheet");
    expect_printed("Occupancy: 1\n", CODE_NONE, "api");
    expect_printed("Occupancy: 100%\n", CODE_NONE, "api");
    expect_printed("Occupancy: 1.000000\n", CODE_NONE, "api");
}

static void test_occupancy_wrong(void **state)
{
    (void)state;
    expect_printed("Occupancy: 0.0075\n", CODE_PRINTOUT_WRONG, "printed 0.0075, expected 0.007576");
    expect_printed("Occupancy: 0.0077\n", CODE_PRINTOUT_WRONG, "blocks of 64 threads on H200");
    expect_printed("Occupancy: 7.5e-03\n", CODE_PRINTOUT_WRONG, "printed 7.5e-03");
    expect_printed("Occupancy: 0.01\n", CODE_PRINTOUT_WRONG, "printed 0.01");
    expect_printed("Occupancy: 0.0\n", CODE_PRINTOUT_WRONG, "printed 0.0");
    expect_printed("Occupancy: 0\n", CODE_PRINTOUT_WRONG, "printed 0,");
    expect_printed("Occupancy: 100\n", CODE_PRINTOUT_WRONG, "printed 100,");
    expect_printed("Occupancy: -1\n", CODE_PRINTOUT_WRONG, "printed -1");
    expect_printed("Occupancy: 0.5\n", CODE_PRINTOUT_WRONG, "1 (the API's)");
}

static void test_occupancy_values_once(void **state)
{
    struct rubric_formula formulas[3];

    (void)state;
    /* without the API's formula its number of blocks is no step towards any */
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture.criterion.formula_count = 1;
    fixture_print(&fixture, 0, "Occupancy: 32\n");
    expect_hint("blocks that fit on a multiprocessor: an occupancy is a fraction");
    fixture_free(&fixture);
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    formulas[0] = fixture.formulas[1];
    formulas[1] = (struct rubric_formula){"one", "another title", toy_expression(&fixture, "1")};
    formulas[2] = fixture.formulas[0];
    fixture.criterion.formulas = formulas;
    fixture.criterion.formula_count = 3;
    fixture_print(&fixture, 0, "Occupancy: 0.5\n");
    expect_failure(&fixture, CODE_PRINTOUT_WRONG,
                   "expected 1 (the API's) or 0.007576 (the sheet's) for blocks");
}

static void test_occupancy_hints(void **state)
{
    static const struct {
        const char *text;
        const char *hint;
    } rows[] = {
        {"Occupancy: 100\n", "put % after"},
        {"Occupancy: 0.76\n", "put % after"},
        {"Occupancy: 0.01\n", "more digits"},
        {"Occupancy: 0.00000\n", "a division of two ints drops the fraction"},
        {"Occupancy: 0\n", "a division of two ints drops the fraction: cast one of them"},
        {"Occupancy: 0 %\n", "a division of two ints"},
        {"Occupancy: 0.000 %\n", "a division of two ints"},
        {"Occupancy: 0.0\n", "more digits"},
        {"Occupancy: 0,76 %\n", "use a point"},
        {"occupancy: 1\n", "label exactly as `Occupancy:`"},
        {"Occupancy: 0.3\n", "GetDeviceProperties"},
        {"Occupancy: 3200 %\n", "GetDeviceProperties"},
        {"Occupancy: 32\n", "32 is the number of blocks that fit on a multiprocessor: multiply by"},
        {"Occupancy: 2048.0\n", "2048 is the number of threads that are active"},
        {"Occupancy: 64\n", "64 is the number of threads of a block: multiply by"},
        {"Occupancy: 2.0\n", "2 is the number of active threads divided by the most threads of a"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture_init(&fixture, CRITERION_OCCUPANCY);
        fixture_print(&fixture, 0, rows[i].text);
        const struct verdict *verdict = fixture_judge(&fixture);
        assert_int_equal(verdict->status, STATUS_FAILED);
        if (strstr(verdict->cause.hint, rows[i].hint) == NULL) {
            print_error("%s\n", verdict->cause.hint);
            fail();
        }
        fixture_free(&fixture);
    }
}

static void test_occupancy_lines(void **state)
{
    (void)state;
    expect_printed("", CODE_PRINTOUT_MISSING, "no line `Occupancy: <number>`");
    expect_printed("Occupancy: 1\nOccupancy: 1\n", CODE_PRINTOUT_REPEATED, "in 2 lines");
    expect_printed("Occupancy:\n", CODE_PRINTOUT_MALFORMED, "got `Occupancy:`");
    expect_printed("Occupancy: nan\n", CODE_PRINTOUT_MALFORMED, "nan");
    expect_printed("Occupancy: inf\n", CODE_PRINTOUT_MALFORMED, "inf");
    expect_printed("Occupancy: 0x1p0\n", CODE_PRINTOUT_MALFORMED, "0x1p0");
    expect_printed("Occupancy: 1 of 2\n", CODE_PRINTOUT_MALFORMED, "1 of 2");
    expect_printed("Occupancy: 1e\n", CODE_PRINTOUT_MALFORMED, "1e");
    expect_printed("Occupancy: 1e-9999\n", CODE_PRINTOUT_MALFORMED, "1e-9999");
    expect_printed("Occupancy: .\n", CODE_PRINTOUT_MALFORMED, "`Occupancy: .`");
    expect_printed("Occupancy: 1 %%\n", CODE_PRINTOUT_MALFORMED, "1 %%");
    expect_printed("Occupancy: \x1b[31m1\n", CODE_PRINTOUT_MALFORMED, "\\x1B[31m1");
    expect_printed("Occupancy: 0.000000000000000000000000000000000000000000000000000000000000001\n",
                   CODE_PRINTOUT_MALFORMED, "expected");
}

/* Lines that a reader would take for the one that is asked for. */
static void test_occupancy_lines_that_are_near(void **state)
{
    static const char *const near[] = {
        "Occupancy :   1.00", "Occupancy = 1.00",    "Theoretical occupancy: 1.00",
        "The Occupancy: 1",   "occupancy is 100 %%", "[OCCUPANCY]1",
    };
    static const char *const far[] = {
        "Occupancy", "Occupancy of the kernel", "reoccupancy: 1", "Occupancyof 1", "1.00",
    };

    (void)state;
    for (size_t i = 0; i < sizeof near / sizeof near[0]; i++) {
        char words[96];
        fixture_init(&fixture, CRITERION_OCCUPANCY);
        fixture_print(&fixture, 0, arena_printf(fixture.arena, "before\n%s\nafter 1\n", near[i]));
        expect_hint("label exactly as `Occupancy:`, and end it with the number");
        snprintf(words, sizeof words, "expected a line `Occupancy: <number>`, got `%s`", near[i]);
        expect_failure(&fixture, CODE_PRINTOUT_MISSING, words);
    }
    for (size_t i = 0; i < sizeof far / sizeof far[0]; i++) {
        expect_printed(far[i], CODE_PRINTOUT_MISSING, "no line `Occupancy: <number>` is printed");
    }
    expect_printed("Occupancy = 2\nOccupancy: 1\n", CODE_NONE, "api");
    expect_printed("Occupancy = 2\noccupancy: 1\n", CODE_PRINTOUT_MISSING, "got `occupancy: 1`");
}

/* A rubric that does not insist on the label at the front of the line. */
static void test_occupancy_in_a_sentence(void **state)
{
    static const struct {
        const char *printed;
        enum code code;
    } rows[] = {
        {"took 3.5 ms with a theoretical occupancy of 0.0076\n", CODE_NONE},
        {"Theoretical occupancy is 0.76 %.\n", CODE_NONE},
        {"occupancy = 0.0076\n", CODE_NONE},
        {"OCCUPANCY: 0.0076\n", CODE_NONE},
        {"occupancy of 0.5\nOccupancy: 0.0076\n", CODE_NONE}, /* the label itself goes before */
        {"occupancy of 0.5\n", CODE_PRINTOUT_WRONG},
        {"occupancy of 0.0076\noccupancy of 0.5\n", CODE_PRINTOUT_REPEATED},
        {"occupancy of 0.0076 or 0.5\n", CODE_PRINTOUT_MALFORMED},
        {"occupancy of the first: 0.0076\n", CODE_PRINTOUT_MALFORMED},
        {"preoccupancy of 0.0076\n", CODE_PRINTOUT_MISSING},
        {"the occupancy\n0.0076\n", CODE_PRINTOUT_MISSING},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture_init(&fixture, CRITERION_OCCUPANCY);
        fixture.printouts[0].is_anywhere = true;
        fixture_print(&fixture, 0, rows[i].printed);
        fixture_judge(&fixture);
        assert_int_equal(fixture.verdict.cause.code, rows[i].code);
        assert_int_equal(fixture.verdict.status,
                         rows[i].code == CODE_NONE ? STATUS_PASSED : STATUS_FAILED);
        fixture_free(&fixture);
    }
}

static void test_occupancy_output_with_nul(void **state)
{
    static const char output[] = "a\0b\nOccupancy: 1\n";

    (void)state;
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture.prints[0].activity.output = output;
    fixture.prints[0].activity.output_length = sizeof output - 1;
    expect_pass(&fixture);
}

static void test_occupancy_blocked(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture.is_template = true;
    expect_failure(&fixture, CODE_NO_PRINTOUT_YET, "still the template");
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture_print(&fixture, 0, "");
    fixture.prints[0].activity.end = (struct program_end){.ending = ENDING_SIGNALLED, .signal = 11};
    expect_failure(&fixture, CODE_SIGNAL, "segmentation fault");
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture.prints[0].activity.end =
        (struct program_end){.ending = ENDING_OUTPUT_LIMIT, .limit = 1 << 20};
    expect_failure(&fixture, CODE_TOO_MUCH_OUTPUT, "printed more than 1 MiB");
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture_print(&fixture, 0, "");
    fixture.prints[0].activity.errors = "Occupancy: 1\n";
    fixture.prints[0].activity.errors_length = 13;
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "standard error"));
    expect_failure(&fixture, CODE_PRINTOUT_MISSING, "no line");
}

static void set_up_call_error(struct call_error error)
{
    fixture.call_error = error;
    fixture.call_error.name = "cudaErrorLaunchFailure";
    fixture.call_error.kernel = "";
    fixture.call_error.message = "";
    fixture.prints[0].activity.call_error_count = 1;
}

/* A wrong number after a failure that it may rest on. */
static void test_occupancy_after_a_failure(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture_print(&fixture, 0, "Occupancy: 0.0000\n");
    fixture.finding = (struct finding){.code = CODE_GLOBAL_OUT_OF_BOUNDS,
                                       .severity = SEVERITY_ERROR,
                                       .message = "reads past the end"};
    fixture.prints[0].activity.finding_count = 1;
    expect_failure(&fixture, CODE_GLOBAL_OUT_OF_BOUNDS, "reads past the end");
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture_print(&fixture, 0, "Occupancy: 0.0000\n");
    set_up_call_error((struct call_error){.call = "launch of `multiply`", .is_launch = true});
    expect_failure(&fixture, CODE_IMPOSSIBLE_LAUNCH, "the launch of `multiply` is refused");
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture_print(&fixture, 0, "Occupancy: 0.0000\n");
    set_up_call_error((struct call_error){.call = "cudaGetDeviceProperties_v2"});
    expect_failure(&fixture, CODE_API_ERROR, "cudaGetDeviceProperties_v2 fails");
}

/* It may have been printed before that. */
static void test_wrong_occupancy_beside_a_failed_launch(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture_print(&fixture, 0, "Occupancy: 0.4321\n");
    set_up_call_error((struct call_error){.call = "launch of `multiply`", .is_launch = true});
    expect_failure(&fixture, CODE_PRINTOUT_WRONG, "printed 0.4321, expected ");
}

/* A division by what a failed call has not written. */
static void test_occupancy_that_is_no_number(void **state)
{
    static const char *const prints[] = {"Occupancy: -nan\n", "Occupancy: inf\n"};

    (void)state;
    for (size_t i = 0; i < sizeof prints / sizeof prints[0]; i++) {
        fixture_init(&fixture, CRITERION_OCCUPANCY);
        fixture_print(&fixture, 0, prints[i]);
        expect_failure(&fixture, CODE_PRINTOUT_MALFORMED, "expected `Occupancy: <number>`");
        fixture_init(&fixture, CRITERION_OCCUPANCY);
        fixture_print(&fixture, 0, prints[i]);
        set_up_call_error((struct call_error){.call = "cudaDeviceGetAttribute"});
        expect_failure(&fixture, CODE_API_ERROR, "cudaDeviceGetAttribute fails");
    }
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture_print(&fixture, 0, "Occupancy: 1 of 2\n");
    set_up_call_error((struct call_error){.call = "cudaDeviceGetAttribute"});
    expect_failure(&fixture, CODE_PRINTOUT_MALFORMED, "1 of 2");
}

/* What else goes wrong explains no number. */
static void test_occupancy_beside_a_failure(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture_print(&fixture, 0, "Occupancy: 0.5\n");
    set_up_call_error((struct call_error){.call = "cudaFree"});
    fixture.prints[0].activity.end.exit_status = 1;
    expect_failure(&fixture, CODE_PRINTOUT_WRONG, "printed 0.5");
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    set_up_call_error((struct call_error){.call = "launch of `multiply`", .is_launch = true});
    expect_pass(&fixture); /* the number is right */
}

/* 64 threads of 32 registers with 512 bytes: threads and slots both allow 32 blocks. */
static void test_occupancy_card(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture_judge(&fixture);
    assert_int_equal(fixture_evidence(&fixture, "card.threads")->integer, 64);
    assert_int_equal(fixture_evidence(&fixture, "card.registers")->integer, 32);
    assert_int_equal(fixture_evidence(&fixture, "card.shared_bytes")->integer, 512);
    assert_int_equal(fixture_evidence(&fixture, "card.resident_blocks")->integer, 32);
    assert_string_equal(fixture_evidence(&fixture, "card.bound_by")->text, "threads");
    assert_true(fixture_evidence(&fixture, "card.occupancy")->number == 1.0);
    assert_int_equal(fixture_evidence(&fixture, "card.blocks_by_slots")->integer, 32);
    /* 33 registers cost 1280 a warp: 12 in each quarter, 48 warps of 2 a block */
    assert_string_equal(fixture_evidence(&fixture, "card.more_registers")->text,
                        "1 register more and 24 blocks fit instead of 32");
    assert_null(fixture_evidence(&fixture, "card.fewer_registers"));
    assert_null(fixture_evidence(&fixture, "card.less_shared"));
    fixture_free(&fixture);
    fixture_init(&fixture, CRITERION_BLOCK_SIZE); /* also beside a printout that fails */
    fixture_print(&fixture, 0, "");
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_FAILED);
    assert_int_equal(fixture_evidence(&fixture, "card.resident_blocks")->integer, 32);
    fixture_free(&fixture);
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture.resources.registers = 0;
    fixture_judge(&fixture);
    assert_null(fixture_evidence(&fixture, "card.threads"));
    fixture_free(&fixture);
}

/* An interval of registers, of which the device was told one. */
static void estimate_registers(uint32_t least, uint32_t told, uint32_t most)
{
    fixture.resources.registers = told;
    fixture.resources.registers_least = least;
    fixture.resources.registers_most = most;
}

/* 64 threads of 32 registers: 32 blocks; of 40: 24 blocks; of 48: 20 blocks. */
static void test_occupancy_of_an_interval(void **state)
{
    static const struct {
        uint32_t least, told, most;
        const char *printed;
        bool is_right;
    } rows[] = {
        {32, 40, 48, "Occupancy: 1.00\n", true},   {32, 40, 48, "Occupancy: 0.75\n", true},
        {32, 40, 48, "Occupancy: 0.625\n", true},  {32, 40, 48, "Occupancy: 0.5\n", false},
        {33, 40, 48, "Occupancy: 1.00\n", false},  {32, 36, 40, "Occupancy: 0.625\n", false},
        {33, 36, 40, "Occupancy: 0.75\n", true},   {32, 40, 48, "Occupancy: 0.8\n", false},
        {32, 40, 48, "Occupancy: 0.875\n", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fixture_init(&fixture, CRITERION_OCCUPANCY);
        estimate_registers(rows[i].least, rows[i].told, rows[i].most);
        fixture_print(&fixture, 0, rows[i].printed);
        fixture_judge(&fixture);
        assert_int_equal(fixture_evidence(&fixture, "card.registers_least")->integer,
                         rows[i].least);
        assert_int_equal(fixture_evidence(&fixture, "card.registers_most")->integer, rows[i].most);
        assert_null(fixture_evidence(&fixture, "card.registers"));
        assert_null(fixture_evidence(&fixture, "card.resident_blocks"));
        if (rows[i].is_right) {
            expect_pass(&fixture);
        } else {
            expect_failure(&fixture, CODE_PRINTOUT_WRONG, "expected");
        }
    }
}

static void test_compile_with_an_interval(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_COMPILE);
    estimate_registers(30, 32, 34);
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.summary, "1 program, about 30 to 34 registers");
    assert_int_equal(fixture_evidence(&fixture, "registers_least")->integer, 30);
    assert_int_equal(fixture_evidence(&fixture, "registers_most")->integer, 34);
    assert_null(fixture_evidence(&fixture, "registers"));
    assert_null(fixture_evidence(&fixture, "spill_bytes"));
    fixture_init(&fixture, CRITERION_COMPILE);
    estimate_registers(32, 32, 32); /* ptxas's own */
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.summary, "1 program, 32 registers, no spills");
    fixture_free(&fixture);
}

static struct print_run other_runs[OTHER_GPUS_MAX];
static struct other_prints other_prints;

/* What the program printed on the GPU of the next turn. */
static void print_there(const char *there)
{
    struct print_run *run = &other_runs[other_prints.count++];

    *run = fixture.prints[0];
    run->activity.output = there;
    run->activity.output_length = strlen(there);
    other_prints.runs = other_runs;
    fixture.evidence.other_prints = &other_prints;
}

/* Judges what is printed here and, on the GPU that is asked for, there; that it is asked for. */
static void judge_on_two(const char *here, const char *there)
{
    struct gpu_model model = {.name = ""};

    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture_print(&fixture, 0, here);
    const struct verdict *verdict = fixture_judge(&fixture);
    assert_int_equal(verdict->status, STATUS_PASSED);
    assert_true(
        criterion_wants_constant_detection(&fixture.input, fixture.arena, verdict, 0, &model));
    assert_int_equal(model.compute_major, fixture.model.compute_major);
    assert_true(model.registers_per_multiprocessor < fixture.model.registers_per_multiprocessor);
    assert_int_equal(model.max_threads_per_multiprocessor,
                     fixture.model.max_threads_per_multiprocessor);
    other_prints.count = 0;
    print_there(there);
    assert_false(
        criterion_wants_constant_detection(&fixture.input, fixture.arena, verdict, 1, &model));
}

static void test_occupancy_written_down(void **state)
{
    struct gpu_model model;

    (void)state;
    judge_on_two("Occupancy: 1.00\n", "Occupancy: 1.00\n");
    /* 32 registers: 16 blocks of 64 threads have half of those that there are */
    expect_failure(
        &fixture, CODE_PRINTOUT_WRONG,
        "printed 1.00 on two GPUs: right on H200, but on one with 32768 "
        "registers, 2048 threads and 16 blocks per multiprocessor it is 0.5 (the API's)");
    judge_on_two("Occupancy: 1\n", "Occupancy: 1\n");
    expect_failure(&fixture, CODE_PRINTOUT_WRONG, "it is 0.25 (the API's)");
    judge_on_two("Occupancy: 0.0076\n", "Occupancy: 0.0076\n");
    expect_failure(&fixture, CODE_PRINTOUT_WRONG, "(the sheet's)");
    judge_on_two("Occupancy: 1.00\n", "Occupancy: 0.5\n");
    expect_pass(&fixture);
    judge_on_two("Occupancy: 1.00\n", "Occupancy: 0.7\n");
    expect_failure(&fixture, CODE_PRINTOUT_WRONG,
                   "printed 1.00, which is right on H200 only by chance: on a GPU with 32768 "
                   "registers, 2048 threads and 16 blocks per multiprocessor it prints 0.7, "
                   "expected 0.5");
    judge_on_two("Occupancy: 1.00\n", "no line\n");
    expect_pass(&fixture);
    fixture_init(&fixture, CRITERION_OCCUPANCY); /* no second look at what is wrong */
    fixture_print(&fixture, 0, "Occupancy: 0.3\n");
    assert_false(criterion_wants_constant_detection(&fixture.input, fixture.arena,
                                                    fixture_judge(&fixture), 0, &model));
    fixture_print(&fixture, 0, "Occupancy: 1\n"); /* a real GPU is what it is */
    fixture.input.is_emulated = false;
    assert_false(criterion_wants_constant_detection(&fixture.input, fixture.arena,
                                                    fixture_judge(&fixture), 0, &model));
    fixture_free(&fixture);
}

static void test_occupancy_without_launch(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture.run.observation_count = 0;
    fixture_print(&fixture, 0, "Occupancy: 0.030303\n"); /* 16 x 16 threads */
    fixture_judge(&fixture);
    assert_int_equal(fixture_evidence(&fixture, "threads")->integer, 256);
    expect_pass(&fixture);
    fixture_init(&fixture, CRITERION_OCCUPANCY); /* registers unknown: one formula still holds */
    fixture.resources.registers = 0;
    fixture_print(&fixture, 0, "Occupancy: 0.0076\n");
    expect_pass(&fixture);
    fixture_init(&fixture, CRITERION_OCCUPANCY);
    fixture.resources.registers = 0;
    fixture.criterion.formulas = &fixture.formulas[1];
    fixture.criterion.formula_count = 1;
    assert_int_equal(fixture_judge(&fixture)->status, STATUS_ERROR);
    fixture.run.observation_count = 0; /* there is no kernel of that name */
    expect_failure(&fixture, CODE_NEVER_LAUNCHED, "`multiply` never");
}

/* Block size ***********************************************************************************/

static void set_up_block_size(const char *printed, int bytes_per_thread, uint32_t registers)
{
    fixture_init(&fixture, CRITERION_BLOCK_SIZE);
    fixture.printouts[0].label = "Block size:";
    fixture.printouts[0].form = PRINTOUT_INTEGER;
    fixture.resources.registers = registers;
    fixture_print(&fixture, 0, printed);
    char *table = arena_strdup(fixture.arena, "");
    for (int threads = 32; threads <= 1024; threads += 32) {
        table = arena_printf(fixture.arena, "%srequiredSM(%d) = %d\n", table, threads,
                             threads * bytes_per_thread);
    }
    fixture_print(&fixture, 1, table);
    fixture.blocks[2] = 32;
    fixture.launch.block_count = 3;
}

static void test_block_size_passes(void **state)
{
    (void)state;
    set_up_block_size("Block size: 32\n", 8, 32);
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.summary, "32, of 1024 threads");
    assert_int_equal(fixture_evidence(&fixture, "launched_block")->integer, 8);
    expect_pass(&fixture);
    /* 72 registers: 896 threads are most that fit at once, so the block width is 16. */
    set_up_block_size("Block size: 16\n", 8, 72);
    fixture_judge(&fixture);
    assert_in_range(fixture_evidence(&fixture, "best_threads")->integer, 256, 1023);
    expect_pass(&fixture);
}

/* Up to 64 registers a block of 1024 threads fits, with more 896 threads at most. */
static void test_block_size_of_an_interval(void **state)
{
    static const struct {
        const char *printed;
        uint32_t least, told, most;
        bool is_right;
    } rows[] = {
        {"Block size: 32\n", 60, 68, 72, true},  {"Block size: 16\n", 60, 68, 72, true},
        {"Block size: 32\n", 60, 62, 66, true},  {"Block size: 16\n", 60, 62, 66, true},
        {"Block size: 8\n", 60, 68, 72, false},  {"Block size: 32\n", 65, 68, 72, false},
        {"Block size: 16\n", 57, 60, 64, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up_block_size(rows[i].printed, 8, 32);
        estimate_registers(rows[i].least, rows[i].told, rows[i].most);
        if (rows[i].is_right) {
            expect_pass(&fixture);
        } else {
            expect_failure(&fixture, CODE_PRINTOUT_WRONG, "the highest occupancy");
        }
    }
}

/* GPUs on which the interval does not tell the block width are not asked for. */
static void test_block_size_of_an_interval_elsewhere(void **state)
{
    struct gpu_model model;

    (void)state;
    set_up_block_size("Block size: 32\n", 8, 32);
    estimate_registers(28, 30, 34);
    const struct verdict *verdict = fixture_judge(&fixture);
    assert_int_equal(verdict->status, STATUS_PASSED);
    assert_true(
        criterion_wants_constant_detection(&fixture.input, fixture.arena, verdict, 0, &model));
    other_prints.count = 0;
    print_there("Block size: 32\n");
    expect_failure(&fixture, CODE_PRINTOUT_WRONG, "on two GPUs");
    set_up_block_size("Block size: 32\n", 8, 32);
    estimate_registers(4, 32, 255); /* nothing is known */
    assert_false(criterion_wants_constant_detection(&fixture.input, fixture.arena,
                                                    fixture_judge(&fixture), 0, &model));
    fixture_free(&fixture);
}

/* A program that prints no table: the rubric's expression says what blocks need. */
static void test_block_size_without_table(void **state)
{
    static const struct {
        const char *bytes, *printed;
    } rows[] = {
        {NULL, "Block size: 32\n"},
        {"8 * threads", "Block size: 32\n"},
        {"150 * threads", "Block size: 16\n"}, /* one block of 1024 fits, or two of 768 */
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up_block_size(rows[i].printed, 8, 32);
        fixture.criterion.has_bytes_printout = false;
        fixture.criterion.minimum_bytes =
            rows[i].bytes != NULL ? toy_expression(&fixture, rows[i].bytes) : NULL;
        expect_pass(&fixture);
    }
    set_up_block_size("Block size: 32\n", 8, 32);
    fixture.criterion.has_bytes_printout = false;
    fixture.criterion.minimum_bytes = toy_expression(&fixture, "150 * threads");
    expect_failure(&fixture, CODE_PRINTOUT_WRONG, "printed 32, expected 16");
}

static void test_block_size_wrong(void **state)
{
    (void)state;
    set_up_block_size("Block size: 16\n", 8, 32);
    expect_failure(&fixture, CODE_PRINTOUT_WRONG, "printed 16, expected 32: the highest occupancy");
    set_up_block_size("Block size: 1024\n", 8, 32);
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "square root"));
    expect_failure(&fixture, CODE_PRINTOUT_WRONG, "printed 1024");
    set_up_block_size("Block size: 32.0\n", 8, 32);
    expect_failure(&fixture, CODE_PRINTOUT_MALFORMED, "<whole number>");
    set_up_block_size("Block size: 0\n", 1 << 20, 32);
    expect_failure(&fixture, CODE_PRINTOUT_WRONG, "no block of `multiply` fits on H200");
}

/* A kernel whose block width is asked for on other GPUs, and what the rule gives there. */
struct asked_block_width {
    const char *here;
    uint32_t registers;
    uint32_t threads[OTHER_GPUS_MAX]; /* the calculator's choice on each of them; 0: no more */
};

static const struct asked_block_width asked_of_32 = {"Block size: 32\n", 32, {896, 256, 128, 1024}};
static const struct asked_block_width asked_of_16 = {"Block size: 16\n", 72, {128, 1024, 1024, 0}};

static uint32_t by_the_rule(uint32_t threads)
{
    return threads < 256 ? 8 : threads < 1024 ? 16 : 32;
}

static uint32_t rounded_up(uint32_t threads)
{
    return threads <= 64 ? 8 : threads <= 256 ? 16 : 32;
}

static uint32_t root_alone(uint32_t threads)
{
    return (uint32_t)sqrt(threads);
}

static uint32_t by_division(uint32_t threads)
{
    return threads / 32;
}

static uint32_t nearest(uint32_t threads)
{
    uint32_t block_width = 1;

    while (2 * block_width * block_width < threads) {
        block_width *= 2;
    }
    return block_width;
}

static uint32_t two_block_widths(uint32_t threads)
{
    return threads >= 1024 ? 32 : 16;
}

static uint32_t sixteen_from_512(uint32_t threads)
{
    return threads >= 1024 ? 32 : threads >= 512 ? 16 : 8;
}

static uint32_t sixteen_from_128(uint32_t threads)
{
    return threads >= 1024 ? 32 : threads >= 128 ? 16 : 8;
}

static uint32_t always_32(uint32_t threads)
{
    (void)threads;
    return 32;
}

static uint32_t always_16(uint32_t threads)
{
    (void)threads;
    return 16;
}

/* Judges what a rule prints on each GPU that is asked for. */
static void judge_rule(const struct asked_block_width *asked, uint32_t (*rule)(uint32_t threads))
{
    struct gpu_model model = {.name = ""};
    size_t turn = 0;

    set_up_block_size(asked->here, 8, asked->registers);
    const struct verdict *verdict = fixture_judge(&fixture);
    assert_int_equal(verdict->status, STATUS_PASSED);
    other_prints.count = 0;
    while (
        criterion_wants_constant_detection(&fixture.input, fixture.arena, verdict, turn, &model)) {
        assert_int_equal(model.compute_major, fixture.model.compute_major);
        assert_int_equal(model.max_threads_per_block, fixture.model.max_threads_per_block);
        assert_true(asked->threads[turn] > 0);
        print_there(arena_printf(fixture.arena, "Block size: %u\n", rule(asked->threads[turn])));
        turn++;
    }
    assert_true(turn == OTHER_GPUS_MAX || asked->threads[turn] == 0);
}

static void test_block_size_written_down(void **state)
{
    (void)state;
    judge_rule(&asked_of_32, always_32);
    expect_failure(&fixture, CODE_PRINTOUT_WRONG,
                   "printed 32 on two GPUs: right on H200, but on one with 57344 "
                   "registers per multiprocessor it is 16");
    judge_rule(&asked_of_16, always_16);
    expect_failure(&fixture, CODE_PRINTOUT_WRONG, "right on H200, but on one with");
    judge_rule(&asked_of_32, by_the_rule);
    expect_pass(&fixture);
    judge_rule(&asked_of_16, by_the_rule);
    expect_pass(&fixture);
    judge_rule(&asked_of_32, by_the_rule);
    other_prints.count = 0;
    print_there("no line\n");
    expect_pass(&fixture);
}

/* On the model all are right by chance. */
static void test_block_size_without_the_rule(void **state)
{
    static uint32_t (*const rules[])(uint32_t) = {root_alone,       by_division, nearest,
                                                  two_block_widths, rounded_up,  sixteen_from_512,
                                                  sixteen_from_128, always_16};

    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        judge_rule(&asked_of_32, rules[i]);
        expect_failure(&fixture, CODE_PRINTOUT_WRONG, "printed 32");
    }
    judge_rule(&asked_of_32, root_alone);
    expect_failure(
        &fixture, CODE_PRINTOUT_WRONG,
        "printed 32, which is right on H200 only by chance: on a GPU with 57344 "
        "registers per multiprocessor the highest occupancy is at 896 threads a block, and 29 is "
        "printed, expected 16");
    judge_rule(&asked_of_16, rounded_up);
    expect_failure(&fixture, CODE_PRINTOUT_WRONG, "printed 16 on two GPUs");
    judge_rule(&asked_of_16, root_alone);
    expect_failure(&fixture, CODE_PRINTOUT_WRONG, "and 11 is printed, expected 8");
}

/* On the last GPU 1024 threads have the highest occupancy because of their shared memory. */
static void test_block_size_without_shared_memory(void **state)
{
    (void)state;
    judge_rule(&asked_of_32, by_the_rule);
    other_prints.count = OTHER_GPUS_MAX - 1;
    print_there("Block size: 16\n");
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "requiredSM"));
    expect_failure(&fixture, CODE_PRINTOUT_WRONG,
                   "on a GPU with 57344 registers and 8192 bytes of shared memory per "
                   "multiprocessor the highest occupancy is at 1024 threads a block, and 16 is "
                   "printed, expected 32");
}

/* A block width that may be no other one is not asked about, nor one that is wrong, nor on a real
 * GPU. */
static void test_block_size_asked_once(void **state)
{
    struct gpu_model model;

    (void)state;
    set_up_block_size("Block size: 32\n", 0, 32); /* no shared memory that could bind */
    fixture.blocks[0] = 32;
    fixture.blocks[1] = 8;
    fixture.launch.block_count = 1;
    assert_false(criterion_wants_constant_detection(&fixture.input, fixture.arena,
                                                    fixture_judge(&fixture), 0, &model));
    fixture.launch.block_count = 2; /* 16 is none that the launch may have */
    assert_true(criterion_wants_constant_detection(&fixture.input, fixture.arena,
                                                   fixture_judge(&fixture), 0, &model));
    assert_int_equal(model.registers_per_multiprocessor, 4096);
    fixture.input.is_emulated = false;
    assert_false(criterion_wants_constant_detection(&fixture.input, fixture.arena,
                                                    fixture_judge(&fixture), 0, &model));
    set_up_block_size("Block size: 16\n", 8, 32);
    assert_false(criterion_wants_constant_detection(&fixture.input, fixture.arena,
                                                    fixture_judge(&fixture), 0, &model));
}

static void test_block_size_blocked(void **state)
{
    (void)state;
    set_up_block_size("Block size: 1\n", 8, 32);
    set_up_call_error((struct call_error){.call = "cudaOccupancyMaxActiveBlocksPerMultiprocessor"});
    expect_failure(&fixture, CODE_API_ERROR, "cudaOccupancyMaxActiveBlocksPerMultiprocessor fails");
    set_up_block_size("", 8, 32);
    expect_failure(&fixture, CODE_PRINTOUT_MISSING, "`Block size: <whole number>`");
    set_up_block_size("Block size: 32\nBlock size: 32\n", 8, 32);
    expect_failure(&fixture, CODE_PRINTOUT_REPEATED, "in 2 lines");
    set_up_block_size("Block size: 32\n", 8, 32);
    fixture_print(&fixture, 1, "");
    expect_failure(&fixture, CODE_PRINTOUT_MISSING, "requiredSM(<threads>)");
    set_up_block_size("Block size: 32\n", 8, 32);
    fixture_print(&fixture, 1, "requiredSM(32) = 256\n");
    expect_failure(&fixture, CODE_PRINTOUT_MISSING, "requiredSM(1024)");
    set_up_block_size("Block size: 32\n", 8, 0); /* there is no such kernel */
    expect_failure(&fixture, CODE_NEVER_LAUNCHED, "launched 3 times, but `multiply` never is");
    set_up_block_size("Block size: 32\n", 8, 0);
    fixture.run.observation_count = 0;
    expect_failure(&fixture, CODE_NEVER_LAUNCHED, "`multiply` never");
    set_up_block_size("Block size: 32\n", 8, 0);
    fixture.is_template = true;
    expect_failure(&fixture, CODE_NO_PRINTOUT_YET, "still the template");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compile_passes),
        cmocka_unit_test(test_compile_is_shared),
        cmocka_unit_test(test_compile_causes),
        cmocka_unit_test(test_source_too_large),
        cmocka_unit_test_setup(test_dynamic_passes, set_up_dynamic),
        cmocka_unit_test_setup(test_dynamic_static_tile, set_up_dynamic),
        cmocka_unit_test_setup(test_dynamic_static_array_of_a_smaller_block, set_up_dynamic),
        cmocka_unit_test_setup(test_dynamic_static_bytes_without_a_minimum, set_up_dynamic),
        cmocka_unit_test_setup(test_dynamic_bytes, set_up_dynamic),
        cmocka_unit_test_setup(test_dynamic_table_of_all_blocks, set_up_dynamic),
        cmocka_unit_test_setup(test_dynamic_table_that_is_right, set_up_dynamic),
        cmocka_unit_test_setup(test_dynamic_words_for_the_minimum, set_up_dynamic),
        cmocka_unit_test_setup(test_dynamic_words_for_vectors, set_up_dynamic),
        cmocka_unit_test_setup(test_dynamic_constant_hints, set_up_dynamic),
        cmocka_unit_test_setup(test_dynamic_constant, set_up_dynamic),
        cmocka_unit_test_setup(test_dynamic_blocked, set_up_dynamic),
        cmocka_unit_test_setup(test_table, set_up_dynamic),
        cmocka_unit_test(test_occupancy_matches),
        cmocka_unit_test(test_occupancy_wrong),
        cmocka_unit_test(test_occupancy_values_once),
        cmocka_unit_test(test_occupancy_hints),
        cmocka_unit_test(test_occupancy_lines),
        cmocka_unit_test(test_occupancy_lines_that_are_near),
        cmocka_unit_test(test_occupancy_in_a_sentence),
        cmocka_unit_test(test_occupancy_output_with_nul),
        cmocka_unit_test(test_occupancy_blocked),
        cmocka_unit_test(test_occupancy_after_a_failure),
        cmocka_unit_test(test_wrong_occupancy_beside_a_failed_launch),
        cmocka_unit_test(test_occupancy_that_is_no_number),
        cmocka_unit_test(test_occupancy_beside_a_failure),
        cmocka_unit_test(test_occupancy_card),
        cmocka_unit_test(test_occupancy_of_an_interval),
        cmocka_unit_test(test_compile_with_an_interval),
        cmocka_unit_test(test_block_size_of_an_interval),
        cmocka_unit_test(test_block_size_of_an_interval_elsewhere),
        cmocka_unit_test(test_occupancy_written_down),
        cmocka_unit_test(test_occupancy_without_launch),
        cmocka_unit_test(test_block_size_passes),
        cmocka_unit_test(test_block_size_without_table),
        cmocka_unit_test(test_block_size_wrong),
        cmocka_unit_test(test_block_size_written_down),
        cmocka_unit_test(test_block_size_without_the_rule),
        cmocka_unit_test(test_block_size_without_shared_memory),
        cmocka_unit_test(test_block_size_asked_once),
        cmocka_unit_test(test_block_size_blocked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
