/* test_program_run.c: a whole program that misses arguments, files or input says so, with its last
 * words. */
#include "../criteria_fixture.h"

#include <signal.h>

static struct fixture fixture;
static struct rubric_override width;
static struct source_file source;
static const char *const given[] = {"givenProduct"};

static void set_source(const char *text)
{
    source = (struct source_file){.name = "multiply.cu", .text = text, .length = strlen(text)};
    fixture.input.sources = &source;
    fixture.input.source_count = 1;
}

static struct program_activity *both[2]; /* of the launch's run, and of the printout's */

/* A whole program that ended with status 0 before it launched anything. */
static void set_up_kind(enum criterion_kind kind)
{
    fixture_init(&fixture, kind);
    width = (struct rubric_override){"WIDTH", toy_expression(&fixture, "width")};
    fixture.program.overrides = &width;
    fixture.program.override_count = 1;
    fixture.launch.is_pattern = true;
    fixture.launch.kernel = "*";
    fixture.launch.given_kernels = given;
    fixture.launch.given_kernel_count = 1;
    fixture.run.observation_count = 0;
    both[0] = &fixture.run.activity;
    both[1] = &fixture.prints[0].activity;
    for (size_t i = 0; i < 2; i++) {
        both[i]->launch_total = 0;
        both[i]->output = "hello\n";
        both[i]->output_length = strlen(both[i]->output);
    }
    set_source("__global__ void mine() { }\nint main() { mine<<<1, 1>>>(); }\n");
}

static int set_up(void **state)
{
    (void)state;
    set_up_kind(CRITERION_CORRECT);
    return 0;
}

static int set_up_occupancy(void **state)
{
    (void)state;
    set_up_kind(CRITERION_OCCUPANCY);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fixture_free(&fixture);
    return 0;
}

static void print(const char *text)
{
    for (size_t i = 0; i < 2; i++) {
        both[i]->output = text;
        both[i]->output_length = strlen(text);
    }
}

static void expect_reported(enum code code, const char *message, const char *hint)
{
    fixture_judge(&fixture);
    assert_string_equal(code_name(fixture.verdict.cause.code), code_name(code));
    if (strstr(fixture.verdict.cause.message, message) == NULL ||
        strstr(fixture.verdict.cause.hint, hint) == NULL) {
        fail_msg("%s; %s", fixture.verdict.cause.message, fixture.verdict.cause.hint);
    }
}

static void an_end_before_the_launch_quotes_the_last_words(void **state)
{
    (void)state;
    both[0]->end.exit_status = both[1]->end.exit_status = 1;
    print("hello\nusage: /tmp/gpugrade-work-Ab12/gpugrade-x/build/program <n>\033[2J \n\n");
    expect_reported(CODE_EXIT_STATUS,
                    "the program ends with status 1 before it launches anything: usage: program "
                    "<n>\\x1B[2J",
                    "without arguments, without files and with empty input");
    both[0]->errors = both[1]->errors = "  what: no /dev/file\n";
    both[0]->errors_length = both[1]->errors_length = strlen(both[0]->errors);
    expect_reported(CODE_EXIT_STATUS, "anything: what: no /dev/file", "without arguments");
    both[0]->errors_length = both[1]->errors_length = 0;
    print("");
    expect_reported(CODE_EXIT_STATUS, "before it launches anything", "without arguments");
    assert_null(strstr(fixture.verdict.cause.message, ": "));
}

static void an_end_before_a_launch_that_is_there_is_no_missing_attempt(void **state)
{
    (void)state;
    print("matrices.txt cannot be opened\n");
    expect_reported(
        CODE_EXIT_STATUS,
        "the program ends with status 0 before it launches anything: matrices.txt cannot "
        "be opened",
        "without files");
}

static void without_a_launch_in_the_source_it_is_one(void **state)
{
    (void)state;
    set_source("__global__ void givenProduct() { }\n__global__ void mine() { }\n"
               "int main() { givenProduct<<<1, 1>>>(); }\n");
    expect_reported(CODE_NO_LAUNCH_YET, "nothing is launched", "launch `mine` too");
}

