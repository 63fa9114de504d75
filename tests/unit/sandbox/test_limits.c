/* test_limits.c: every limit of the sandbox, broken by limit_breaker.c, in every tier that works
 * here: which limit is told, how far it went, and that all of it ends in time.
 *
 * What only a control group bounds is skipped visibly where there is none.
 */
#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"
#include "sandbox/sandbox.h"
#include "sandbox/sandbox_cgroup.h"
#include "sandbox/sandbox_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define MIB (UINT64_C(1) << 20)
static const char helper_folder[] = GPUGRADE_BINARY_DIR "/bin";
static const char built_breaker[] = GPUGRADE_BINARY_DIR "/tests/unit/limit_breaker";

/* How long the end may take on a busy machine. */
#define END_SLACK_NS (60 * CLOCK_NS_PER_S)

struct fixture {
    struct sandbox sandbox;
    bool available;
    struct arena *arena;
    char *top;           /* everyone may pass through it */
    const char *breaker; /* a copy that everyone may run */
    const char *folder;  /* that the program may write, where there is none in memory */
    struct sandbox_limits limits;
    struct sandbox_end end;
    uint64_t took_ns;
};

static int set_up(void **state, enum sandbox_tier tier)
{
    static struct fixture fixture;
    struct diagnostic diagnostic = {.blame = BLAME_NONE};

    fixture = (struct fixture){.arena = arena_new()};
    fixture.available =
        sandbox_init(tier, helper_folder, &fixture.sandbox, &diagnostic) == ERROR_NONE;
    if (!fixture.available) {
        print_message("tier %s: %s\n", sandbox_tier_name(tier), diagnostic.message);
    } else {
        print_message("tier %s: memory is bounded by %s\n", sandbox_tier_name(tier),
                      sandbox_bound_name(fixture.sandbox.bound));
    }
    if (folder_make_temporary(fixture.arena, &fixture.top, &diagnostic) != ERROR_NONE ||
        chmod(fixture.top, 0711) != 0) {
        return -1;
    }
    fixture.folder = arena_printf(fixture.arena, "%s/folder", fixture.top);
    fixture.breaker = arena_printf(fixture.arena, "%s/limit_breaker", fixture.top);
    *state = &fixture;
    return file_copy(built_breaker, fixture.breaker, 0755, 64 * MIB, &diagnostic) == ERROR_NONE
               ? 0
               : -1;
}

static int set_up_a(void **state)
{
    return set_up(state, SANDBOX_A);
}

static int set_up_b(void **state)
{
    return set_up(state, SANDBOX_B);
}

static int set_up_c(void **state)
{
    return set_up(state, SANDBOX_C);
}

static int set_up_strongest(void **state)
{
    return set_up(state, SANDBOX_AUTO);
}

/* As on a machine without control groups. */
static int set_up_bare(void **state)
{
    int status = set_up(state, SANDBOX_AUTO);
    struct fixture *fixture = *state;

    fixture->sandbox.bound = SANDBOX_PER_PROCESS;
    fixture->sandbox.memory_group[0] = fixture->sandbox.tasks_group[0] = '\0';
    return status;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    folder_remove(fixture->top);
    arena_free(fixture->arena);
    return 0;
}

static struct fixture *need(void **state)
{
    struct fixture *fixture = *state;

    if (!fixture->available) {
        skip();
    }
    fixture->limits = (struct sandbox_limits){
        .wall_ns = 60 * CLOCK_NS_PER_S,
        .cpu_ns = 20 * CLOCK_NS_PER_S,
        .memory_bytes = 64 * MIB,
        .processes = 16,
        .output_bytes = 65536,
        .file_bytes = 4 * MIB,
    };
    return fixture;
}

/* Skips where no control group bounds the sum. */
static struct fixture *need_group(void **state)
{
    struct fixture *fixture = need(state);

    if (fixture->sandbox.bound == SANDBOX_PER_PROCESS || fixture->sandbox.tasks_group[0] == '\0') {
        print_message("no control groups here\n");
        skip();
    }
    return fixture;
}

/* What all runs have in common; the folder is empty each time. */
static struct sandbox_spec spec_of(const struct fixture *fixture, const char *const *arguments)
{
    folder_remove(fixture->folder);
    assert_int_equal(mkdir(fixture->folder, 0755), 0);
    return (struct sandbox_spec){
        .arguments = arguments,
        .folder = "/",
        .mounts = {{fixture->breaker, fixture->breaker, false}},
        .mount_count = 1,
        .limits = fixture->limits,
        .channel_fd = -1,
        .temporary_folder = fixture->sandbox.sizes_tmpfs ? NULL : fixture->folder,
    };
}

