/* test_run_end.c: what tools say of limits that one of their processes ran into. */
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

static void what_tools_say_is_read(void **state)
{
    static const struct {
        const char *printed;
        enum ending ending;
        uint64_t limit;
    } rows[] = {
        {"error: expected ';'", ENDING_EXITED, 0},
        {"cc1plus: out of memory allocating 65536 bytes", ENDING_MEMORY_LIMIT, 40},
        {"what():  std::bad_alloc", ENDING_MEMORY_LIMIT, 40},
        {"virtual memory exhausted: Cannot allocate memory", ENDING_MEMORY_LIMIT, 40},
        {"gcc: internal compiler error: File size limit exceeded signal terminated program as",
         ENDING_FILE_LIMIT, 20},
        {"/usr/bin/ld: final link failed: No space left on device", ENDING_FILE_LIMIT, 20},
        {"CPU time limit exceeded signal terminated program cc1plus", ENDING_CPU_LIMIT, 50},
        {"g++: fatal error: vfork: Resource temporarily unavailable", ENDING_PROCESS_LIMIT, 30},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sandbox_end end = {.ending = SANDBOX_EXITED, .exit_status = 1};
        struct text printed;
        text_init(&printed);
        text_append(&printed, rows[i].printed);
        struct program_end result = run_end(&end, &limits, run_refusal(&printed));
        assert_int_equal(result.ending, rows[i].ending);
        assert_true(result.limit == rows[i].limit);
        end.exit_status = 0; /* it said so and went on */
        assert_int_equal(run_end(&end, &limits, run_refusal(&printed)).ending, ENDING_EXITED);
        text_release(&printed);
    }
}

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
        const struct sandbox_end end = {.ending = rows[i].from, .limit = 7, .reached = 8};
        struct program_end result = run_end(&end, &limits, ENDING_EXITED);
        assert_int_equal(result.ending, rows[i].to);
        assert_true(result.limit == 7 && result.reached == 8);
    }
}

/* A killed compiler is the machine's, unless a limit of its own killed it. */
static void what_the_machine_killed_is_told(void **state)
{
    static const struct {
        const char *printed;
        struct sandbox_end end;
        bool by_machine;
    } rows[] = {
        {"Killed\n", {.ending = SANDBOX_EXITED, .exit_status = 137}, true},
        {"one\n\nKilled", {.ending = SANDBOX_EXITED, .exit_status = 255}, true},
        {"nvcc error   : 'cicc' died due to signal 9 (Kill signal)",
         {.ending = SANDBOX_EXITED, .exit_status = 9},
         true},
        {"g++: fatal error: Killed signal terminated program cc1plus",
         {.ending = SANDBOX_EXITED, .exit_status = 1},
         true},
        {"", {.ending = SANDBOX_SIGNALLED, .signal = SIGKILL}, true},
        {"", {.ending = SANDBOX_SIGNALLED, .signal = SIGSEGV}, false},
        {"Killed\n", {.ending = SANDBOX_EXITED, .exit_status = 0}, false},
        {"Killed\n", {.ending = SANDBOX_EXITED, .exit_status = 137, .cpu_ns = 40}, false},
        {"Killed\n", {.ending = SANDBOX_MEMORY_LIMIT}, false},
        {"a.cu(3): note: Killed\nKilled by name",
         {.ending = SANDBOX_EXITED, .exit_status = 1},
         false},
        {"'cicc' died due to signal 11", {.ending = SANDBOX_EXITED, .exit_status = 11}, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct text printed;
        text_init(&printed);
        text_append(&printed, rows[i].printed);
        assert_int_equal(run_was_killed(&rows[i].end, &limits, &printed), rows[i].by_machine);
        text_release(&printed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_tools_say_is_read),
        cmocka_unit_test(limits_of_the_sandbox_stay),
        cmocka_unit_test(what_the_machine_killed_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
