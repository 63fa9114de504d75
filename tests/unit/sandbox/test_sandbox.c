/* test_sandbox.c: runs real programs in every tier that works here and looks at how they end.
 *
 * The programs are lines of shell. A tier that this machine does not offer is skipped visibly.
 */
#include "base/clock.h"
#include "base/file.h"
#include "sandbox/sandbox.h"
#include "sandbox/sandbox_slot.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static const char helper_folder[] = GPUGRADE_BINARY_DIR "/bin";

/* How long an end may take on a busy machine. */
#define END_SLACK_NS (60 * CLOCK_NS_PER_S)

struct fixture {
    struct sandbox sandbox;
    bool available;
    struct sandbox_end end;
    struct text output;
    struct text errors;
};

static struct fixture fixture_of_tier(enum sandbox_tier tier)
{
    struct fixture fixture = {.available = false};
    struct diagnostic diagnostic = {.blame = BLAME_NONE};

    fixture.available =
        sandbox_init(tier, helper_folder, &fixture.sandbox, &diagnostic) == ERROR_NONE;
    if (!fixture.available) {
        print_message("tier %s: %s\n", sandbox_tier_name(tier), diagnostic.message);
    }
    text_init(&fixture.output);
    text_init(&fixture.errors);
    return fixture;
}

static struct sandbox_spec spec_of(const char *const *arguments)
{
    return (struct sandbox_spec){
        .arguments = arguments,
        .folder = "/",
        .limits = {.wall_ns = 60 * CLOCK_NS_PER_S,
                   .cpu_ns = 10 * CLOCK_NS_PER_S,
                   .memory_bytes = UINT64_C(256) << 20,
                   .processes = 32,
                   .output_bytes = 65536,
                   .file_bytes = 1 << 20},
        .channel_fd = -1,
    };
}

/* Runs a line of shell to its end. */
static void run_line(struct fixture *fixture, const struct sandbox_spec *limits, const char *line)
{
    const char *const arguments[] = {"/bin/sh", "-c", line, NULL};
    struct sandbox_spec spec = limits != NULL ? *limits : spec_of(NULL);
    struct diagnostic diagnostic = {.blame = BLAME_NONE};

    spec.arguments = arguments;
    text_clear(&fixture->output);
    text_clear(&fixture->errors);
    enum error error = sandbox_run_to_end(&fixture->sandbox, &spec, &fixture->end, &fixture->output,
                                          &fixture->errors, &diagnostic);
    if (error != ERROR_NONE) {
        print_error("%s\n", diagnostic.message);
    }
    assert_int_equal(error, ERROR_NONE);
}

/* A number of seconds to sleep that is a word which only this test gives to its programs. */
static const char *seconds(int number)
{
    static char words[2][64];
    char *word = words[number % 2];

    snprintf(word, sizeof words[0], "1234%d.%ld", number, (long)getpid());
    return word;
}

/* How many processes of this machine have a word of seconds(), its number one of a set like
 * "[567]", as an argument. */
static int count_processes(const char *numbers)
{
    char command[128];
    int count = -1;

    snprintf(command, sizeof command, "grep -lszE '^1234%s[.]%ld$' /proc/[0-9]*/cmdline | wc -l",
             numbers, (long)getpid());
    FILE *pipe = popen(command, "re");
    assert_non_null(pipe);
    assert_int_equal(fscanf(pipe, "%d", &count), 1);
    pclose(pipe);
    return count;
}

/* A killed process is gone a moment later. */
static void expect_none(const char *numbers)
{
    uint64_t deadline_ns = clock_now_ns() + END_SLACK_NS;

    while (count_processes(numbers) > 0 && clock_now_ns() < deadline_ns) {
        usleep(10000);
    }
    assert_int_equal(count_processes(numbers), 0);
}

static int set_up_a(void **state)
{
    static struct fixture fixture;

    fixture = fixture_of_tier(SANDBOX_A);
    *state = &fixture;
    return 0;
}