static void what_comes_after_a_launch_is_told_as_ever(void **state)
{
    (void)state;
    both[0]->end.exit_status = 1;
    both[0]->launch_total = 1;
    expect_reported(CODE_EXIT_STATUS, "the program ends with status 1", "status of each CUDA call");
    assert_null(strstr(fixture.verdict.cause.message, "before"));
}

static void programs_with_a_given_main_are_told_as_ever(void **state)
{
    (void)state;
    both[0]->end.exit_status = 1;
    fixture.program.override_count = 0;
    fixture.launch.is_pattern = false;
    expect_reported(CODE_EXIT_STATUS, "the program ends with status 1", "status of each CUDA call");
    assert_null(strstr(fixture.verdict.cause.message, "before"));
}

/* A printout is missing for the same reason, in the same words. */
static void a_missing_line_has_the_same_cause(void **state)
{
    (void)state;
    print("usage: program\n");
    expect_reported(CODE_EXIT_STATUS, "status 0 before it launches anything: usage: program",
                    "without arguments");
    both[1]->end.exit_status = 1;
    expect_reported(CODE_EXIT_STATUS, "status 1 before it launches anything: usage: program",
                    "without arguments");
    both[1]->end.exit_status = 0;
    both[1]->launch_total = 1;
    expect_reported(CODE_PRINTOUT_MISSING, "no line", "print exactly one line");
}

static void empty_input_is_told_to_who_reads_it(void **state)
{
    static const struct {
        enum ending ending;
        enum code code;
    } rows[] = {{ENDING_OUTPUT_LIMIT, CODE_TOO_MUCH_OUTPUT},
                {ENDING_WALL_LIMIT, CODE_PROGRAM_DEADLINE},
                {ENDING_CPU_LIMIT, CODE_CPU_DEADLINE}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        set_up_kind(CRITERION_CORRECT);
        both[0]->end = (struct program_end){.ending = rows[i].ending, .limit = 1 << 20};
        fixture_judge(&fixture);
        assert_null(strstr(fixture.verdict.cause.message, "input"));
        set_source("int main() { int c = 0; while (c != 1) { scanf(\"%d\", &c); } }\n");
        expect_reported(rows[i].code, "; it reads its input, which is empty", "without asking");
    }
}

/* Results were right before it asked for ever. */
static void an_endless_menu_behind_the_launch_counts(void **state)
{
    (void)state;
    fixture.run.observation_count = TOY_SHAPES;
    both[0]->launch_total = 3;
    both[0]->end = (struct program_end){.ending = ENDING_OUTPUT_LIMIT, .limit = 1 << 20};
    set_source("int main() { char c; do { std::cin >> c; } while (c != 'q'); }\n");
    expect_reported(CODE_TOO_MUCH_OUTPUT, "which is empty", "without asking");
}

static void a_crash_may_come_of_a_missing_argument(void **state)
{
    (void)state;
    both[0]->end = (struct program_end){.ending = ENDING_SIGNALLED, .signal = SIGSEGV};
    expect_reported(CODE_SIGNAL, "a segmentation fault", "array indices");
    set_source("int main(int argc, char **argv) { int n = atoi(argv[1]); }\n");
    expect_reported(CODE_SIGNAL, "a segmentation fault", "argv holds only its name");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_end_before_the_launch_quotes_the_last_words, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_end_before_a_launch_that_is_there_is_no_missing_attempt,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_launch_in_the_source_it_is_one, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_comes_after_a_launch_is_told_as_ever, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(programs_with_a_given_main_are_told_as_ever, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_missing_line_has_the_same_cause, set_up_occupancy,
                                        tear_down),
        cmocka_unit_test_setup_teardown(empty_input_is_told_to_who_reads_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_endless_menu_behind_the_launch_counts, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_crash_may_come_of_a_missing_argument, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
