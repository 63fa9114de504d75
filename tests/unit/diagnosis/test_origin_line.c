/* test_origin_line.c: which elements of a call are followed, and which line is told of what was
 * found. */
#include "../criteria_fixture.h"

#include "diagnosis/dataflow/origin_line.h"
#include "diagnosis/dataflow/value_faults.h"
#include "diagnosis/diagnosis.h"

static struct fixture fixture;
static struct followed_call followed;
static const struct followed_call *all[4] = {&followed};

static int set_up(void **state)
{
    (void)state;
    fixture_init(&fixture, CRITERION_CORRECT);
    fixture.launch.call = "multiply";
    memset(&followed, 0, sizeof followed);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    fixture_free(&fixture);
    return 0;
}

static void spoil(size_t shape, enum probe_kind kind, size_t element)
{
    *fixture_element(&fixture, shape, kind, element) += 100.0f;
}

static bool wants(void)
{
    fixture_judge(&fixture);
    return diagnosis_wants_origins(&fixture.input, fixture.arena, &fixture.verdict, &followed);
}

static void test_wrong_elements_of_a_call_and_some_right_ones(void **state)
{
    (void)state;
    assert_false(wants());
    spoil(1, PROBE_FLOAT, 31);
    spoil(1, PROBE_FLOAT, 25);
    assert_true(wants());
    assert_int_equal(followed.operand, OPERAND_C);
    assert_int_equal(followed.probe, PROBE_FLOAT);
    assert_int_equal(followed.parameters[1], 24);
    assert_int_equal(followed.wrong_count, 2);
    assert_int_equal(followed.elements[0], 25);
    assert_int_equal(followed.elements[1], 31);
    assert_int_equal(followed.count, 2 + FOLLOWED_MAX / 4);
    fixture.launch.call = NULL;
    assert_false(wants());
}

/* More wrong elements than are asked for: they are spread, and the first is one of them. */
static void test_many_wrong_elements(void **state)
{
    (void)state;
    for (size_t i = 2; i < 112; i++) {
        spoil(1, PROBE_EXACT, i);
    }
    assert_true(wants());
    assert_int_equal(followed.wrong_count, FOLLOWED_MAX - FOLLOWED_MAX / 4);
    assert_int_equal(followed.elements[0], 2);
    assert_true(followed.elements[followed.wrong_count - 1] > 105);
    assert_true(followed.elements[followed.wrong_count - 1] < 112);
}

/* Origins of four wrong elements and a right one: the last store, the maker, 0: none, and the
 * launch. */
struct row {
    int lines[5][3];
    int line; /* that is told; 0: none */
    const char *label;
};

static void test_lines(void **state)
{
    (void)state;
    static const struct row rows[] = {
        /* all are moved, one was made */
        {{{31, 0}, {32, 12}, {31, 0}, {32, 0}, {31, 0}},
         12,
         "makes the value that ends up in C(0,1)"},
        /* some are computed by their last store */
        {{{31, 31}, {32, 12}, {31, 31}, {31, 0}, {31, 0}}, 31, "stores the value of C(0,0)"},
        /* nothing comes from the inputs */
        {{{31, 12}, {31, 12}, {31, 12}, {31, 12}, {0, 0}}, 31, "stores the value of C(0,0)"},
        /* an early launch stored most of them, a later one has had them all */
        {{{12, 12, 1}, {12, 12, 1}, {12, 12, 1}, {31, 31, 9}, {0, 0}},
         31,
         "stores the value of C(0,3)"},
        {{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {40, 40}}, 40, "stores other elements, but not C(0,0)"},
        {{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}}, 0, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cause cause = {.code = CODE_MISMATCH, .file = ""};
        followed = (struct followed_call){.operand = OPERAND_C,
                                          .elements = {0, 1, 2, 3, 4},
                                          .count = 5,
                                          .wrong_count = 4,
                                          .is_known = true};
        for (size_t k = 0; k < 5; k++) {
            const int *lines = rows[i].lines[k];
            followed.origins[k] = (struct value_origin){{lines[0] > 0 ? "a.cu" : "", lines[0], 5},
                                                        {lines[1] > 0 ? "a.cu" : "", lines[1], 9},
                                                        (uint64_t)lines[2]};
        }
        fixture.evidence.followed = all;
        locate_origin(&fixture.input, fixture.arena, 0, &cause);
        assert_int_equal(cause.line, rows[i].line);
        if (rows[i].line > 0) {
            assert_string_equal(cause.label, rows[i].label);
        }
        followed.is_known = false;
        cause.line = 0;
        locate_origin(&fixture.input, fixture.arena, 0, &cause);
        assert_int_equal(cause.line, 0);
    }
}