/* Runs a program to its end. */
static void run(struct fixture *fixture, const char *const *arguments)
{
    const struct sandbox_spec spec = spec_of(fixture, arguments);
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    struct text output;
    struct text errors;

    text_init(&output);
    text_init(&errors);
    uint64_t begin_ns = clock_now_ns();
    enum error error =
        sandbox_run_to_end(&fixture->sandbox, &spec, &fixture->end, &output, &errors, &diagnostic);
    fixture->took_ns = clock_now_ns() - begin_ns;
    if (error != ERROR_NONE) {
        print_error("%s\n", diagnostic.message);
    }
    assert_int_equal(error, ERROR_NONE);
    assert_true(fixture->took_ns < fixture->limits.wall_ns + END_SLACK_NS);
    text_release(&output);
    text_release(&errors);
}

static void break_limit(struct fixture *fixture, const char *what, const char *first,
                        const char *second)
{
    const char *const arguments[] = {fixture->breaker, what, first, second, NULL};

    run(fixture, arguments);
}

static void expect_end(const struct fixture *fixture, enum sandbox_ending ending, uint64_t limit)
{
    if (fixture->end.ending != ending) {
        print_error("ending %d, status %d, signal %d\n", (int)fixture->end.ending,
                    fixture->end.exit_status, fixture->end.signal);
    }
    assert_int_equal(fixture->end.ending, ending);
    assert_true(fixture->end.limit == limit);
}

static void expect_success(const struct fixture *fixture)
{
    expect_end(fixture, SANDBOX_EXITED, 0);
    assert_int_equal(fixture->end.exit_status, 0);
}

static void memory_of_all_processes_is_bounded(void **state)
{
    struct fixture *fixture = need_group(state);

    break_limit(fixture, "memory", "4", "8");
    expect_success(fixture);
    break_limit(fixture, "memory", "8", "20");
    expect_end(fixture, SANDBOX_MEMORY_LIMIT, 64 * MIB);
    assert_true(fixture->end.reached >= 60 * MIB && fixture->end.reached <= 80 * MIB);
    break_limit(fixture, "shared-memory", "120", NULL);
    expect_end(fixture, SANDBOX_MEMORY_LIMIT, 64 * MIB);
}

/* Without control groups this holds too. */
static void memory_of_one_process_is_bounded(void **state)
{
    struct fixture *fixture = need(state);

    break_limit(fixture, "memory", "1", "16");
    expect_success(fixture);
    break_limit(fixture, "memory", "1", "80");
    assert_false(fixture->end.ending == SANDBOX_EXITED && fixture->end.exit_status == 0);
}

static void tasks_are_bounded(void **state)
{
    struct fixture *fixture = need_group(state);

    break_limit(fixture, "tasks", "16", NULL);
    expect_success(fixture);
    break_limit(fixture, "tasks", "17", NULL);
    expect_end(fixture, SANDBOX_PROCESS_LIMIT, 16);
    assert_int_equal(fixture->end.reached, 16);
}

static void bomb_ends(void **state)
{
    struct fixture *fixture = need(state);

    fixture->limits.wall_ns = CLOCK_NS_PER_S / 5;
    break_limit(fixture, "bomb", NULL, NULL);
    if (fixture->sandbox.tasks_group[0] != '\0') {
        /* On a busy machine it may not come far. */
        while (fixture->end.ending == SANDBOX_WALL_LIMIT &&
               fixture->limits.wall_ns < 60 * CLOCK_NS_PER_S) {
            fixture->limits.wall_ns *= 4;
            break_limit(fixture, "bomb", NULL, NULL);
        }
        expect_end(fixture, SANDBOX_PROCESS_LIMIT, 16);
    } else {
        assert_true(fixture->end.ending == SANDBOX_WALL_LIMIT ||
                    fixture->end.ending == SANDBOX_PROCESS_LIMIT);
    }
}

static void files_are_bounded_together(void **state)
{
    struct fixture *fixture = need(state);

    break_limit(fixture, "files", "2", "1");
    expect_success(fixture);
    break_limit(fixture, "files", "6", "1");
    expect_end(fixture, SANDBOX_FILE_LIMIT, 4 * MIB);
    assert_true(fixture->end.reached >= 4 * MIB);
    assert_true(fixture->end.reached < 8 * MIB);
}