static int set_up_b(void **state)
{
    static struct fixture fixture;

    fixture = fixture_of_tier(SANDBOX_B);
    *state = &fixture;
    return 0;
}

static int set_up_c(void **state)
{
    static struct fixture fixture;

    fixture = fixture_of_tier(SANDBOX_C);
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    text_release(&fixture->output);
    text_release(&fixture->errors);
    return 0;
}

static struct fixture *need(void **state)
{
    struct fixture *fixture = *state;

    if (!fixture->available) {
        skip();
    }
    return fixture;
}

static void exit_status_and_output_are_told(void **state)
{
    struct fixture *fixture = need(state);

    run_line(fixture, NULL, "echo out; echo err >&2; exit 7");
    assert_int_equal(fixture->end.ending, SANDBOX_EXITED);
    assert_int_equal(fixture->end.exit_status, 7);
    assert_string_equal(fixture->output.bytes, "out\n");
    assert_string_equal(fixture->errors.bytes, "err\n");
    assert_true(fixture->end.peak_memory_bytes > 0);
    assert_true(fixture->end.wall_ns > 0 && fixture->end.wall_ns < 60 * CLOCK_NS_PER_S);
}

static void signal_differs_from_exit_status(void **state)
{
    struct fixture *fixture = need(state);

    run_line(fixture, NULL, "kill -SEGV $$");
    assert_int_equal(fixture->end.ending, SANDBOX_SIGNALLED);
    assert_int_equal(fixture->end.signal, SIGSEGV);
    run_line(fixture, NULL, "exit 139");
    assert_int_equal(fixture->end.ending, SANDBOX_EXITED);
    assert_int_equal(fixture->end.exit_status, 139);
    /* A signal that only looks like the CPU limit. */
    run_line(fixture, NULL, "kill -XCPU $$");
    assert_int_equal(fixture->end.ending, SANDBOX_SIGNALLED);
}

static void flood_is_cut(void **state)
{
    struct fixture *fixture = need(state);

    run_line(fixture, NULL, "yes");
    assert_int_equal(fixture->end.ending, SANDBOX_OUTPUT_LIMIT);
    assert_int_equal(fixture->end.limit, 65536);
    assert_int_equal(fixture->output.length, 65536);
    run_line(fixture, NULL, "yes >&2");
    assert_int_equal(fixture->end.ending, SANDBOX_OUTPUT_LIMIT);
    assert_int_equal(fixture->errors.length, 65536);
    /* Exactly at the limit is not over it. */
    run_line(fixture, NULL, "head -c 65536 /dev/zero");
    assert_int_equal(fixture->end.ending, SANDBOX_EXITED);
    run_line(fixture, NULL, "head -c 65537 /dev/zero");
    assert_int_equal(fixture->end.ending, SANDBOX_OUTPUT_LIMIT);
}

static void endless_loops_hit_their_limit(void **state)
{
    struct fixture *fixture = need(state);
    struct sandbox_spec spec = spec_of(NULL);

    spec.limits.wall_ns = 2 * CLOCK_NS_PER_S; /* most of it is not the start of the sandbox */
    run_line(fixture, &spec, "sleep 1000");
    assert_int_equal(fixture->end.ending, SANDBOX_WALL_LIMIT);
    assert_int_equal(fixture->end.limit, spec.limits.wall_ns);
    assert_true(fixture->end.wall_ns >= spec.limits.wall_ns);
    assert_true(fixture->end.wall_ns < spec.limits.wall_ns + END_SLACK_NS);
    assert_int_equal(fixture->end.use, PROGRAM_WAITS);
    spec.limits.cpu_ns = 200 * CLOCK_NS_PER_S;
    run_line(fixture, &spec, "while :; do :; done");
    assert_int_equal(fixture->end.ending, SANDBOX_WALL_LIMIT);
    assert_int_equal(fixture->end.use, PROGRAM_COMPUTES);
    spec.limits.wall_ns = 200 * CLOCK_NS_PER_S; /* the machine may have much else to do */
    spec.limits.cpu_ns = CLOCK_NS_PER_S;
    run_line(fixture, &spec, "while :; do :; done");
    assert_int_equal(fixture->end.ending, SANDBOX_CPU_LIMIT);
    assert_int_equal(fixture->end.limit, CLOCK_NS_PER_S);
    run_line(fixture, &spec, "trap '' XCPU; while :; do :; done");
    assert_int_equal(fixture->end.ending, SANDBOX_CPU_LIMIT);
}

