/* test_call_location.c: the line of a wrong result of a judged call, in kernels and in host code. */
#include "../criteria_fixture.h"
#include "criteria/results/wrong_result.h"
#include "diagnosis/location/cause_location.h"

static const char source[] = "__global__ void multiply(const float *a, float *c)\n" /* 1 */
                             "{\n"
                             "    if (edge)\n"
                             "        c[i] = 1;\n" /* 4 */
                             "    else\n"
                             "        c[i] = 2;\n" /* 6 */
                             "    d[i] = 3;\n"     /* 7 */
                             "}\n"
                             "void copies() { cudaMemcpy(c, b, 4); }\n" /* 9 */
                             "void call()\n"
                             "{\n"
                             "    multiply<<<1, 2>>>(a, b);\n" /* 12 */
                             "    copies();\n"                 /* 13 */
                             "}\n";
enum { EDGE_LINE = 4, INNER_LINE = 6, LAST_LINE = 7, COPY_LINE = 9, LAUNCH_LINE = 12, CALL_LINE };

static const struct host_places launch_places = {{"multiply.cu", LAUNCH_LINE},
                                                 {"multiply.cu", LAUNCH_LINE}};
static const struct host_places copy_places = {{"multiply.cu", COPY_LINE},
                                               {"multiply.cu", CALL_LINE}};

static struct fixture fixture;
static struct source_file file = {"multiply.cu", source, sizeof source - 1};
static struct line_count lines[TOY_SHAPES][2];

/* One product is missing in every element, which is a mistake that the oracle knows. */
static void kernel_one_product(enum probe_kind kind, const int64_t *size, const float *a,
                               const float *b, float *c)
{
    (void)kind;
    for (int64_t i = 0; i < size[0] * size[1]; i++) {
        c[i] = a[i / size[1] * TOY_INNER] * b[i % size[1]];
    }
}

/* A call that launches the kernel `launches` times. One element is stored in line `first`, all
 * others in line `second`; if `is_copied`, to other memory than C, and a copy follows. */
static void set_up(uint64_t launches, int first, int second, bool is_copied)
{
    fixture_init(&fixture, CRITERION_CORRECT);
    fixture.launch.call = "call";
    fixture.input.sources = &file;
    fixture.input.source_count = 1;
    fixture_compute_all(&fixture, kernel_one_product);
    for (size_t i = 0; i < TOY_SHAPES; i++) {
        const size_t count = fixture.observations[i].element_counts[OPERAND_C];
        const struct access_sum all = {.lanes = count, .bytes = 4 * count};
        lines[i][0] = (struct line_count){.file = "multiply.cu", .line = first};
        lines[i][0].access = COUNT_WRITE;
        lines[i][0].sum.bytes = 4;
        lines[i][1] = lines[i][0];
        lines[i][1].line = second;
        lines[i][1].sum.bytes = all.bytes - 4;
        for (size_t j = 0; j < PROBE_COUNT; j++) {
            struct sample *sample = &fixture.samples[i][j];
            sample->counts.is_counted = true;
            sample->counts.totals[COUNT_GLOBAL][COUNT_WRITE] = all;
            sample->counts.lines = lines[i];
            sample->counts.line_count = 2;
            sample->call.launches = launches;
            sample->call.places[HOST_LAUNCHES] = &launch_places;
            if (is_copied) {
                sample->call.copy_places[OPERAND_C] = &copy_places;
            } else {
                sample->counts.operands[OPERAND_C][COUNT_WRITE] = all;
            }
        }
    }
}

static void expect_line(int line, const char *label)
{
    const char *summary = NULL;
    struct cause *cause = &fixture.verdict.cause;

    fixture.verdict = (struct verdict){.criterion = &fixture.criterion, .status = STATUS_FAILED};
    assert_true(
        find_wrong_result(&fixture.input, fixture.arena, 0, &fixture.verdict, cause, &summary));
    assert_int_equal(cause->code, CODE_NAMED_MISTAKE);
    cause_location(&fixture.input, fixture.arena, &fixture.verdict);
    assert_int_equal(cause->line, line);
    assert_true(line == 0 || strstr(cause->label, label) != NULL);
    fixture_free(&fixture);
}

static void the_only_store_is_told(void **state)
{
    (void)state;
    set_up(2, LAST_LINE, LAST_LINE, false);
    expect_line(LAST_LINE, "writes C");
}

/* Others cannot have stored half of what is wrong, unless it comes from an earlier launch. */
static void the_store_of_most_is_told(void **state)
{
    (void)state;
    set_up(1, EDGE_LINE, INNER_LINE, false);
    expect_line(INNER_LINE, "stores what is wrong in C");
    set_up(1, EDGE_LINE, INNER_LINE, true);
    expect_line(INNER_LINE, "stores what should come to C");
    set_up(2, EDGE_LINE, INNER_LINE, false);
    expect_line(0, "");
}

/* A compiler makes one store of c[i] = 1 and c[i] = 2. */
static void a_store_of_two_lines_is_not_told(void **state)
{
    (void)state;
    set_up(1, EDGE_LINE, EDGE_LINE, false);
    expect_line(0, "");
    set_up(1, LAST_LINE, INNER_LINE, false);
    expect_line(0, "");
}

static void mistakes_of_host_code_are_told_there(void **state)
{
    static const char *const names[] = {"one_product", NULL};

    (void)state;
    set_up(1, EDGE_LINE, INNER_LINE, true);
    fixture.oracle.launch_mistakes = names;
    expect_line(LAUNCH_LINE, "the launch");
    set_up(3, EDGE_LINE, INNER_LINE, true);
    fixture.oracle.copy_mistakes = names;
    expect_line(CALL_LINE, "leads to the copy to C in line 9");
    set_up(3, EDGE_LINE, INNER_LINE, false);
    fixture.oracle.copy_mistakes = names;
    expect_line(LAUNCH_LINE, "the launches");
    set_up(3, EDGE_LINE, INNER_LINE, false);
    fixture.oracle.copy_mistakes = names;
    for (size_t i = 0; i < TOY_SHAPES * PROBE_COUNT; i++) {
        fixture.samples[i / PROBE_COUNT][i % PROBE_COUNT].call.places[HOST_COPIES] = &copy_places;
    }
    expect_line(CALL_LINE, "leads to a copy in line 9");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_only_store_is_told),
        cmocka_unit_test(the_store_of_most_is_told),
        cmocka_unit_test(a_store_of_two_lines_is_not_told),
        cmocka_unit_test(mistakes_of_host_code_are_told_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
