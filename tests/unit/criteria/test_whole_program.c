/* test_whole_program.c: programs with a main of their own: fixed sizes, builds that fail for a
 * case, programs that are not attempted, optional ones. */
#include "../criteria_fixture.h"

#include <signal.h>

static struct fixture fixture;
static struct rubric_override overrides[2];
static const char *const missing[] = {"WIDTH", "EDGE"};
static const char *const given[] = {"givenProduct"};
static struct surveyed_kernel surveyed[2];
static struct source_file source;

static const char source_with_kernel[] = "__global__ void givenProduct() { }\n"
                                         "__global__ void myProduct()\n{\n    // T"
                                         "ODO 1\n}\n";

static void set_source(const char *text)
{
    source = (struct source_file){.name = "multiply.cu", .text = text, .length = strlen(text)};
    fixture.input.sources = &source;
    fixture.input.source_count = 1;
}

static void set_up_kind(enum criterion_kind kind)
{
    fixture_init(&fixture, kind);
    overrides[0] = (struct rubric_override){"WIDTH", toy_expression(&fixture, "width")};
    overrides[1] = (struct rubric_override){"EDGE", toy_expression(&fixture, "block")};
    fixture.program.overrides = overrides;
    fixture.program.override_count = 2;
    fixture.launch.has_first = true;
    fixture.launch.first_values[0] = 8;
    fixture.launch.first_values[1] = 96;
    fixture.launch.is_pattern = true;
    fixture.launch.kernel = "*";
    fixture.launch.given_kernels = given;
    fixture.launch.given_kernel_count = 1;
    surveyed[0] = (struct surveyed_kernel){
        "_Z12givenProduct", "givenProduct", 1, true, false, true, 2, true, false};
    surveyed[1] =
        (struct surveyed_kernel){"_Z9myProduct", "myProduct", 1, false, true, true, 2, true, false};
    fixture.run.surveyed = surveyed;
    fixture.run.surveyed_count = 2;
    fixture.run.kernel = "myProduct";
    fixture.build.failure = CODE_NONE;
}

static int set_up(void **state)
{
    (void)state;
    set_up_kind(CRITERION_CORRECT);
    return 0;
}

static int set_up_compile(void **state)
{
    (void)state;
    set_up_kind(CRITERION_COMPILE);
    return 0;
}

/* The program launches the given kernel and none of its own. */
static void launch_given_only(void)
{
    fixture.run.surveyed_count = 1;
    fixture.run.kernel = NULL;
    fixture.run.observation_count = 0;
}

static void test_right(void **state)
{
    (void)state;
    expect_pass(&fixture);
}

/* The kernel is called by the name that the student gave it. */
static void test_chosen_name(void **state)
{
    (void)state;
    fixture.run.observations = &fixture.observations[0];
    fixture.run.observation_count = 2;
    fixture.observations[2].launched = false;
    fixture.run.activity.launch_total = 2;
    expect_failure(&fixture, CODE_NEVER_LAUNCHED, "`myProduct` is not launched for the remaining");
}

static void test_launching_often_is_no_mistake(void **state)
{
    (void)state;
    fixture.observations[1].launch_count = 300;
    expect_pass(&fixture);
}

/* What its own main thinks of the result is no verdict; a call that fails is. */
static void test_own_exit_status(void **state)
{
    (void)state;
    fixture.run.activity.end.exit_status = 1;
    expect_pass(&fixture);
}

/* Nor is an assertion that fails, or an exception that nobody catches. */
static void test_own_abort(void **state)
{
    (void)state;
    fixture.run.activity.end = (struct program_end){.ending = ENDING_SIGNALLED, .signal = SIGABRT};
    expect_pass(&fixture);
    set_up(state);
    fixture.run.activity.end = (struct program_end){.ending = ENDING_SIGNALLED, .signal = SIGABRT};
    fixture.run.activity.call_error_count = 1;
    fixture.call_error = (struct call_error){.call = "cudaMemcpy",
                                             .kernel = "",
                                             .cuda_error = 1,
                                             .name = "cudaErrorInvalidValue",
                                             .message = ""};
    expect_failure(&fixture, CODE_SIGNAL, "abort()");
    set_up(state);
    fixture.program.override_count = 0; /* the given main ends otherwise */
    fixture.run.activity.end = (struct program_end){.ending = ENDING_SIGNALLED, .signal = SIGABRT};
    expect_failure(&fixture, CODE_SIGNAL, "abort()");
}