static void large_files_and_memory_are_refused(void **state)
{
    struct fixture *fixture = need(state);
    struct sandbox_spec spec = spec_of(NULL);
    char path[64];
    char line[128];

    snprintf(path, sizeof path, "/tmp/gpugrade-test-large-%ld", (long)getpid());
    snprintf(line, sizeof line, "exec head -c 3000000 /dev/zero > %s", path);
    spec.limits.output_bytes = 1 << 24;
    run_line(fixture, &spec, line);
    if (fixture->sandbox.tier == SANDBOX_C) {
        assert_int_equal(fixture->end.ending, SANDBOX_FILE_LIMIT);
        /* What a user of its own leaves in shared folders is removed with its processes. */
        struct stat status;
        bool is_there = stat(path, &status) == 0;
        assert_int_equal(is_there, !fixture->sandbox.uses_slots);
        if (is_there) {
            assert_int_equal(status.st_size, 1 << 20);
            unlink(path);
        }
    } else {
        /* A: the folder in memory is as large as one file may be. B: none of this machine's
         * shared folders may be written to. */
        assert_false(fixture->end.ending == SANDBOX_EXITED && fixture->end.exit_status == 0);
        assert_false(file_exists(path));
    }
    spec.limits.memory_bytes = 32 << 20;
    run_line(fixture, &spec, "exec dd if=/dev/zero of=/dev/null bs=100M count=1");
    assert_int_equal(fixture->end.ending, SANDBOX_EXITED);
    assert_int_not_equal(fixture->end.exit_status, 0);
    spec.limits.memory_bytes = 256 << 20;
    run_line(fixture, &spec, "exec dd if=/dev/zero of=/dev/null bs=100M count=1");
    assert_int_equal(fixture->end.exit_status, 0);
    assert_true(fixture->end.peak_memory_bytes > 100 << 20);
}

static void processes_are_bounded(void **state)
{
    struct fixture *fixture = need(state);
    struct sandbox_spec spec = spec_of(NULL);
    int started = 0;

    spec.limits.processes = 8;
    run_line(fixture, &spec, "for i in 1 2 3 4 5 6 7; do sleep 100 & done; echo all");
    assert_string_equal(fixture->output.bytes, "all\n");
    run_line(fixture, &spec, "for i in 1 2 3 4 5 6 7 8 9; do sleep 100 & echo $i; done");
    sscanf(fixture->output.bytes, "%d", &started);
    assert_null(strstr(fixture->output.bytes, "9"));
}

static void children_left_behind_die(void **state)
{
    struct fixture *fixture = need(state);
    struct sandbox_spec spec = spec_of(NULL);
    char line[512];

    /* In its own session, holding the pipes: neither delays the end nor survives it. */
    snprintf(line, sizeof line,
             "setsid sleep %s & (setsid sh -c 'sleep %s & sleep %s' &) ; sleep 0.1", seconds(5),
             seconds(6), seconds(6));
    run_line(fixture, NULL, line);
    assert_int_equal(fixture->end.ending, SANDBOX_EXITED);
    expect_none("[56]");
    spec.limits.wall_ns = CLOCK_NS_PER_S / 5;
    snprintf(line, sizeof line, "trap '' TERM HUP INT; setsid sleep %s & sleep %s", seconds(8),
             seconds(9));
    run_line(fixture, &spec, line);
    assert_int_equal(fixture->end.ending, SANDBOX_WALL_LIMIT);
    expect_none("[89]");
}

