/* test_launch_case.c: the marks of calls and cases, in order and out of it. */
#include "session/launch_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { EVENTS_MAX = 12 };

static const struct rubric_launch of_call = {
    .call = "saxpy",
    .input_count = 1,
    .operands = {{.name = "x"}, {.name = "y"}},
    .operand_count = 2,
};
static const struct rubric_launch of_launch = {.input_count = 1};

/* "c saxpy" begins a call, "o x" announces, "e" ends; "C" and "E" are a case's; "l" is a launch,
 * "g" the end of the program. */
static struct connection_event event_of(const char *text)
{
    struct connection_event event = {.kind = CONTROL_EVENT_MARKER, .address = 0x1000};

    snprintf(event.name, sizeof event.name, "%s", text[1] == ' ' ? text + 2 : "");
    switch (text[0]) {
    case 'c':
        event.mark = CLIENT_MARK_CALL;
        break;
    case 'o':
        event.mark = CLIENT_MARK_OPERAND;
        event.address = (uint64_t)event.name[0];
        break;
    case 'e':
        event.mark = CLIENT_MARK_CALL_END;
        break;
    case 'C':
        event.mark = CLIENT_MARK_CASE;
        break;
    case 'E':
        event.mark = CLIENT_MARK_CASE_END;
        break;
    case 'l':
        event.kind = CONTROL_EVENT_LAUNCH;
        break;
    default:
        event.kind = CONTROL_EVENT_GONE;
        break;
    }
    return event;
}

/* What a walk over events comes to: a letter for each event, "." for none, else its step. */
static const char *walk_over(const struct rubric_launch *launch, const char *const *events,
                             struct connection *connection, const char **out_disorder)
{
    static const char letters[] = {[CASE_LAUNCH] = 'L',
                                   [CASE_READY] = 'R',
                                   [CASE_OVER] = 'O',
                                   [CASE_DISORDER] = 'D',
                                   [CASE_GONE] = 'G'};
    static char steps[EVENTS_MAX + 1];
    struct case_walk walk = case_start(connection, launch);
    size_t count = 0;

    for (; count < EVENTS_MAX && events[count] != NULL; count++) {
        const struct connection_event event = event_of(events[count]);
        enum case_step step = CASE_GONE;
        steps[count] = case_take(&walk, &event, &step) ? letters[step] : '.';
    }
    steps[count] = '\0';
    *out_disorder = walk.disorder;
    return steps;
}

static void marks_of_calls(void **state)
{
    static const struct {
        const char *events[EVENTS_MAX];
        const char *steps;
        const char *disorder; /* words of it; NULL: none */
    } rows[] = {
        {{"l", "c saxpy", "o x", "o y", "l", "l", "e"}, "...RLLO", NULL},
        {{"c saxpy", "o y", "o x", "e"}, "..RO", NULL},
        {{"c other", "o z", "l", "e", "c saxpy", "o x", "o y", "e"}, "......RO", NULL},
        {{"c saxpy", "o x", "o y", "C", "l", "E", "e"}, "..R.L.O", NULL},
        {{"c saxpy", "o x", "o y", "g"}, "..RG", NULL},
        {{"g"}, "G", NULL},
        {{"e"}, "D", "a call ends that has not begun"},
        {{"o x"}, "D", "an operand is announced where no call begins"},
        {{"c saxpy", "e"}, ".D", "a call ends before all of its operands are announced"},
        {{"c saxpy", "o x", "e"}, "..D", "a call ends before all of its operands are announced"},
        {{"c saxpy", "c saxpy"}, ".D", "a call begins within another one"},
        {{"c saxpy", "o x", "o y", "c saxpy"}, "..RD", "a call begins within another one"},
        {{"c other", "c saxpy"}, ".D", "a call begins within another one"},
        {{"c saxpy", "o x", "o y", "o x"}, "..RD", "an operand is announced where no call begins"},
        {{"c saxpy", "o x", "o x"}, "..D", "an operand is announced twice"},
        {{"c saxpy", "o z"}, ".D", "an operand is announced that the rubric does not have"},
        {{"c saxpy", "o"}, ".D", "an operand is announced that the rubric does not have"},
    };
    const char *disorder;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static struct connection connection;
        const char *steps = walk_over(&of_call, rows[i].events, &connection, &disorder);

        assert_string_equal(steps, rows[i].steps);
        assert_string_equal(disorder == NULL ? "" : disorder,
                            rows[i].disorder == NULL ? "" : rows[i].disorder);
    }
}

static void addresses_are_noted(void **state)
{
    static const char *const events[] = {"c saxpy", "o y", "o x", NULL};
    static struct connection connection;
    const char *disorder;

    (void)state;
    walk_over(&of_call, events, &connection, &disorder);
    assert_int_equal(connection.announced[0], 'x');
    assert_int_equal(connection.announced[1], 'y');
}

/* Where launches are judged, any marks will do. */
static void marks_of_cases(void **state)
{
    static const struct {
        const char *events[EVENTS_MAX];
        const char *steps;
    } rows[] = {
        {{"l", "C", "l", "l", "E"}, "..LLO"},
        {{"E", "C", "C", "l", "E"}, "...LO"},
        {{"c saxpy", "o x", "l", "e"}, "..LO"},
        {{"C", "g"}, ".G"},
    };
    static struct connection connection;
    const char *disorder;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_string_equal(walk_over(&of_launch, rows[i].events, &connection, &disorder),
                            rows[i].steps);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_of_calls),
        cmocka_unit_test(addresses_are_noted),
        cmocka_unit_test(marks_of_cases),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