static void test_failed_call_counts(void **state)
{
    (void)state;
    fixture.run.activity.end.exit_status = 1;
    fixture.call_error = (struct call_error){.call = "cudaMemcpy",
                                             .kernel = "",
                                             .cuda_error = 1,
                                             .name = "cudaErrorInvalidValue",
                                             .message = ""};
    fixture.run.activity.call_error_count = 1;
    expect_failure(&fixture, CODE_API_ERROR, "cudaMemcpy fails");
}

/* What the main does after its launch was judged is not asked for. */
static void test_crash_afterwards(void **state)
{
    (void)state;
    fixture.run.activity.end.ending = ENDING_SIGNALLED;
    fixture.run.activity.end.signal = 11;
    expect_pass(&fixture);
}

/* Only a fault of its own code is its own affair... */
static void test_kill_counts(void **state)
{
    (void)state;
    fixture.run.activity.end.ending = ENDING_SIGNALLED;
    fixture.run.activity.end.signal = 9;
    expect_failure(&fixture, CODE_SIGNAL, "being killed");
}

/* ... and only where no call had failed. */
static void test_crash_after_failed_call_counts(void **state)
{
    static const struct call_error failed = {
        .call = "cudaMalloc", .name = "cudaErrorInvalidValue", .message = ""};

    (void)state;
    fixture.run.activity.end.ending = ENDING_SIGNALLED;
    fixture.run.activity.end.signal = 11;
    fixture.run.activity.call_errors = &failed;
    fixture.run.activity.call_error_count = 1;
    expect_failure(&fixture, CODE_SIGNAL, "segmentation fault");
}

static void test_missing_macros(void **state)
{
    (void)state;
    fixture.build.missing_macros = missing;
    fixture.build.missing_macro_count = 2;
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.cause.file, "multiply.cu");
    assert_non_null(strstr(fixture.verdict.cause.hint, "`#define WIDTH 96`"));
    expect_failure(&fixture, CODE_FIXED_SIZE, "multiply.cu does not define WIDTH and EDGE");
}

/* What is defined as something else than a value is not told to be missing. */
static void test_fixed_values(void **state)
{
    static const struct macro_place places[] = {{"sizes.h", 7}, {"multiply.cu", 9}};

    (void)state;
    fixture.build.missing_macros = missing;
    fixture.build.missing_macro_count = 2;
    fixture.build.missing_places = places;
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.cause.file, "sizes.h");
    assert_int_equal(fixture.verdict.cause.line, 7);
    assert_non_null(strstr(fixture.verdict.cause.hint, "write a number: `#define WIDTH 96`"));
    expect_failure(&fixture, CODE_FIXED_SIZE, "the values of WIDTH and EDGE cannot be replaced");
}

static void test_fixed_and_missing(void **state)
{
    static const struct macro_place places[] = {{"sizes.h", 7}, {"", 0}};

    (void)state;
    fixture.build.missing_macros = missing;
    fixture.build.missing_macro_count = 2;
    fixture.build.missing_places = places;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 0);
    expect_failure(&fixture, CODE_FIXED_SIZE, "multiply.cu does not define EDGE, so");
}

static int set_up_occupancy(void **state)
{
    (void)state;
    set_up_kind(CRITERION_OCCUPANCY);
    return 0;
}

/* The first build has the sizes of the case for some macros and its own for the rest. */
static void test_printouts_of_fixed_sizes(void **state)
{
    (void)state;
    fixture.build.missing_macros = missing;
    fixture.build.missing_macro_count = 1;
    expect_failure(&fixture, CODE_FIXED_SIZE, "does not define WIDTH, so");
}