static void descriptors_are_exact(void **state)
{
    struct fixture *fixture = need(state);
    static const char *const arguments[] = {"/bin/ls", "/proc/self/fd", NULL};
    struct sandbox_spec spec = spec_of(arguments);
    struct sandbox_run *run;
    int pair[2];

    /* ls has one more: the folder that it lists, at the lowest free number. */
    for (int channel = 0; channel < 2; channel++) {
        assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
        int stray = dup(pair[0]); /* not close-on-exec */
        spec.channel_fd = channel == 1 ? pair[1] : -1;
        assert_int_equal(sandbox_start(&fixture->sandbox, &spec, &run, NULL), ERROR_NONE);
        assert_int_equal(sandbox_pump(run, -1, UINT64_MAX), SANDBOX_WAKE_ENDED);
        assert_string_equal(sandbox_output(run)->bytes,
                            channel == 1 ? "0\n1\n2\n3\n4\n" : "0\n1\n2\n3\n");
        sandbox_run_free(run);
        close(stray);
        close(pair[0]);
        close(pair[1]);
    }
}

static void channel_is_descriptor_three(void **state)
{
    struct fixture *fixture = need(state);
    static const char *const arguments[] = {"/bin/sh", "-c",
                                            "read x <&3; echo got $x >&3; sleep 900", NULL};
    struct sandbox_spec spec = spec_of(arguments);
    struct sandbox_run *run;
    int pair[2];
    char answer[64] = "";

    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    spec.channel_fd = pair[1];
    assert_int_equal(sandbox_start(&fixture->sandbox, &spec, &run, NULL), ERROR_NONE);
    close(pair[1]);
    assert_int_equal(write(pair[0], "ping\n", 5), 5);
    assert_int_equal(sandbox_pump(run, pair[0], clock_now_ns() + END_SLACK_NS), SANDBOX_WAKE_EVENT);
    assert_true(read(pair[0], answer, sizeof answer - 1) > 0);
    assert_string_equal(answer, "got ping\n");
    assert_int_equal(sandbox_pump(run, pair[0], clock_now_ns()), SANDBOX_WAKE_DEADLINE);
    sandbox_stop(run);
    assert_int_equal(sandbox_end(run)->ending, SANDBOX_STOPPED);
    assert_int_equal(read(pair[0], answer, sizeof answer), 0);
    sandbox_run_free(run);
    close(pair[0]);
}

static void input_is_fed(void **state)
{
    struct fixture *fixture = need(state);
    static const char *const arguments[] = {"/usr/bin/wc", "-c", NULL};
    struct sandbox_spec spec = spec_of(arguments);
    struct sandbox_run *run;
    size_t length = 3000000;
    char *bytes = calloc(1, length);

    assert_non_null(bytes);
    spec.keeps_input_open = true;
    assert_int_equal(sandbox_start(&fixture->sandbox, &spec, &run, NULL), ERROR_NONE);
    assert_int_equal(sandbox_pump(run, -1, clock_now_ns() + CLOCK_NS_PER_S / 20),
                     SANDBOX_WAKE_DEADLINE);
    sandbox_write(run, bytes, length);
    sandbox_close_input(run);
    assert_int_equal(sandbox_pump(run, -1, UINT64_MAX), SANDBOX_WAKE_ENDED);
    assert_string_equal(sandbox_output(run)->bytes, "3000000\n");
    sandbox_run_free(run);
    /* A program that does not read must not stop or kill the grader. */
    static const char *const deaf[] = {"/bin/true", NULL};
    spec.arguments = deaf;
    assert_int_equal(sandbox_start(&fixture->sandbox, &spec, &run, NULL), ERROR_NONE);
    sandbox_write(run, bytes, length);
    assert_int_equal(sandbox_pump(run, -1, UINT64_MAX), SANDBOX_WAKE_ENDED);
    sandbox_write(run, bytes, length);
    assert_int_equal(sandbox_end(run)->exit_status, 0);
    sandbox_run_free(run);
    free(bytes);
    run_line(fixture, NULL, "cat; echo end");
    assert_string_equal(fixture->output.bytes, "end\n");
}

