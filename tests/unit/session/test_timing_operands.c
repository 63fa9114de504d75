/* test_timing_operands.c: what a request says of operands whose values are drawn on the device. */
#include "session/timing_operands.h"

#include "model/observation.h"
#include "session/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* The request for a launch whose operands have ten elements each. */
static const struct timing_request *describe(const struct rubric_launch *launch)
{
    static struct timing_request request;
    const struct rubric rubric = {.launches = launch, .launch_count = 1};
    const struct session_config config = {.rubric = &rubric};
    struct connection connection = {.config = &config};
    const struct observation observation = {.element_counts = {10, 10}};
    const struct timed_operands timed = {
        .connection = &connection, .launch = launch, .observation = &observation};
    struct diagnostic diagnostic = {.message = ""};

    assert_int_equal(timing_describe_operands(&timed, &request, &diagnostic), ERROR_NONE);
    return &request;
}

/* Floats without `values` are drawn as floats are, small integers from all that they hold. */
static void inputs_without_a_range(void **unused)
{
    static const struct {
        enum element_type type;
        uint32_t timed;
        double least, most;
    } rows[] = {
        {ELEMENT_F32, TIMING_F32, 0, 0},      {ELEMENT_F16, TIMING_F16, 0, 0},
        {ELEMENT_BF16, TIMING_BF16, 0, 0},    {ELEMENT_I8, TIMING_I8, -128, 127},
        {ELEMENT_U16, TIMING_U16, 0, 0xffff},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rubric_launch launch = {
            .id = "l",
            .operands = {{.name = "in", .type = rows[i].type, .role = OPERAND_INPUT},
                         {.name = "out", .type = ELEMENT_F32, .role = OPERAND_OUTPUT}},
            .operand_count = 2,
        };
        const struct timing_request *request = describe(&launch);

        assert_int_equal(request->operands[0].type, rows[i].timed);
        assert_true(request->operands[0].least == rows[i].least);
        assert_true(request->operands[0].most == rows[i].most);
        assert_int_equal(request->operands[0].copy_of, 0);
        assert_int_equal(request->operands[1].comparison, TIMING_MAGNITUDES);
    }
}

/* A unit in the last place is as large as the type has it. */
static void units_are_of_the_type(void **unused)
{
    static const struct {
        enum element_type type;
        double tolerance, absolute;
    } rows[] = {
        {ELEMENT_F32, 0x1p-22, 0x1p-148},
        {ELEMENT_F16, 0x1p-9, 0x1p-23},
        {ELEMENT_BF16, 0x1p-6, 0x1p-132},
        {ELEMENT_I32, 0, 0},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct rubric_launch launch = {
            .id = "l",
            .operands = {{.name = "out",
                          .type = rows[i].type,
                          .role = OPERAND_OUTPUT,
                          .compare = {.kind = COMPARE_WITHIN, .ulps = 1}}},
            .operand_count = 1,
        };
        const struct timing_request *request = describe(&launch);

        assert_int_equal(request->operands[0].comparison, TIMING_CLOSE);
        assert_true(request->operands[0].tolerance == rows[i].tolerance);
        assert_true(request->operands[0].absolute == rows[i].absolute);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_without_a_range),
        cmocka_unit_test(units_are_of_the_type),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