/* It is killed, however it goes on. */
static void filler_is_ended(void **state)
{
    struct fixture *fixture = need(state);

    break_limit(fixture, "filler", "1", NULL);
    expect_end(fixture, SANDBOX_FILE_LIMIT, 4 * MIB);
}

/* A removed file takes room as long as it is open; a folder in memory bounds that too, elsewhere
 * the descriptors of all processes are looked at. */
static void removed_files_are_bounded(void **state)
{
    static const char *const holders[] = {"removed-files", "orphaned-files", "thread-files"};
    struct fixture *fixture = need(state);

    for (size_t i = 0; i < sizeof holders / sizeof holders[0]; i++) {
        break_limit(fixture, holders[i], "3", "1");
        expect_success(fixture);
        break_limit(fixture, holders[i], "6", "1");
        expect_end(fixture, SANDBOX_FILE_LIMIT, 4 * MIB);
        assert_true(fixture->end.reached >= 4 * MIB && fixture->end.reached <= 8 * MIB);
    }
}

/* A removed file counts once, however many processes hold it, and files in memory do as memory. */
static void honest_descriptors_are_not_counted(void **state)
{
    struct fixture *fixture = need(state);

    break_limit(fixture, "shared-file", "8", "2");
    expect_success(fixture);
    break_limit(fixture, "memory-files", "6", "1");
    expect_success(fixture);
}

static void one_file_is_bounded(void **state)
{
    struct fixture *fixture = need(state);

    break_limit(fixture, "files", "1", "6");
    expect_end(fixture, SANDBOX_FILE_LIMIT, 4 * MIB);
    assert_true(fixture->end.reached >= 4 * MIB);
}

static void output_tells_how_far(void **state)
{
    static const char *const flood[] = {"/usr/bin/yes", NULL};
    struct fixture *fixture = need(state);

    run(fixture, flood);
    expect_end(fixture, SANDBOX_OUTPUT_LIMIT, 65536);
    assert_true(fixture->end.reached > 65536);
}

/* Where it does not hold, a program that kills whatever it may would kill this one, too. */
static bool confines_signals(const struct sandbox *sandbox)
{
    enum { LANDLOCK_SCOPES_SIGNALS = 6 };

    return sandbox->tier == SANDBOX_A || sandbox->uses_slots ||
           (sandbox->tier == SANDBOX_B && sandbox->landlock_abi >= LANDLOCK_SCOPES_SIGNALS);
}

static void nothing_outlives_its_time(void **state)
{
    static const char *const what[] = {"stopped", "stubborn"};
    struct fixture *fixture = need(state);

    fixture->limits.wall_ns = CLOCK_NS_PER_S / 5;
    for (size_t i = 0; i < sizeof what / sizeof what[0]; i++) {
        break_limit(fixture, what[i], NULL, NULL);
        expect_end(fixture, SANDBOX_WALL_LIMIT, fixture->limits.wall_ns);
        assert_true(fixture->end.reached >= fixture->limits.wall_ns);
        assert_true(fixture->end.reached < fixture->limits.wall_ns + END_SLACK_NS);
    }
    if (confines_signals(&fixture->sandbox)) {
        break_limit(fixture, "killer", NULL, NULL);
    }
    fixture->limits.wall_ns = 60 * CLOCK_NS_PER_S;
    break_limit(fixture, "holder", NULL, NULL);
    expect_success(fixture);
    assert_true(fixture->took_ns < fixture->limits.wall_ns);
}

static void processor_time_is_bounded(void **state)
{
    struct fixture *fixture = need(state);

    fixture->limits.cpu_ns = CLOCK_NS_PER_S;
    fixture->limits.wall_ns = 200 * CLOCK_NS_PER_S; /* the machine may have much else to do */
    break_limit(fixture, "processor-time", "1", NULL);
    expect_end(fixture, SANDBOX_CPU_LIMIT, CLOCK_NS_PER_S);
    assert_true(fixture->end.reached >= CLOCK_NS_PER_S);
}

/* None of many processes uses up its own limit, or not many do on a machine with so many
 * processors. */