static void held_clock_does_not_count(void **state)
{
    struct fixture *fixture = need(state);
    static const char *const arguments[] = {"/bin/sleep", "1000", NULL};
    struct sandbox_spec spec = spec_of(arguments);
    struct sandbox_run *run;

    spec.limits.wall_ns = CLOCK_NS_PER_S / 4;
    uint64_t begin_ns = clock_now_ns();
    assert_int_equal(sandbox_start(&fixture->sandbox, &spec, &run, NULL), ERROR_NONE);
    sandbox_hold_clock(run);
    uint64_t hold_ns = clock_now_ns();
    assert_int_equal(sandbox_pump(run, -1, hold_ns + CLOCK_NS_PER_S / 2), SANDBOX_WAKE_DEADLINE);
    uint64_t release_ns = clock_now_ns();
    sandbox_release_clock(run);
    assert_int_equal(sandbox_pump(run, -1, release_ns + END_SLACK_NS), SANDBOX_WAKE_ENDED);
    assert_int_equal(sandbox_end(run)->ending, SANDBOX_WALL_LIMIT);
    assert_true(sandbox_end(run)->wall_ns + (release_ns - hold_ns) <= clock_now_ns() - begin_ns);
    sandbox_run_free(run);
}

static void missing_program_is_the_sandbox_s_error(void **state)
{
    struct fixture *fixture = need(state);
    static const char *const arguments[] = {"/nowhere/program", NULL};
    struct sandbox_spec spec = spec_of(arguments);
    struct sandbox_run *run;
    struct diagnostic diagnostic;

    assert_int_equal(sandbox_start(&fixture->sandbox, &spec, &run, &diagnostic), ERROR_ENVIRONMENT);
    assert_non_null(strstr(diagnostic.message, "/nowhere/program"));
    spec.arguments = (const char *const[]){"/bin/true", NULL};
    spec.folder = "/nowhere";
    assert_int_equal(sandbox_start(&fixture->sandbox, &spec, &run, &diagnostic), ERROR_ENVIRONMENT);
}

static void free_kills_what_runs(void **state)
{
    struct fixture *fixture = need(state);
    const char *const arguments[] = {"/bin/sleep", seconds(0), NULL};
    struct sandbox_spec spec = spec_of(arguments);
    struct sandbox_run *run;

    assert_int_equal(sandbox_start(&fixture->sandbox, &spec, &run, NULL), ERROR_NONE);
    assert_int_equal(count_processes("0"), fixture->sandbox.tier == SANDBOX_A ? 3 : 2);
    sandbox_run_free(run);
    expect_none("0");
}

static void dead_grader_leaves_nothing(void **state)
{
    struct fixture *fixture = need(state);
    char line[512];
    const char *const arguments[] = {"/bin/sh", "-c", line, NULL};
    struct sandbox_spec spec = spec_of(arguments);

    snprintf(line, sizeof line, "setsid sleep %s & sleep %s", seconds(1), seconds(2));
    pid_t grader = fork();
    if (grader == 0) {
        struct sandbox_run *run;
        if (sandbox_start(&fixture->sandbox, &spec, &run, NULL) == ERROR_NONE) {
            usleep(200000);
            kill(getpid(), SIGKILL);
        }
        _exit(1);
    }
    int status;
    assert_int_equal(waitpid(grader, &status, 0), grader);
    assert_true(WIFSIGNALED(status));
    expect_none("[12]");
}

