/* test_timing_operands.c: what a request says of operands whose values are drawn on the device. */
#include "session/timing_operands.h"

#include "model/observation.h"
#include "session/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

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
        const struct rubric rubric = {.launches = &launch, .launch_count = 1};
        const struct session_config config = {.rubric = &rubric};
        struct connection connection = {.config = &config};
        const struct observation observation = {.element_counts = {10, 10}};
        const struct timed_operands timed = {
            .connection = &connection, .launch = &launch, .observation = &observation};
        static struct timing_request request;
        struct diagnostic diagnostic = {.message = ""};

        assert_int_equal(timing_describe_operands(&timed, &request, &diagnostic), ERROR_NONE);
        assert_int_equal(request.operands[0].type, rows[i].timed);
        assert_true(request.operands[0].least == rows[i].least);
        assert_true(request.operands[0].most == rows[i].most);
        assert_int_equal(request.operands[0].copy_of, 0);
        assert_int_equal(request.operands[1].comparison, TIMING_MAGNITUDES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(inputs_without_a_range)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
