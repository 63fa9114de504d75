/* test_judge.c: which ending a run gets from what was seen of it; a table. */
#include "base/diagnostic.h"
#include "sandbox/sandbox_judge.h"
#include "sandbox/sandbox_run_state.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct sandbox_limits limits = {
    .wall_ns = 20,
    .cpu_ns = 10,
    .memory_bytes = 800,
    .processes = 64,
    .output_bytes = 100,
    .file_bytes = 50,
};

#define EXIT(status) ((status) << 8)
#define ORDER(reason) .is_ordered = true, .ordered = (reason), .status = SIGKILL

static const struct {
    const char *what;
    struct sandbox_facts facts;
    enum sandbox_ending ending;
    uint64_t limit, reached;
} rows[] = {
    {"a good end", {.status = EXIT(0)}, SANDBOX_EXITED, 0, 0},
    {"a good end in spite of refusals",
     {.status = EXIT(0), .tasks_refused = 3, .memory_kills = 1},
     SANDBOX_EXITED,
     0,
     0},
    {"a bad end", {.status = EXIT(3)}, SANDBOX_EXITED, 0, 0},
    {"a signal", {.status = SIGSEGV}, SANDBOX_SIGNALLED, 0, 0},
    {"a signal that looks like a limit", {.status = SIGXCPU}, SANDBOX_SIGNALLED, 0, 0},
    {"the kernel's clock runs ahead", {.status = SIGXCPU, .cpu_ns = 9}, SANDBOX_CPU_LIMIT, 10, 10},
    {"past a caught SIGXCPU", {.status = SIGKILL, .cpu_ns = 11}, SANDBOX_CPU_LIMIT, 10, 11},
    {"all processes together", {ORDER(SANDBOX_CPU_LIMIT), .cpu_ns = 12}, SANDBOX_CPU_LIMIT, 10, 12},
    {"time", {ORDER(SANDBOX_WALL_LIMIT), .wall_ns = 21}, SANDBOX_WALL_LIMIT, 20, 21},
    {"time after a refused task",
     {ORDER(SANDBOX_WALL_LIMIT), .wall_ns = 21, .tasks_refused = 9, .peak_tasks = 64},
     SANDBOX_PROCESS_LIMIT,
     64,
     64},
    {"failed after a refused task",
     {.status = SIGABRT, .tasks_refused = 1},
     SANDBOX_PROCESS_LIMIT,
     64,
     64},
    {"killed for memory",
     {.status = SIGKILL, .memory_kills = 1, .peak_memory_bytes = 800, .tasks_refused = 1},
     SANDBOX_MEMORY_LIMIT,
     800,
     800},
    {"killed for memory that refused tasks cost",
     {.status = SIGKILL, .memory_kills = 1, .peak_memory_bytes = 800, .tasks_refused = 65},
     SANDBOX_PROCESS_LIMIT,
     64,
     64},
    {"killed for the memory of a process, after refused tasks",
     {.status = SIGKILL,
      .memory_kills = 1,
      .peak_memory_bytes = 800,
      .largest_process_bytes = 790,
      .tasks_refused = 65},
     SANDBOX_MEMORY_LIMIT,
     800,
     800},
    {"killed for the machine's memory",
     {.status = SIGKILL, .memory_kills = 1, .peak_memory_bytes = 300},
     SANDBOX_SIGNALLED,
     0,
     0},
    {"failed near the limit of a process",
     {.status = SIGSEGV, .largest_process_bytes = 790},
     SANDBOX_MEMORY_LIMIT,
     800,
     790},
    {"a good end near it", {.status = EXIT(0), .largest_process_bytes = 790}, SANDBOX_EXITED, 0, 0},
    {"one large file", {.status = SIGXFSZ, .file_bytes = 50}, SANDBOX_FILE_LIMIT, 50, 50},
    {"killed for files", {ORDER(SANDBOX_FILE_LIMIT), .file_bytes = 61}, SANDBOX_FILE_LIMIT, 50, 61},
    {"ended before it could be killed for them",
     {.status = EXIT(0), .files_over = true, .file_bytes = 61},
     SANDBOX_FILE_LIMIT,
     50,
     61},
    {"a flood", {ORDER(SANDBOX_OUTPUT_LIMIT), .output_bytes = 150}, SANDBOX_OUTPUT_LIMIT, 100, 150},
    {"a flood that ended by itself",
     {.status = EXIT(0), .output_bytes = 101},
     SANDBOX_OUTPUT_LIMIT,
     100,
     101},
    {"exactly at the limit", {.status = EXIT(0), .output_bytes = 100}, SANDBOX_EXITED, 0, 0},
    {"stopped, whatever else", {ORDER(SANDBOX_STOPPED), .tasks_refused = 1}, SANDBOX_STOPPED, 0, 0},
};

static void endings_are_told_apart(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sandbox_end end;
        sandbox_judge(&limits, &rows[i].facts, &end);
        if (end.ending != rows[i].ending || end.limit != rows[i].limit ||
            end.reached != rows[i].reached) {
            fail_msg("%s: ending %d, limit %lu, reached %lu", rows[i].what, (int)end.ending,
                     (unsigned long)end.limit, (unsigned long)end.reached);
        }
    }
}

/* Who waits for an end must not take it for the program's own. */
static void starved_programs_are_the_machine_s_fault(void **state)
{
    static const struct {
        struct sandbox_facts facts;
        bool is_starved;
    } starved[] = {
        {{ORDER(SANDBOX_STOPPED), .is_starved = true}, true},
        {{ORDER(SANDBOX_STOPPED)}, false},
        {{.status = EXIT(0), .is_starved = true}, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof starved / sizeof starved[0]; i++) {
        struct diagnostic diagnostic = {.blame = BLAME_NONE};
        struct sandbox_run run = {
            .helper = {.pid_fd = -1}, .input = -1, .output_fd = -1, .errors_fd = -1, .ended = true};
        sandbox_judge(&limits, &starved[i].facts, &run.end);
        enum error error = sandbox_wait(&run, &diagnostic);
        assert_int_equal(error, starved[i].is_starved ? ERROR_ENVIRONMENT : ERROR_NONE);
        assert_int_equal(diagnostic.blame, starved[i].is_starved ? BLAME_ENVIRONMENT : BLAME_NONE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endings_are_told_apart),
        cmocka_unit_test(starved_programs_are_the_machine_s_fault),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