static void environment_is_exact(void **state)
{
    struct fixture *fixture = need(state);
    static const char *const arguments[] = {"/usr/bin/env", NULL};
    static const char *const environment[] = {"COLOUR=blue", NULL};
    struct sandbox_spec spec = spec_of(arguments);
    struct text errors;

    setenv("SECRET", "hidden", 1);
    spec.environment = environment;
    text_init(&errors);
    text_clear(&fixture->output);
    assert_int_equal(sandbox_run_to_end(&fixture->sandbox, &spec, &fixture->end, &fixture->output,
                                        &errors, NULL),
                     ERROR_NONE);
    assert_non_null(strstr(fixture->output.bytes, "COLOUR=blue\n"));
    assert_null(strstr(fixture->output.bytes, "SECRET"));
    text_release(&errors);
}

static void writable_folder_comes_back(void **state)
{
    struct fixture *fixture = need(state);
    struct arena *arena = arena_new();
    struct sandbox_spec spec = spec_of(NULL);
    char *folder;

    assert_int_equal(folder_make_temporary(arena, &folder, NULL), ERROR_NONE);
    assert_int_equal(chmod(folder, 0711), 0);
    char *inside = arena_printf(arena, "%s/out", folder);
    char *fixed = arena_printf(arena, "%s/in", folder);
    assert_int_equal(folder_make(inside, 0755, NULL), ERROR_NONE);
    assert_int_equal(folder_make(fixed, 0755, NULL), ERROR_NONE);
    spec.mounts[0] = (struct sandbox_mount){inside, inside, true};
    spec.mounts[1] = (struct sandbox_mount){fixed, fixed, false};
    spec.mount_count = 2;
    spec.folder = inside;
    run_line(fixture, &spec, "echo text > file && cat file; echo x > ../in/file");
    assert_string_equal(fixture->output.bytes, "text\n");
    if (fixture->sandbox.tier == SANDBOX_A || fixture->sandbox.uses_slots) {
        assert_false(file_exists(arena_printf(arena, "%s/file", fixed)));
    }
    assert_true(file_exists(arena_printf(arena, "%s/file", inside)));
    struct stat status;
    assert_int_equal(stat(inside, &status), 0);
    assert_int_equal(status.st_uid, geteuid());
    assert_true(folder_remove(folder));
    arena_free(arena);
}

static void namespaces_hide_the_machine(void **state)
{
    struct fixture *fixture = need(state);

    run_line(fixture, NULL, "ls / | tr '\\n' ' '; ls /proc | grep -c '^[0-9]'");
    assert_null(strstr(fixture->output.bytes, "home"));
    assert_null(strstr(fixture->output.bytes, "root"));
    assert_null(strstr(fixture->output.bytes, "work"));
    run_line(fixture, NULL, "cat /proc/net/dev | grep -v lo: | grep -c :");
    assert_string_equal(fixture->output.bytes, "0\n");
    run_line(fixture, NULL,
             "touch /x /usr/x /dev/x /etc/x 2>/dev/null; ls /x /usr/x /dev/x /etc/x");
    assert_string_equal(fixture->output.bytes, "");
    run_line(fixture, NULL, "ls /tmp; touch /tmp/x && echo wrote; id -u; ls /dev");
    assert_non_null(strstr(fixture->output.bytes, "wrote\n"));
    assert_null(strstr(fixture->output.bytes, "shm"));
    /* The helper is process 1; the program can neither kill nor look into it. */
    run_line(fixture, NULL, "kill -KILL 1; kill -TERM 1; ls /proc/1/fd 2>/dev/null; echo alive");
    assert_string_equal(fixture->output.bytes, "alive\n");
    assert_int_equal(fixture->end.ending, SANDBOX_EXITED);
    run_line(fixture, NULL, "sleep 0.05; ps ax 2>/dev/null | wc -l");
    assert_int_equal(fixture->end.ending, SANDBOX_EXITED);
}