/* Whoever compiles the file as it is sees nothing: the first build has other sizes. */
static void test_first_build_fails(void **state)
{
    (void)state;
    fixture.build.linked = false;
    fixture.build.failure = CODE_COMPILE_ERROR;
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "it was built with WIDTH 96"));
    expect_failure(&fixture, CODE_COMPILE_ERROR, "nvcc rejects the source");
}

static void test_case_does_not_compile(void **state)
{
    static const struct tool_message place = {.is_error = true,
                                              .file = "multiply.cu",
                                              .line = 12,
                                              .column = 7,
                                              .message = "static assertion failed"};

    (void)state;
    fixture.observations[1].failure = CODE_CASE_COMPILE_ERROR;
    fixture.observations[1].failure_place = &place;
    fixture_judge(&fixture);
    assert_int_equal(fixture.verdict.cause.line, 12);
    assert_int_equal(fixture.verdict.cause.column, 7);
    assert_string_equal(fixture.verdict.cause.hint,
                        "set WIDTH 24, EDGE 8 in the file and compile it");
    expect_failure(&fixture, CODE_CASE_COMPILE_ERROR,
                   "but not for A 8x2, B 2x24: static assertion failed");
}

static void test_hidden_case_does_not_compile(void **state)
{
    (void)state;
    fixture.cases[0].hidden = true;
    fixture.observations[1].failure = CODE_CASE_COMPILE_ERROR;
    fixture.observations[1].failure_message = "24 is too large";
    fixture_judge(&fixture);
    assert_null(strstr(fixture.verdict.cause.hint, "24"));
    assert_null(strstr(fixture.verdict.cause.message, "24"));
    expect_failure(&fixture, CODE_CASE_COMPILE_ERROR, "a hidden shape");
}

static void test_block_of_another_size(void **state)
{
    (void)state;
    fixture.launch.block = toy_expression(&fixture, "8");
    fixture.observations[1].failure = CODE_WRONG_BLOCK;
    fixture.observations[1].failure_message = "a block has 16 columns, expected 8 in this case";
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "not of a fixed"));
    expect_failure(&fixture, CODE_WRONG_BLOCK, "expected 8");
}

static void test_block_in_one_dimension(void **state)
{
    (void)state;
    fixture.launch.block = toy_expression(&fixture, "8");
    fixture.observations[1].failure = CODE_WRONG_BLOCK;
    fixture.observations[1].failure_message = "a block has 64 columns, expected 8 in this case";
    fixture.observations[1].geometry.block[0] = 64;
    fixture.observations[1].geometry.block[1] = 1;
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "two-dimensional blocks, dim3(EDGE, EDGE)"));
    fixture.program.override_count = 0; /* no macro */
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "two-dimensional blocks, dim3(8, 8)"));
    fixture.launch.block = NULL; /* one of several block widths */
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "two-dimensional blocks, dim3(8, 8)"));
    fixture.observations[1].geometry.block[0] = 63;
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "blocks of the same width"));
}

static void test_grid_for_block(void **state)
{
    struct launch_geometry *geometry = &fixture.observations[1].geometry;

    (void)state;
    fixture.launch.block = toy_expression(&fixture, "8");
    fixture.observations[1].failure = CODE_WRONG_BLOCK;
    fixture.observations[1].failure_message = "a block has 3 columns, expected 8 in this case";
    *geometry = (struct launch_geometry){{8, 8, 1}, {3, 1, 1}, 0};
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "are the two exchanged?"));
    fixture.launch.block = NULL; /* one of several block widths */
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "are the two exchanged?"));
    fixture.observations[2].failure = CODE_WRONG_BLOCK; /* the grid goes with the sizes */
    fixture.observations[2].failure_message = fixture.observations[1].failure_message;
    fixture.observations[2].geometry = (struct launch_geometry){{8, 12, 1}, {3, 3, 1}, 0};
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "blocks of the same width"));
    fixture.observations[2].geometry = *geometry;
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "are the two exchanged?"));
    geometry->grid[1] = 1;
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "blocks of the same width"));
}