/* A launch whose stores are lost, in a loop or not. */
static void test_lost_stores(void **state)
{
    static const char source[] = "void multiply(int n) {\n"
                                 "    while (n > 1) {\n"
                                 "        step<<<n, 8>>>(from, to);\n"
                                 "    }\n"
                                 "    step<<<1, 8>>>(from, to);\n"
                                 "}\n";
    struct source_file file = {"a.cu", source, strlen(source)};

    (void)state;
    fixture.input.sources = &file;
    fixture.input.source_count = 1;
    fixture.evidence.followed = all;
    for (int line = 3; line <= 5; line += 2) {
        const struct host_places lost = {{"a.cu", line}, {"a.cu", line}};
        struct cause cause = {.code = CODE_MISMATCH, .file = ""};
        followed = (struct followed_call){
            .operand = OPERAND_C, .count = 1, .wrong_count = 1, .is_known = true, .lost = &lost};
        followed.origins[0] = (struct value_origin){{"a.cu", 31, 5}, {"a.cu", 31, 5}, 1};
        locate_origin(&fixture.input, fixture.arena, 0, &cause);
        assert_int_equal(cause.line, line == 3 ? 3 : 31);
        if (line == 3) {
            assert_string_equal(cause.label, "nothing reads what is stored by launches here");
            assert_non_null(strstr(cause.hint, "at the end of the loop in line 2"));
        }
    }
}

/* Element 3 of C needs all elements of A. */
static size_t all_of_a(const struct oracle_problem *problem, size_t element,
                       struct oracle_need *out_needs, size_t capacity)
{
    const size_t count = element == 3 ? problem->input_counts[0] : 0;
    for (size_t i = 0; i < count && i < capacity; i++) {
        out_needs[i] = (struct oracle_need){0, i};
    }
    return count;
}

static void test_an_element_that_is_never_loaded(void **state)
{
    (void)state;
    static const struct {
        size_t wrong;
        int line;
    } rows[] = {{3, 21}, {4, 31}};
    fixture.oracle.needs = all_of_a;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cause cause = {.code = CODE_MISMATCH, .file = ""};
        followed = (struct followed_call){.case_index = fixture.observations[1].case_index,
                                          .operand = OPERAND_C,
                                          .elements = {rows[i].wrong},
                                          .count = 1,
                                          .wrong_count = 1,
                                          .is_known = true};
        followed.origins[0] = (struct value_origin){{"a.cu", 31, 5}, {"a.cu", 31, 5}, 1};
        followed.loads[OPERAND_A] = (struct operand_loads){true, 2, {"a.cu", 21, 3}};
        fixture.evidence.followed = all;
        locate_origin(&fixture.input, fixture.arena, 0, &cause);
        assert_int_equal(cause.line, rows[i].line);
        if (cause.line == 21) {
            assert_string_equal(cause.label, "never loads A(1,0)");
        }
    }
}