static void root_runs_programs_as_slots(void **state)
{
    struct fixture *fixture = need(state);
    long uid = 0;

    if (!fixture->sandbox.uses_slots) {
        skip();
    }
    run_line(fixture, NULL, "id -u; id -g; id -G");
    assert_int_equal(sscanf(fixture->output.bytes, "%ld", &uid), 1);
    assert_in_range(uid, SANDBOX_FIRST_UID, SANDBOX_FIRST_UID + SANDBOX_SLOTS - 1);
}

static void slots_exclude_each_other(void **state)
{
    int fds[3];
    uint32_t uids[3];

    (void)state;
    if (!sandbox_slot_available()) {
        skip();
    }
    for (int i = 0; i < 3; i++) {
        assert_int_equal(sandbox_slot_take(&fds[i], &uids[i], NULL), ERROR_NONE);
    }
    assert_true(uids[0] != uids[1] && uids[1] != uids[2] && uids[0] != uids[2]);
    close(fds[1]);
    uint32_t again;
    assert_int_equal(sandbox_slot_take(&fds[1], &again, NULL), ERROR_NONE);
    assert_int_equal(again, uids[1]);
    for (int i = 0; i < 3; i++) {
        close(fds[i]);
    }
}

/* A process of that user in a network of its own, as of a grader in a container; -1: not here. */
static pid_t start_stranger(uint32_t uid)
{
    int ready[2];
    char byte = 0;

    assert_int_equal(pipe(ready), 0);
    pid_t stranger = fork();
    if (stranger == 0) {
        close(ready[0]);
        /* It ends with the test, also with one that fails. */
        if (unshare(CLONE_NEWNET) == 0 && setresuid(uid, uid, uid) == 0 &&
            prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && write(ready[1], "r", 1) == 1) {
            pause();
        }
        _exit(1);
    }
    close(ready[1]);
    bool is_there = read(ready[0], &byte, 1) == 1;
    close(ready[0]);
    if (!is_there) {
        waitpid(stranger, NULL, 0);
    }
    return is_there ? stranger : -1;
}

/* Takes more slots of this network until it is that user's turn, whose slot is free again then. */
static size_t take_until(uint32_t uid, int fds[SANDBOX_SLOTS], size_t count)
{
    uint32_t taken = 0;

    while (taken != uid) {
        assert_in_range(count, 0, SANDBOX_SLOTS - 1);
        assert_int_equal(sandbox_slot_take(&fds[count++], &taken, NULL), ERROR_NONE);
    }
    close(fds[--count]);
    return count;
}

/* The lock of another network's slot is not seen, but its processes are. The slot is reserved in
 * the network of this machine's graders, so that none of them ends the stranger. */
static void slots_of_other_networks_are_passed_over(void **state)
{
    int fds[SANDBOX_SLOTS];
    int network = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    int reserved, fd;
    uint32_t uid, other;

    (void)state;
    if (!sandbox_slot_available() || network < 0) {
        skip();
    }
    assert_int_equal(sandbox_slot_take(&reserved, &uid, NULL), ERROR_NONE);
    if (unshare(CLONE_NEWNET) != 0) {
        close(reserved);
        skip();
    }
    size_t count = take_until(uid, fds, 0);
    for (uint32_t twin = 0; twin < 2; twin++) {
        pid_t stranger = start_stranger(uid + twin);
        assert_true(stranger > 0);
        assert_int_equal(sandbox_slot_take(&fd, &other, NULL), ERROR_NONE);
        close(fd);
        assert_int_not_equal(other, uid);
        assert_int_equal(kill(stranger, SIGKILL), 0);
        assert_int_equal(waitpid(stranger, NULL, 0), stranger);
        /* A slot before it may have become free, that of another grader on this machine. */
        count = take_until(uid, fds, count);
    }
    while (count > 0) {
        close(fds[--count]);
    }
    assert_int_equal(setns(network, CLONE_NEWNET), 0);
    close(network);
    close(reserved);
}