/* It prints success, and returns a status of its own. */
static void test_only_given_kernels(void **state)
{
    (void)state;
    launch_given_only();
    fixture.run.activity.end.exit_status = 1;
    set_source("__global__ void givenProduct() { }\n");
    fixture_judge(&fixture);
    assert_int_equal(code_cause(fixture.verdict.cause.code), CAUSE_NOT_ATTEMPTED);
    expect_failure(&fixture, CODE_NO_LAUNCH_YET,
                   "only `givenProduct`, which is given, is launched");
}

static void test_own_kernel_is_named(void **state)
{
    (void)state;
    launch_given_only();
    set_source(source_with_kernel);
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "launch `myProduct` too"));
    expect_failure(&fixture, CODE_NO_LAUNCH_YET, "only `givenProduct`");
}

/* The given check ended the program before its own kernel came. */
static void test_exit_before_own_kernel(void **state)
{
    (void)state;
    launch_given_only();
    fixture.run.activity.end.exit_status = 3;
    set_source(source_with_kernel);
    expect_failure(&fixture, CODE_EXIT_STATUS, "status 3");
}

static void test_nothing_launched(void **state)
{
    (void)state;
    launch_given_only();
    fixture.run.surveyed_count = 0;
    fixture.run.activity.launch_total = 0;
    expect_failure(&fixture, CODE_NO_LAUNCH_YET, "nothing is launched");
}

static void test_crash_before_the_launch(void **state)
{
    (void)state;
    launch_given_only();
    fixture.run.activity.end.ending = ENDING_SIGNALLED;
    fixture.run.activity.end.signal = 11;
    expect_failure(&fixture, CODE_SIGNAL, "segmentation fault");
}

/* A launch that was refused is the reason, not that nothing was launched. */
static void test_refused_launch(void **state)
{
    (void)state;
    launch_given_only();
    fixture.call_error = (struct call_error){.call = "launch of `myProduct`",
                                             .is_launch = true,
                                             .kernel = "myProduct",
                                             .cuda_error = 9,
                                             .name = "cudaErrorInvalidConfiguration",
                                             .message = ""};
    fixture.run.activity.call_error_count = 1;
    expect_failure(&fixture, CODE_IMPOSSIBLE_LAUNCH, "launch of `myProduct` is refused");
}

/* Which kernel the printed block width is meant for shows only in a launch. */
static void set_up_block_size_without_launch(void)
{
    set_up_kind(CRITERION_BLOCK_SIZE);
    fixture.printouts[0].label = "Block size:";
    fixture.printouts[0].form = PRINTOUT_INTEGER;
    fixture.criterion.has_bytes_printout = false;
    fixture_print(&fixture, 0, "Block size: 32\n");
    launch_given_only();
    fixture.resources.registers = 0;
}

static void test_block_size_without_launch(void **state)
{
    (void)state;
    set_up_block_size_without_launch();
    fixture.run.surveyed_count = 0;
    fixture.run.activity.launch_total = 0;
    expect_failure(&fixture, CODE_NO_LAUNCH_YET, "nothing is launched");
    set_up_block_size_without_launch();
    fixture.run.activity.end.ending = ENDING_SIGNALLED;
    fixture.run.activity.end.signal = 11;
    expect_failure(&fixture, CODE_SIGNAL, "segmentation fault");
    set_up_block_size_without_launch();
    fixture.call_error = (struct call_error){.call = "launch of `myProduct`",
                                             .is_launch = true,
                                             .kernel = "myProduct",
                                             .cuda_error = 1,
                                             .name = "cudaErrorInvalidValue",
                                             .message = ""};
    fixture.run.activity.call_error_count = 1;
    expect_failure(&fixture, CODE_IMPOSSIBLE_LAUNCH, "launch of `myProduct` is refused");
}