/* A compiler gives a load an earlier line than the source does; the mark is at the element. */
static void test_a_load_before_its_line(void **state)
{
    (void)state;
    static const char text[] = "__global__ void multiply(const float *A, float *C) {\n"
                               "    const int t = threadIdx.x;\n"
                               "    C[t] = 0;\n"
                               "    for (int k = 0; k < 9; k++) {\n"
                               "        C[t] += A[t]; }}\n";
    static const struct {
        int load, line, column;
    } rows[] = {{2, 5, 17}, {5, 5, 3}, {3, 3, 3}};
    const struct source_file source = {"multiply.cu", text, strlen(text)};
    fixture.oracle.needs = all_of_a;
    fixture.input.sources = &source;
    fixture.input.source_count = 1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cause cause = {.code = CODE_MISMATCH, .file = ""};
        followed = (struct followed_call){.case_index = fixture.observations[1].case_index,
                                          .operand = OPERAND_C,
                                          .elements = {3},
                                          .count = 1,
                                          .wrong_count = 1,
                                          .is_known = true};
        followed.loads[OPERAND_A] =
            (struct operand_loads){true, 2, {"multiply.cu", rows[i].load, 3}};
        fixture.evidence.followed = all;
        locate_origin(&fixture.input, fixture.arena, 0, &cause);
        assert_int_equal(cause.line, rows[i].line);
        assert_int_equal(cause.column, rows[i].column);
    }
}

/* What two wrong values are made of, and a right one: elements of A, in how many ways, and the line
 * of the last read. The wrong ones need A(0,0) and A(0,1), which line 20 loads; the right one
 * A(0,0). */
struct parts_row {
    struct {
        size_t element;
        uint32_t count;
        int line;
    } wrong[3], right[2];
    int fate; /* line of the last read of A(0,1) */
    bool is_only_loaded, decides;
    int line;
    const char *label;
};

static struct parted_value parted(bool is_wrong, const struct operand_element *needs,
                                  struct value_part *parts, const struct parts_row *row)
{
    struct parted_value value = {.element = 3,
                                 .is_wrong = is_wrong,
                                 .needs = needs,
                                 .need_count = is_wrong ? 2 : 1,
                                 .is_known = true,
                                 .parts = parts,
                                 .missing_count = is_wrong ? 1 : 0,
                                 .first_missing = 1,
                                 .fate = {"a.cu", row->fate, 1},
                                 .is_only_loaded = row->is_only_loaded,
                                 .decides = row->decides};

    for (size_t i = 0; i < (is_wrong ? 3 : 2); i++) {
        const size_t element = is_wrong ? row->wrong[i].element : row->right[i].element;
        const uint32_t count = is_wrong ? row->wrong[i].count : row->right[i].count;
        const int line = is_wrong ? row->wrong[i].line : row->right[i].line;
        if (count > 0) {
            parts[value.part_count++] = (struct value_part){
                {OPERAND_A, element}, count, {"a.cu", 20, 1}, {"a.cu", line, 1}};
            value.missing_count = element == 1 ? 0 : value.missing_count;
        }
    }
    return value;
}