/* A step's end is told by its wait status, however its driver words it. */
static void what_ends_steps_is_seen(void **state)
{
    static const struct {
        const char *line;
        int exit_status;
        uint64_t signals;
    } rows[] = {
        {"sh -c 'kill -KILL $$'; exit 1", 1, UINT64_C(1) << SIGKILL},
        {"(sh -c 'sh -c \"kill -XFSZ \\$\\$\"; exit 3'; exit 4) | cat; exit 5", 5,
         UINT64_C(1) << SIGXFSZ},
        {"sh -c 'kill -SEGV $$' & wait; (kill -ABRT $(sh -c 'echo $PPID')); exit 2", 2,
         UINT64_C(1) << SIGSEGV | UINT64_C(1) << SIGABRT},
        {"echo Killed; echo \"'cicc' died due to signal 9 (Kill signal)\" >&2; exit 137", 137, 0},
        {"trap '' TERM; kill -TERM $$; trap 'exit 7' USR1; kill -USR1 $$; exit 1", 7, 0},
    };
    struct fixture *fixture = need(state);
    struct sandbox_spec spec = spec_of(NULL);

    spec.watches_steps = true;
    run_line(fixture, &spec, "true");
    if (fixture->end.step_signals == 0) {
        print_message("this machine forbids tracing\n");
        skip();
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        run_line(fixture, &spec, rows[i].line);
        assert_int_equal(fixture->end.ending, SANDBOX_EXITED);
        assert_int_equal(fixture->end.exit_status, rows[i].exit_status);
        assert_int_equal(fixture->end.step_signals, 1 | rows[i].signals);
    }
    run_line(fixture, NULL, rows[0].line);
    assert_int_equal(fixture->end.step_signals, 0); /* programs of students are not traced */
    spec.limits.wall_ns = CLOCK_NS_PER_S;
    run_line(fixture, &spec, "sh -c 'sleep 600' & sleep 600");
    assert_int_equal(fixture->end.ending, SANDBOX_WALL_LIMIT);
}

static void unusable_wishes_are_refused(void **state)
{
    struct sandbox sandbox;
    struct diagnostic diagnostic;

    (void)state;
    assert_int_equal(sandbox_init(SANDBOX_AUTO, "/nowhere", &sandbox, &diagnostic),
                     ERROR_ENVIRONMENT);
    assert_non_null(strstr(diagnostic.message, "/nowhere/gpugrade-jail"));
}

#define IN_EACH_TIER(test)                                                                         \
    {#test " (A)", test, set_up_a, tear_down, NULL},                                               \
        {#test " (B)", test, set_up_b, tear_down, NULL},                                           \
    {                                                                                              \
#test " (C)", test, set_up_c, tear_down, NULL                                              \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_EACH_TIER(exit_status_and_output_are_told),
        IN_EACH_TIER(signal_differs_from_exit_status),
        IN_EACH_TIER(flood_is_cut),
        IN_EACH_TIER(endless_loops_hit_their_limit),
        IN_EACH_TIER(large_files_and_memory_are_refused),
        IN_EACH_TIER(processes_are_bounded),
        IN_EACH_TIER(children_left_behind_die),
        IN_EACH_TIER(descriptors_are_exact),
        IN_EACH_TIER(channel_is_descriptor_three),
        IN_EACH_TIER(input_is_fed),
        IN_EACH_TIER(held_clock_does_not_count),
        IN_EACH_TIER(missing_program_is_the_sandbox_s_error),
        IN_EACH_TIER(free_kills_what_runs),
        IN_EACH_TIER(dead_grader_leaves_nothing),
        IN_EACH_TIER(environment_is_exact),
        IN_EACH_TIER(writable_folder_comes_back),
        IN_EACH_TIER(root_runs_programs_as_slots),
        IN_EACH_TIER(what_ends_steps_is_seen),
        {"namespaces_hide_the_machine", namespaces_hide_the_machine, set_up_a, tear_down, NULL},
        cmocka_unit_test(slots_exclude_each_other),
        cmocka_unit_test(slots_of_other_networks_are_passed_over),
        cmocka_unit_test(unusable_wishes_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