static void leave_out(void)
{
    fixture.program.is_optional = true;
    fixture.build = (struct program_build){
        .failure = CODE_SOURCE_MISSING, .failed_file = "multiply.cu", .messages = fixture.messages};
}

static void test_optional_program_is_left_out(void **state)
{
    (void)state;
    leave_out();
    fixture_judge(&fixture);
    assert_non_null(strstr(fixture.verdict.cause.hint, "add multiply.cu"));
    assert_int_equal(code_cause(fixture.verdict.cause.code), CAUSE_NOT_ATTEMPTED);
    expect_failure(&fixture, CODE_NO_LAUNCH_YET, "multiply.cu is optional");
}

static void test_compiles_without_optional_program(void **state)
{
    (void)state;
    leave_out();
    expect_pass(&fixture);
}

static void test_optional_program_must_compile(void **state)
{
    (void)state;
    leave_out();
    fixture.build.failure = CODE_COMPILE_ERROR;
    expect_failure(&fixture, CODE_COMPILE_ERROR, "nvcc rejects");
}

static void test_needed_program_is_missing(void **state)
{
    (void)state;
    leave_out();
    fixture.program.is_optional = false;
    expect_failure(&fixture, CODE_SOURCE_MISSING, "multiply.cu is missing");
}

static void test_needed_program_has_another_name(void **state)
{
    static const struct source_file handed_in[] = {{"mulitply.cu", "", 0}, {"notes.cu", "", 0}};

    (void)state;
    leave_out();
    fixture.program.is_optional = false;
    fixture.input.sources = handed_in;
    fixture.input.source_count = 2;
    fixture_judge(&fixture);
    assert_string_equal(fixture.verdict.cause.hint,
                        "you handed in mulitply.cu: rename it to multiply.cu");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_right, set_up),
        cmocka_unit_test_setup(test_chosen_name, set_up),
        cmocka_unit_test_setup(test_launching_often_is_no_mistake, set_up),
        cmocka_unit_test_setup(test_own_exit_status, set_up),
        cmocka_unit_test_setup(test_own_abort, set_up),
        cmocka_unit_test_setup(test_failed_call_counts, set_up),
        cmocka_unit_test_setup(test_crash_afterwards, set_up),
        cmocka_unit_test_setup(test_kill_counts, set_up),
        cmocka_unit_test_setup(test_crash_after_failed_call_counts, set_up),
        cmocka_unit_test_setup(test_missing_macros, set_up),
        cmocka_unit_test_setup(test_fixed_values, set_up),
        cmocka_unit_test_setup(test_fixed_and_missing, set_up),
        cmocka_unit_test_setup(test_printouts_of_fixed_sizes, set_up_occupancy),
        cmocka_unit_test_setup(test_first_build_fails, set_up),
        cmocka_unit_test_setup(test_case_does_not_compile, set_up),
        cmocka_unit_test_setup(test_hidden_case_does_not_compile, set_up),
        cmocka_unit_test_setup(test_block_of_another_size, set_up),
        cmocka_unit_test_setup(test_block_in_one_dimension, set_up),
        cmocka_unit_test_setup(test_grid_for_block, set_up),
        cmocka_unit_test_setup(test_only_given_kernels, set_up),
        cmocka_unit_test_setup(test_own_kernel_is_named, set_up),
        cmocka_unit_test_setup(test_exit_before_own_kernel, set_up),
        cmocka_unit_test_setup(test_nothing_launched, set_up),
        cmocka_unit_test_setup(test_crash_before_the_launch, set_up),
        cmocka_unit_test_setup(test_refused_launch, set_up),
        cmocka_unit_test(test_block_size_without_launch),
        cmocka_unit_test_setup(test_optional_program_is_left_out, set_up),
        cmocka_unit_test_setup(test_compiles_without_optional_program, set_up_compile),
        cmocka_unit_test_setup(test_optional_program_must_compile, set_up_compile),
        cmocka_unit_test_setup(test_needed_program_is_missing, set_up_compile),
        cmocka_unit_test_setup(test_needed_program_has_another_name, set_up_compile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