static void processor_time_of_all_processes_is_bounded(void **state)
{
    struct fixture *fixture = need_group(state);

    fixture->limits.cpu_ns = CLOCK_NS_PER_S;
    fixture->limits.wall_ns = 200 * CLOCK_NS_PER_S;
    break_limit(fixture, "processor-time", "15", NULL);
    expect_end(fixture, SANDBOX_CPU_LIMIT, CLOCK_NS_PER_S);
    assert_true(fixture->end.reached > 2 * CLOCK_NS_PER_S);
    assert_true(fixture->end.reached < 13 * CLOCK_NS_PER_S);
}

/* The clock of wall time stands still while it is held, that of the processor does not. */
static void held_clock_stands_still(void **state)
{
    struct fixture *fixture = need(state);
    const char *const arguments[] = {fixture->breaker, "stubborn", NULL};
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    struct sandbox_run *run;

    fixture->limits.wall_ns = CLOCK_NS_PER_S / 5;
    const struct sandbox_spec spec = spec_of(fixture, arguments);
    uint64_t begin_ns = clock_now_ns();
    assert_int_equal(sandbox_start(&fixture->sandbox, &spec, &run, &diagnostic), ERROR_NONE);
    sandbox_hold_clock(run);
    uint64_t hold_ns = clock_now_ns();
    assert_int_equal(sandbox_pump(run, -1, hold_ns + CLOCK_NS_PER_S / 2), SANDBOX_WAKE_DEADLINE);
    uint64_t release_ns = clock_now_ns();
    sandbox_release_clock(run);
    assert_int_equal(sandbox_pump(run, -1, UINT64_MAX), SANDBOX_WAKE_ENDED);
    uint64_t end_ns = clock_now_ns();
    assert_true(end_ns - release_ns < fixture->limits.wall_ns + END_SLACK_NS);
    assert_int_equal(sandbox_end(run)->ending, SANDBOX_WALL_LIMIT);
    assert_true(sandbox_end(run)->reached + (release_ns - hold_ns) <= end_ns - begin_ns);
    sandbox_run_free(run);
}