static void test_elements_at_fault(void **state)
{
    (void)state;
    static const struct operand_element needs[] = {{OPERAND_A, 0}, {OPERAND_A, 1}};
    static const struct parts_row rows[] = {
        {{{0, 1, 25}, {2, 1, 26}},
         {{0, 1, 25}},
         24,
         false,
         false,
         26,
         "brings A(1,0) into C(0,3), which lacks A(0,1)"},
        /* it is not even loaded */
        {{{0, 1, 25}, {2, 1, 26}},
         {{0, 1, 25}},
         0,
         false,
         false,
         20,
         "brings A(1,0) into C(0,3), which lacks A(0,1)"},
        {{{0, 1, 25}, {1, 1, 25}, {2, 1, 26}},
         {{0, 1, 25}},
         24,
         false,
         false,
         26,
         "brings A(1,0) into C(0,3), which does not need it"},
        /* so does the right one, and it is right */
        {{{0, 1, 25}, {1, 1, 25}, {2, 1, 26}},
         {{0, 1, 25}, {2, 1, 25}},
         24,
         false,
         false,
         31,
         "stores the value of C(0,0)"},
        {{{0, 1, 25}},
         {{0, 1, 25}},
         24,
         false,
         false,
         24,
         "A(0,1) gets as far as here, and not into C(0,3)"},
        {{{0, 1, 25}},
         {{0, 1, 25}},
         20,
         true,
         false,
         20,
         "loads A(0,1), which never gets into C(0,3)"},
        {{{0, 1, 25}},
         {{0, 1, 25}},
         0,
         true,
         false,
         31,
         "stores the value of C(0,3), without A(0,1), which no kernel reads"},
        {{{0, 1, 25}}, {{0, 1, 25}}, 24, false, true, 31, "stores the value of C(0,0)"},
        {{{0, 1, 25}, {1, 1, 26}},
         {{0, 1, 25}},
         24,
         false,
         false,
         31,
         "stores the value of C(0,3), made of the elements that it needs and no others"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cause cause = {.code = CODE_MISMATCH, .file = ""};
        struct value_part parts[2][3];
        followed = (struct followed_call){.case_index = fixture.observations[1].case_index,
                                          .operand = OPERAND_C,
                                          .count = 1,
                                          .wrong_count = 1,
                                          .is_known = true,
                                          .parted_count = 2};
        followed.origins[0] = (struct value_origin){{"a.cu", 31, 5}, {"a.cu", 31, 5}, 1};
        followed.parted[0] = parted(true, needs, parts[0], &rows[i]);
        followed.parted[1] = parted(false, needs, parts[1], &rows[i]);
        fixture.evidence.followed = all;
        locate_origin(&fixture.input, fixture.arena, 0, &cause);
        assert_string_equal(cause.label, rows[i].label);
        assert_int_equal(cause.line, rows[i].line);
    }
}

/* C(0,3) has all that it needs, A(0,1) three times: told if that makes the wrong value. */
static void test_elements_that_are_added_several_times(void **state)
{
    (void)state;
    static const struct operand_element needs[] = {{OPERAND_A, 0}, {OPERAND_A, 1}};
    static const struct {
        uint32_t counts[2];
        float more; /* of A(0,1) * B(1,3); below 0: A(0,1) itself is that large */
        const char *label;
    } rows[] = {
        {{1, 2}, 1, "brings A(0,1) into C(0,3) twice"},
        {{1, 3}, 2, "brings A(0,1) into C(0,3) 3 times"},
        {{1, 4000}, /* of 1e35: an oracle need not take that */
         -1e35f,
         "stores the value of C(0,3), made of the elements that it needs and no others"},
        {{1, 3}, 1, "stores the value of C(0,3), made of the elements that it needs and no others"},
        {{1, 1}, 1, "stores the value of C(0,3), made of the elements that it needs and no others"},
        {{1, UINT32_MAX},
         2,
         "stores the value of C(0,3), made of the elements that it needs and no others"},
    };
    const struct observation *observation = &fixture.observations[1];
    const size_t width = (size_t)observation->parameters[1];
    const struct sample *sample = observation->samples;
    float *a = (float *)(uintptr_t)sample->before[OPERAND_A];
    const float *b = sample->before[OPERAND_B];
    float *c = fixture_element(&fixture, 1, sample->kind, 3);
    const float right = *c;
    const float small = a[1];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct cause cause = {.code = CODE_MISMATCH, .file = ""};
        struct value_part parts[] = {
            {{OPERAND_A, 0}, rows[i].counts[0], {"a.cu", 20, 1}, {"a.cu", 25, 1}},
            {{OPERAND_A, 1}, rows[i].counts[1], {"a.cu", 20, 1}, {"a.cu", 25, 1}}};
        followed = (struct followed_call){.case_index = observation->case_index,
                                          .probe = (uint32_t)sample->kind,
                                          .operand = OPERAND_C,
                                          .count = 1,
                                          .wrong_count = 1,
                                          .is_known = true,
                                          .parted_count = 1};
        followed.origins[0] = (struct value_origin){{"a.cu", 31, 5}, {"a.cu", 31, 5}, 1};
        followed.parted[0] = (struct parted_value){.element = 3,
                                                   .is_wrong = true,
                                                   .needs = needs,
                                                   .need_count = 2,
                                                   .is_known = true,
                                                   .parts = parts,
                                                   .part_count = 2};
        fixture.evidence.followed = all;
        a[1] = rows[i].more < 0 ? -rows[i].more : small;
        *c = rows[i].more < 0 ? 1.0F : right + rows[i].more * a[1] * b[width + 3];
        locate_origin(&fixture.input, fixture.arena, 0, &cause);
        assert_string_equal(cause.label, rows[i].label);
    }
}

