/* test_run_end.c: whose fault it is that a tool failed, from facts. */
#include "toolchain/run_end.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct sandbox_limits limits = {
    .wall_ns = 60, .cpu_ns = 50, .memory_bytes = 40, .processes = 30, .file_bytes = 20};

#define BIT(signal) (UINT64_C(1) << (signal))

static void limits_of_the_sandbox_stay(void **state)
{
    static const struct {
        enum sandbox_ending from;
        enum ending to;
    } rows[] = {
        {SANDBOX_EXITED, ENDING_EXITED},
        {SANDBOX_SIGNALLED, ENDING_SIGNALLED},
        {SANDBOX_WALL_LIMIT, ENDING_WALL_LIMIT},
        {SANDBOX_CPU_LIMIT, ENDING_CPU_LIMIT},
        {SANDBOX_MEMORY_LIMIT, ENDING_MEMORY_LIMIT},
        {SANDBOX_PROCESS_LIMIT, ENDING_PROCESS_LIMIT},
        {SANDBOX_FILE_LIMIT, ENDING_FILE_LIMIT},
        {SANDBOX_OUTPUT_LIMIT, ENDING_OUTPUT_LIMIT},
        {SANDBOX_STOPPED, ENDING_STOPPED},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        /* What its steps ended by does not matter where a limit is known. */
        const struct sandbox_end end = {
            .ending = rows[i].from,
            .limit = 7,
            .reached = 8,
            .step_signals = rows[i].from == SANDBOX_SIGNALLED ? 0 : BIT(SIGKILL),
        };
        bool by_machine = true;
        struct program_end result = run_end(&end);
        assert_int_equal(result.ending, rows[i].to);
        assert_true(result.limit == 7 && result.reached == 8);
        result = run_end_of_tool(&end, &limits, &by_machine);
        assert_int_equal(result.ending, rows[i].to);
        assert_true(result.limit == 7 && result.reached == 8);
        assert_false(by_machine);
    }
}

/* What a program did is said of a limit of the clock alone. */
static void uses_are_translated(void **state)
{
    static const struct {
        enum sandbox_ending ending;
        enum program_use from;
        enum ending_use to;
    } rows[] = {
        {SANDBOX_WALL_LIMIT, PROGRAM_COMPUTES, ENDING_COMPUTED},
        {SANDBOX_WALL_LIMIT, PROGRAM_IS_SERVED, ENDING_SERVED},
        {SANDBOX_WALL_LIMIT, PROGRAM_WAITS, ENDING_WAITED},
        {SANDBOX_CPU_LIMIT, PROGRAM_WAITS, ENDING_USE_UNKNOWN},
        {SANDBOX_EXITED, PROGRAM_WAITS, ENDING_USE_UNKNOWN},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct sandbox_end end = {.ending = rows[i].ending, .use = rows[i].from};
        assert_int_equal(run_end(&end).use, rows[i].to);
    }
}

static void wait_statuses_decide(void **state)
{
    static const struct {
        struct sandbox_end end;
        enum ending ending;
        bool by_machine;
    } rows[] = {
        /* the tool itself */
        {{.ending = SANDBOX_SIGNALLED, .signal = SIGKILL}, ENDING_SIGNALLED, true},
        {{.ending = SANDBOX_SIGNALLED, .signal = SIGSEGV}, ENDING_SIGNALLED, false},
        {{.ending = SANDBOX_SIGNALLED, .signal = SIGKILL, .peak_memory_bytes = 20},
         ENDING_MEMORY_LIMIT,
         false},
        /* a step of it */
        {{.ending = SANDBOX_EXITED, .exit_status = 1, .step_signals = BIT(0)},
         ENDING_EXITED,
         false},
        {{.ending = SANDBOX_EXITED, .exit_status = 1, .step_signals = BIT(SIGKILL)},
         ENDING_EXITED,
         true},
        /* it was refused memory, and says so in its own words alone */
        {{.ending = SANDBOX_EXITED, .exit_status = 1, .peak_memory_bytes = 20},
         ENDING_MEMORY_LIMIT,
         false},
        {{.ending = SANDBOX_EXITED, .exit_status = 1, .peak_memory_bytes = 19},
         ENDING_EXITED,
         false},
        {{.ending = SANDBOX_EXITED, .peak_memory_bytes = 39}, ENDING_EXITED, false},
        /* it aborts where its table cannot double */
        {{.ending = SANDBOX_EXITED, .exit_status = 128 + SIGABRT, .peak_memory_bytes = 10},
         ENDING_MEMORY_LIMIT,
         false},
        {{.ending = SANDBOX_EXITED,
          .exit_status = 2,
          .step_signals = BIT(SIGABRT),
          .peak_memory_bytes = 10},
         ENDING_MEMORY_LIMIT,
         false},
        {{.ending = SANDBOX_EXITED, .exit_status = 128 + SIGABRT, .peak_memory_bytes = 9},
         ENDING_EXITED,
         false},
        {{.ending = SANDBOX_EXITED,
          .exit_status = 1,
          .step_signals = BIT(SIGKILL),
          .peak_memory_bytes = 19},
         ENDING_EXITED,
         true},
        {{.ending = SANDBOX_EXITED,
          .exit_status = 1,
          .step_signals = BIT(SIGKILL),
          .peak_memory_bytes = 20},
         ENDING_MEMORY_LIMIT,
         false},
        {{.ending = SANDBOX_EXITED, .exit_status = 1, .step_signals = BIT(SIGKILL), .cpu_ns = 25},
         ENDING_CPU_LIMIT,
         false},
        {{.ending = SANDBOX_EXITED, .exit_status = 1, .step_signals = BIT(SIGXCPU)},
         ENDING_CPU_LIMIT,
         false},
        {{.ending = SANDBOX_EXITED, .exit_status = 1, .step_signals = BIT(SIGXFSZ)},
         ENDING_FILE_LIMIT,
         false},
        {{.ending = SANDBOX_EXITED, .exit_status = 4, .step_signals = BIT(SIGSEGV)},
         ENDING_EXITED,
         false},
        /* one that went on is well */
        {{.ending = SANDBOX_EXITED, .step_signals = BIT(SIGKILL)}, ENDING_EXITED, false},
        /* steps that could not be watched: what nvcc's shell says of them */
        {{.ending = SANDBOX_EXITED, .exit_status = 128 + SIGKILL}, ENDING_EXITED, true},
        {{.ending = SANDBOX_EXITED, .exit_status = 128 + SIGXCPU}, ENDING_CPU_LIMIT, false},
        {{.ending = SANDBOX_EXITED, .exit_status = SIGKILL}, ENDING_EXITED, false},
        {{.ending = SANDBOX_EXITED, .exit_status = 255}, ENDING_EXITED, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool by_machine = !rows[i].by_machine;
        struct program_end result = run_end_of_tool(&rows[i].end, &limits, &by_machine);
        assert_int_equal(result.ending, rows[i].ending);
        assert_int_equal(by_machine, rows[i].by_machine);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_of_the_sandbox_stay),
        cmocka_unit_test(uses_are_translated),
        cmocka_unit_test(wait_statuses_decide),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