/* The process that is named is the program, in the eyes of this process. */
static void program_is_known(void **state)
{
    struct fixture *fixture = need(state);
    const char *const arguments[] = {fixture->breaker, "stubborn", NULL};
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    const struct sandbox_spec spec = spec_of(fixture, arguments);
    struct sandbox_run *run;
    char path[64];
    char command[256] = "";

    assert_int_equal(sandbox_start(&fixture->sandbox, &spec, &run, &diagnostic), ERROR_NONE);
    snprintf(path, sizeof path, "/proc/%ld/cmdline", (long)sandbox_program(run));
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_true(read(fd, command, sizeof command - 1) > 0);
    close(fd);
    assert_string_equal(command, fixture->breaker);
    sandbox_run_free(run);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* Where memory runs out, the kernel looks for what has offered itself most. */
static void program_is_offered_to_be_killed(void **state)
{
    struct fixture *fixture = need(state);
    const char *const arguments[] = {fixture->breaker, "stubborn", NULL};
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    const struct sandbox_spec spec = spec_of(fixture, arguments);
    struct sandbox_run *run;
    char path[64];
    char value[16] = "";

    assert_int_equal(sandbox_start(&fixture->sandbox, &spec, &run, &diagnostic), ERROR_NONE);
    snprintf(path, sizeof path, "/proc/%ld/oom_score_adj", (long)sandbox_program(run));
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_true(read(fd, value, sizeof value - 1) > 0);
    close(fd);
    assert_string_equal(value, "1000\n");
    sandbox_run_free(run);
}

/* How many groups of a process there are: "gpugrade-NAMESPACE-PROCESS-...". */
static int count_groups(const char *folder, pid_t pid)
{
    long long process;
    int count = 0;
    DIR *groups = opendir(folder);

    if (groups == NULL) {
        return 0;
    }
    for (const struct dirent *entry = readdir(groups); entry != NULL; entry = readdir(groups)) {
        count += sscanf(entry->d_name, "gpugrade-%*[0-9]-%lld-", &process) == 1 && process == pid;
    }
    closedir(groups);
    return count;
}

static void no_group_is_left(void **state)
{
    struct fixture *fixture = need_group(state);
    const char *const folders[] = {fixture->sandbox.memory_group, fixture->sandbox.tasks_group};

    for (int i = 0; i < 2; i++) {
        assert_int_equal(count_groups(folders[i], getpid()), 0);
    }
    /* A grader that was killed: its group is found and removed, and one of a living one is not. */
    pid_t dead = fork();
    if (dead == 0) {
        struct sandbox_group group;
        int fds[2];
        struct diagnostic diagnostic;
        bool made = sandbox_group_make(fixture->arena, &fixture->sandbox, &fixture->limits, &group,
                                       fds, &diagnostic) == ERROR_NONE;
        _exit(made ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(dead, &status, 0), dead);
    assert_int_equal(status, 0);
    struct sandbox_group group;
    int fds[2];
    struct diagnostic diagnostic;
    assert_int_equal(sandbox_group_make(fixture->arena, &fixture->sandbox, &fixture->limits, &group,
                                        fds, &diagnostic),
                     ERROR_NONE);
    struct sandbox again = fixture->sandbox;
    sandbox_cgroup_detect(&again);
    assert_int_equal(again.bound, fixture->sandbox.bound);
    assert_int_equal(count_groups(folders[0], getpid()), 1);
    assert_int_equal(count_groups(folders[0], dead), 0);
    descriptor_close(&fds[0]);
    descriptor_close(&fds[1]);
    sandbox_group_remove(&group);
    assert_int_equal(count_groups(folders[0], getpid()), 0);
}

/* Adding up: links are not followed, depth and number are bounded, every entry counts. */
static void files_are_added_up(void **state)
{
    struct arena *arena = arena_new();
    struct diagnostic diagnostic;
    char *folder;
    char name[64];

    (void)state;
    assert_int_equal(folder_make_temporary(arena, &folder, &diagnostic), ERROR_NONE);
    assert_true(sandbox_files_sum(folder, MIB) == 0);
    assert_true(sandbox_files_sum("/does/not/exist", MIB) == 0);
    int at = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(at >= 0);
    assert_int_equal(symlinkat("/usr", at, "link"), 0);
    assert_true(sandbox_files_sum(folder, UINT64_MAX) <= 8192);
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "empty-%d", i);
        int fd = openat(at, name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        assert_true(fd >= 0);
        close(fd);
    }
    assert_true(sandbox_files_sum(folder, MIB) >= 100 * 4096);
    assert_true(sandbox_files_sum(folder, 4096) < 4 * 4096);
    int deep = dup(at);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(mkdirat(deep, "deeper", 0700), 0);
        int next = openat(deep, "deeper", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_true(next >= 0);
        close(deep);
        deep = next;
    }
    close(deep);
    close(at);
    assert_true(sandbox_files_sum(folder, 1024 * MIB) == UINT64_MAX);
    assert_true(folder_remove(folder));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_all_processes_is_bounded),
        cmocka_unit_test(memory_of_one_process_is_bounded),
        cmocka_unit_test(tasks_are_bounded),
        cmocka_unit_test(bomb_ends),
        cmocka_unit_test(files_are_bounded_together),
        cmocka_unit_test(filler_is_ended),
        cmocka_unit_test(removed_files_are_bounded),
        cmocka_unit_test(honest_descriptors_are_not_counted),
        cmocka_unit_test(one_file_is_bounded),
        cmocka_unit_test(output_tells_how_far),
        cmocka_unit_test(nothing_outlives_its_time),
        cmocka_unit_test(processor_time_is_bounded),
        cmocka_unit_test(held_clock_stands_still),
        cmocka_unit_test(program_is_known),
        cmocka_unit_test(program_is_offered_to_be_killed),
        cmocka_unit_test(no_group_is_left),
    };
    const struct CMUnitTest bare[] = {
        cmocka_unit_test(memory_of_one_process_is_bounded),
        cmocka_unit_test(bomb_ends),
        cmocka_unit_test(nothing_outlives_its_time),
    };
    const struct CMUnitTest once[] = {
        cmocka_unit_test(processor_time_of_all_processes_is_bounded),
    };
    const struct CMUnitTest alone[] = {cmocka_unit_test(files_are_added_up)};
    int failed = cmocka_run_group_tests_name("tier A", tests, set_up_a, tear_down);

    failed += cmocka_run_group_tests_name("tier B", tests, set_up_b, tear_down);
    failed += cmocka_run_group_tests_name("tier C", tests, set_up_c, tear_down);
    failed += cmocka_run_group_tests_name("strongest tier", once, set_up_strongest, tear_down);
    failed += cmocka_run_group_tests_name("no control groups", bare, set_up_bare, tear_down);
    failed += cmocka_run_group_tests_name("files", alone, NULL, NULL);
    return failed;
}