/* C(0,3), element 3 of C, has A(0,0) and the parts of a row, and needs A(0,0) and A(0,1). */
static void test_what_a_trace_says_is_confirmed(void **state)
{
    (void)state;
    enum { A00, A01, A10 };
    static const struct operand_element needs[] = {{OPERAND_A, A00}, {OPERAND_A, A01}};
    static const struct {
        struct part_claim claim;
        size_t part_count, missing_count;
        bool is_unknown, is_confirmed;
    } rows[] = {
        {{PARTS_NOT_MEANT, 3, {OPERAND_A, A01}, false}, 2, 0, false, true},
        {{PART_LACKS, 3, {OPERAND_A, A01}, false}, 1, 1, false, true},
        {{PART_LACKS, 3, {OPERAND_A, A01}, true}, 2, 0, false, false},
        {{PART_LACKS, 3, {OPERAND_A, A00}, true}, 1, 1, false, false},
        {{PART_LACKS, 4, {OPERAND_A, A00}, false}, 1, 1, false, true},
        {{PART_LACKS, 4, {OPERAND_A, A01}, true}, 2, 0, false, false},
        {{PART_LACKS, 3, {OPERAND_A, A01}, false}, 1, 1, true, false},
        {{PART_LACKS, 3, {OPERAND_A, A01}, true}, 1, 1, true, true},
        {{PART_IS_OTHER, 3, {OPERAND_A, A10}, true}, 2, 0, false, false},
        {{PART_IS_OTHER, 3, {OPERAND_A, A10}, false}, 3, 0, false, true},
        {{PART_IS_OTHER, 4, {OPERAND_A, A01}, false}, 3, 0, false, true},
        {{PART_IS_OTHER, 4, {OPERAND_A, A10}, true}, 2, 0, false, false},
        {{PARTS_ARE_NONE, 3, {0, 0}, false}, 0, 2, false, true},
        {{PARTS_ARE_NONE, 3, {0, 0}, true}, 1, 1, false, false},
    };
    static const struct value_part parts[] = {
        {.from = {OPERAND_A, A00}}, {.from = {OPERAND_A, A01}}, {.from = {OPERAND_A, A10}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        followed = (struct followed_call){.parted_count = 1};
        followed.parted[0] = (struct parted_value){.element = 3,
                                                   .is_wrong = true,
                                                   .needs = needs,
                                                   .need_count = 2,
                                                   .is_known = !rows[i].is_unknown,
                                                   .parts = parts,
                                                   .part_count = rows[i].part_count,
                                                   .missing_count = rows[i].missing_count};
        assert_int_equal(value_faults_confirm(&followed, &rows[i].claim), rows[i].is_confirmed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_wrong_elements_of_a_call_and_some_right_ones, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_many_wrong_elements, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lost_stores, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_load_before_its_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_elements_at_fault, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_elements_that_are_added_several_times, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_an_element_that_is_never_loaded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_a_trace_says_is_confirmed, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
