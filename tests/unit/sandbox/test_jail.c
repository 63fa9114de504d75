/* test_jail.c: what a program may not do (jail_breaker.c tries it), and that nothing of it stays.
 *
 * Each test runs in tiers A and B; tier B as root, with a user for each program, and as an ordinary
 * user (nobody), once with a helper that has no capabilities and once with one that has. What this
 * machine cannot do is skipped visibly.
 */
#include "base/clock.h"
#include "base/file.h"
#include "sandbox/jail.h"
#include "sandbox/sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
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
#include <sys/xattr.h>
#include <unistd.h>

#include <cmocka.h>

#define MIB (UINT64_C(1) << 20)
static const char helper_folder[] = GPUGRADE_BINARY_DIR "/bin";
static const char built_breaker[] = GPUGRADE_BINARY_DIR "/tests/unit/jail_breaker";
enum { NOBODY = 65534, KILLED_GRADERS = 12 };

/* How long an end may take on a busy machine: a minute without a processor is not charged, and what
 * is killed may take JAIL_KILL_SECONDS. */
#define END_SLACK_NS ((60 + JAIL_KILL_SECONDS + 60) * CLOCK_NS_PER_S)

struct fixture {
    struct sandbox sandbox;
    bool available;
    struct arena *arena;
    char *top;                  /* everyone may pass through it */
    const char *capable_helper; /* a folder with a helper that has capabilities */
    const char *breaker;        /* a copy that everyone may run */
    const char *folder;         /* that the program may write */
    struct sandbox_end end;
    struct text output;
};

static bool prepare(struct fixture *fixture)
{
    struct diagnostic diagnostic = {.blame = BLAME_NONE};

    fixture->arena = arena_new();
    text_init(&fixture->output);
    if (folder_make_temporary(fixture->arena, &fixture->top, &diagnostic) != ERROR_NONE ||
        chmod(fixture->top, 0711) != 0) {
        return false;
    }
    fixture->folder = arena_printf(fixture->arena, "%s/folder", fixture->top);
    fixture->breaker = arena_printf(fixture->arena, "%s/jail_breaker", fixture->top);
    return mkdir(fixture->folder, 0755) == 0 &&
           file_copy(built_breaker, fixture->breaker, 0755, 64 * MIB, &diagnostic) == ERROR_NONE;
}

static int set_up_tier(void **state, enum sandbox_tier tier, const char *helpers)
{
    static struct fixture fixture;
    struct diagnostic diagnostic = {.blame = BLAME_NONE};

    fixture = (struct fixture){.available = false};
    if (!prepare(&fixture)) {
        return -1;
    }
    fixture.available = sandbox_init(tier, helpers, &fixture.sandbox, &diagnostic) == ERROR_NONE;
    if (!fixture.available) {
        print_message("skipped, tier %s: %s\n", sandbox_tier_name(tier), diagnostic.message);
    }
    *state = &fixture;
    return 0;
}

static int set_up_a(void **state)
{
    return set_up_tier(state, SANDBOX_A, helper_folder);
}

static int set_up_b(void **state)
{
    return set_up_tier(state, SANDBOX_B, helper_folder);
}

/* The folder of the helper with file capabilities, as root has made it. */
static const char *capable_folder(void)
{
    const char *folder = getenv("GPUGRADE_TEST_CAPABLE_HELPER");

    return folder == NULL ? "/nowhere" : folder;
}

static int set_up_capable(void **state)
{
    return set_up_tier(state, SANDBOX_B, capable_folder());
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;
    bool removed = folder_remove(fixture->top);

    text_release(&fixture->output);
    arena_free(fixture->arena);
    return removed ? 0 : -1;
}

static struct fixture *need(void **state)
{
    struct fixture *fixture = *state;

    if (!fixture->available) {
        skip();
    }
    return fixture;
}

static struct sandbox_spec spec_of(const struct fixture *fixture, const char *const *arguments)
{
    return (struct sandbox_spec){
        .arguments = arguments,
        .folder = fixture->folder,
        .mounts = {{fixture->breaker, fixture->breaker, false},
                   {fixture->folder, fixture->folder, true}},
        .mount_count = 2,
        .limits = {.wall_ns = 60 * CLOCK_NS_PER_S,
                   .cpu_ns = 10 * CLOCK_NS_PER_S,
                   .memory_bytes = 256 * MIB,
                   .processes = 32,
                   .output_bytes = MIB,
                   .file_bytes = MIB},
        .channel_fd = -1,
        .temporary_folder = fixture->sandbox.tier == SANDBOX_A ? NULL : fixture->folder,
    };
}

static void run_spec(struct fixture *fixture, const struct sandbox_spec *spec)
{
    struct diagnostic diagnostic = {.blame = BLAME_NONE};
    struct text errors;

    text_init(&errors);
    text_clear(&fixture->output);
    enum error error = sandbox_run_to_end(&fixture->sandbox, spec, &fixture->end, &fixture->output,
                                          &errors, &diagnostic);
    if (error != ERROR_NONE || errors.length > 0) {
        print_error("%s%s", diagnostic.message, errors.length > 0 ? errors.bytes : "\n");
    }
    text_release(&errors);
    assert_int_equal(error, ERROR_NONE);
}

/* Runs the breaker with up to four arguments. */
static void run_breaker(struct fixture *fixture, const char *verb, const char *first,
                        const char *second, const char *third)
{
    const char *const arguments[] = {fixture->breaker, verb, first, second, third, NULL};
    struct sandbox_spec spec = spec_of(fixture, arguments);

    run_spec(fixture, &spec);
}

static void run_line(struct fixture *fixture, const char *line)
{
    const char *const arguments[] = {"/bin/sh", "-c", line, NULL};
    struct sandbox_spec spec = spec_of(fixture, arguments);

    run_spec(fixture, &spec);
}

/* A word, also a number of seconds, that only this process of the test gives to its programs. */
static const char *own_word(struct fixture *fixture)
{
    return arena_printf(fixture->arena, "54321.%ld", (long)getpid());
}

/* How many processes of this machine have the word as their last argument. */
static int count_processes(const char *word)
{
    DIR *processes = opendir("/proc");
    int count = 0;

    assert_non_null(processes);
    for (struct dirent *entry = readdir(processes); entry != NULL; entry = readdir(processes)) {
        char path[300];
        char line[4096];
        snprintf(path, sizeof path, "/proc/%s/cmdline", entry->d_name);
        FILE *file = fopen(path, "re");
        size_t length = file == NULL ? 0 : fread(line, 1, sizeof line, file);
        if (file != NULL) {
            fclose(file);
        }
        size_t size = strlen(word) + 1;
        count += length > size && memcmp(line + length - size, word, size) == 0 &&
                         line[length - size - 1] == '\0'
                     ? 1
                     : 0;
    }
    closedir(processes);
    return count;
}

/* A killed process is gone a moment later. */
static void expect_none(const char *word)
{
    uint64_t deadline_ns = clock_now_ns() + END_SLACK_NS;

    while (count_processes(word) > 0 && clock_now_ns() < deadline_ns) {
        usleep(5000);
    }
    assert_int_equal(count_processes(word), 0);
}

static unsigned scopes_of(const struct sandbox *sandbox)
{
    unsigned scopes = JAIL_SCOPE_ALWAYS;

    scopes |= sandbox->tier == SANDBOX_B ? JAIL_SCOPE_SHARED : 0;
    scopes |= sandbox->tier == SANDBOX_B && !sandbox->uses_slots ? JAIL_SCOPE_ONE_USER : 0;
    return scopes;
}

static void every_denied_call_fails(void **state)
{
    struct fixture *fixture = need(state);

    run_breaker(fixture, "calls", arena_printf(fixture->arena, "%u", scopes_of(&fixture->sandbox)),
                NULL, NULL);
    assert_string_equal(fixture->output.bytes, "tried\n");
    run_breaker(fixture, "newer", NULL, NULL, NULL);
    assert_string_equal(fixture->output.bytes, "tried\n");
}

/* Before version 6 of Landlock, signals to others are denied by the filter. */
static void signals_are_denied_without_landlock_s_scope(void **state)
{
    struct fixture *fixture = need(state);
    int version = fixture->sandbox.landlock_abi;

    if (fixture->sandbox.uses_slots || version < 6) {
        skip();
    }
    fixture->sandbox.landlock_abi = 5;
    run_breaker(fixture, "calls",
                arena_printf(fixture->arena, "%u",
                             scopes_of(&fixture->sandbox) | (unsigned)JAIL_SCOPE_SIGNALS),
                NULL, NULL);
    assert_string_equal(fixture->output.bytes, "tried\n");
    fixture->sandbox.landlock_abi = version;
}

/* Older kernels know less of Landlock; what they know must be enough to start a program. */
static void every_version_of_landlock_starts(void **state)
{
    struct fixture *fixture = need(state);
    int version = fixture->sandbox.landlock_abi;

    for (int older = version; fixture->sandbox.tier == SANDBOX_B && older >= 1; older--) {
        fixture->sandbox.landlock_abi = older;
        run_breaker(fixture, "open", "/etc/passwd", "/tmp", NULL);
        assert_string_equal(fixture->output.bytes, "tried\n");
    }
    fixture->sandbox.landlock_abi = version;
}

/* A kernel may be built, or started, without the interface for 32 bits: its calls are faults then.
 */
static bool kernel_has_i386(void)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        execl(built_breaker, "jail_breaker", "foreign", "i386", (char *)NULL);
        _exit(126);
    }
    return waitpid(child, &status, 0) == child && !WIFSIGNALED(status);
}

static void foreign_calls_kill(void **state)
{
    struct fixture *fixture = need(state);
    static const char *const interfaces[] = {"x32", "i386"};

    for (size_t i = 0; i < (kernel_has_i386() ? 2 : 1); i++) {
        run_breaker(fixture, "foreign", interfaces[i], NULL, NULL);
        assert_int_equal(fixture->end.ending, SANDBOX_SIGNALLED);
        assert_int_equal(fixture->end.signal, SIGSYS);
        assert_string_equal(fixture->output.bytes, "");
    }
}

static void honest_calls_work(void **state)
{
    struct fixture *fixture = need(state);

    run_breaker(fixture, "honest", NULL, NULL, NULL);
    assert_string_equal(fixture->output.bytes, "tried\n");
    run_line(fixture, "echo text >\"${TMPDIR:-.}/file\" && cat file && mkdir -p a/b && "
                      "mv file a/b/ && ls a/b");
    assert_string_equal(fixture->output.bytes, "text\nfile\n");
}

static void files_of_the_machine_are_out_of_reach(void **state)
{
    struct fixture *fixture = need(state);
    static const char *const shared[] = {
        "/tmp",        "/var/tmp", "/dev/shm",        "/run", "/root",           "/home", "/etc",
        "/etc/passwd", "/proc",    "/proc/1/cmdline", "/sys", "/proc/1/environ", "/"};

    if (fixture->sandbox.tier == SANDBOX_B && fixture->sandbox.landlock_abi == 0) {
        skip();
    }
    for (size_t i = 0; fixture->sandbox.tier == SANDBOX_B && i < sizeof shared / sizeof shared[0];
         i++) {
        run_breaker(fixture, "open", shared[i], NULL, NULL);
        assert_string_equal(fixture->output.bytes, "tried\n");
    }
    /* Neither the grader's other files nor its process. */
    const char *secret = arena_printf(fixture->arena, "%s/secret", fixture->top);
    const char *own = arena_printf(fixture->arena, "/proc/%ld/mem", (long)getpid());
    FILE *file = fopen(secret, "we");
    assert_non_null(file);
    fputs("secret", file);
    fclose(file);
    assert_int_equal(chmod(secret, 0666), 0);
    /* In tier A the folder above is another one, in memory. */
    run_breaker(fixture, "open", secret, own,
                fixture->sandbox.tier == SANDBOX_A ? NULL : fixture->top);
    assert_string_equal(fixture->output.bytes, "tried\n");
    run_line(fixture, "ls -A /dev/shm /var/tmp 2>/dev/null; ls /sys 2>/dev/null; chmod 0777 "
                      "../secret 2>/dev/null && echo changed; echo end");
    assert_string_equal(fixture->output.bytes, "end\n");
    /* What it may only read it cannot change. */
    run_breaker(fixture, "open", fixture->breaker, NULL, NULL);
    assert_string_equal(fixture->output.bytes,
                        arena_printf(fixture->arena, "read %s\ntried\n", fixture->breaker));
}

static void other_processes_are_out_of_reach(void **state)
{
    struct fixture *fixture = need(state);
    pid_t other = fork();

    if (other == 0) {
        pause();
        _exit(0);
    }
    run_breaker(fixture, "kill", arena_printf(fixture->arena, "%ld", (long)other),
                arena_printf(fixture->arena, "%ld", (long)getpid()), "-1");
    assert_int_equal(fixture->end.ending, SANDBOX_EXITED);
    assert_int_equal(waitpid(other, NULL, WNOHANG), 0);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
}

static void nothing_that_hides_stays(void **state)
{
    struct fixture *fixture = need(state);

    run_breaker(fixture, "hide", own_word(fixture), NULL, NULL);
    assert_string_equal(fixture->output.bytes, "hidden\n");
    expect_none(own_word(fixture));
}

static void fork_bomb_ends(void **state)
{
    struct fixture *fixture = need(state);
    const char *const arguments[] = {fixture->breaker, "bomb", own_word(fixture), NULL};
    struct sandbox_spec spec = spec_of(fixture, arguments);
    uint64_t begin_ns = clock_now_ns();

    spec.limits.wall_ns = CLOCK_NS_PER_S / 2;
    run_spec(fixture, &spec);
    assert_true(clock_now_ns() - begin_ns < spec.limits.wall_ns + END_SLACK_NS);
    expect_none(own_word(fixture));
}

/* The supervisor: the parent of the program. */
static pid_t helper_of(struct fixture *fixture, const struct sandbox_run *run)
{
    char line[256] = "";
    FILE *file =
        fopen(arena_printf(fixture->arena, "/proc/%ld/stat", (long)sandbox_program(run)), "re");

    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    const char *behind = strrchr(line, ')');
    assert_non_null(behind);
    return (pid_t)strtol(behind + strlen(") S "), NULL, 10);
}

/* On a busy machine the helper may be slow; where it alone knows the program's processes, it is
 * waited for. */
static void slow_helper_leaves_no_process(void **state)
{
    enum { SLOW_S = 6 };
    struct fixture *fixture = need(state);
    const char *const arguments[] = {"/bin/sh", "-c", "sleep $0 & sleep $0", own_word(fixture),
                                     NULL};
    struct sandbox_spec spec = spec_of(fixture, arguments);
    struct sandbox_run *run;

    if (fixture->sandbox.uses_slots || fixture->sandbox.bound != SANDBOX_PER_PROCESS) {
        skip();
    }
    assert_int_equal(sandbox_start(&fixture->sandbox, &spec, &run, NULL), ERROR_NONE);
    while (count_processes(own_word(fixture)) < 2) {
        usleep(5000);
    }
    pid_t helper = helper_of(fixture, run);
    assert_int_equal(kill(helper, SIGSTOP), 0);
    pid_t waker = fork();
    if (waker == 0) {
        sleep(SLOW_S);
        _exit(kill(helper, SIGCONT));
    }
    sandbox_stop(run);
    sandbox_run_free(run);
    waitpid(waker, NULL, 0);
    expect_none(own_word(fixture));
}

/* A grader that starts the program and is killed after a while. */
static void start_and_die(struct fixture *fixture, unsigned delay_us)
{
    const char *const arguments[] = {fixture->breaker, "hide", own_word(fixture), NULL};
    struct sandbox_spec spec = spec_of(fixture, arguments);
    pid_t grader = fork();

    if (grader == 0) {
        struct sandbox_run *run;
        if (sandbox_start(&fixture->sandbox, &spec, &run, NULL) == ERROR_NONE) {
            sandbox_pump(run, -1, UINT64_MAX);
        }
        pause();
    }
    usleep(delay_us);
    kill(grader, SIGKILL);
    waitpid(grader, NULL, 0);
}

/* Reaps what the killed graders have left to this process, also a helper that had just been forked
 * and is no program of the sandbox yet. */
static void expect_no_orphan(void)
{
    uint64_t deadline_ns = clock_now_ns() + END_SLACK_NS;
    pid_t ended;

    do {
        ended = waitpid(-1, NULL, WNOHANG);
        usleep(ended == 0 ? 5000 : 0);
    } while (ended >= 0 && clock_now_ns() < deadline_ns);
    assert_int_equal(ended, -1);
}

static void killed_grader_leaves_no_process(void **state)
{
    struct fixture *fixture = need(state);

    srand((unsigned)clock_now_ns());
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    for (int i = 0; i < KILLED_GRADERS; i++) {
        unsigned delay_us = (unsigned)rand() % 40000;
        start_and_die(fixture, delay_us);
        if (i % 4 == 3) {
            expect_no_orphan();
            expect_none(own_word(fixture));
        }
    }
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0), 0);
    run_breaker(fixture, "honest", NULL, NULL, NULL);
    assert_string_equal(fixture->output.bytes, "tried\n");
}

static void program_s_process_is_told(void **state)
{
    struct fixture *fixture = need(state);
    const char *const arguments[] = {"/bin/sleep", own_word(fixture), NULL};
    struct sandbox_spec spec = spec_of(fixture, arguments);
    struct sandbox_run *run;
    char line[64] = "";

    assert_int_equal(sandbox_start(&fixture->sandbox, &spec, &run, NULL), ERROR_NONE);
    FILE *file =
        fopen(arena_printf(fixture->arena, "/proc/%ld/cmdline", (long)sandbox_program(run)), "re");
    assert_non_null(file);
    assert_true(fread(line, 1, sizeof line - 1, file) > 0);
    fclose(file);
    assert_string_equal(line, "/bin/sleep");
    sandbox_run_free(run);
}

static void folders_come_back(void **state)
{
    struct fixture *fixture = need(state);
    struct stat status;

    run_line(
        fixture,
        "mkdir -p deep/er/still && echo x > deep/er/still/file && echo y > plain && "
        "mkdir closed && echo z > closed/file && chmod 0 deep/er closed 2>/dev/null; echo made");
    assert_string_equal(fixture->output.bytes, "made\n");
    assert_int_equal(stat(fixture->folder, &status), 0);
    assert_int_equal(status.st_uid, geteuid());
    assert_true(folder_remove(fixture->folder));
    assert_int_equal(mkdir(fixture->folder, 0755), 0);
}

static void slot_is_a_user_of_its_own(void **state)
{
    struct fixture *fixture = need(state);
    const unsigned long end = JAIL_FIRST_UID + JAIL_SLOTS * JAIL_USERS_PER_SLOT;
    unsigned long ids[3] = {0, 0, 0};

    if (!fixture->sandbox.uses_slots) {
        skip();
    }
    run_line(fixture, "id -u; id -g; id -G");
    assert_int_equal(sscanf(fixture->output.bytes, "%lu %lu %lu", &ids[0], &ids[1], &ids[2]), 3);
    assert_in_range(ids[0], JAIL_FIRST_UID, end - 1);
    assert_true(ids[1] == ids[0] && ids[2] == ids[0]);
    /* Neither capabilities nor a way to gain them. */
    run_line(fixture, "while read -r name value; do case $name in CapPrm:|CapEff:|NoNewPrivs:) "
                      "echo $value ;; esac; done </proc/self/status");
    assert_string_equal(fixture->output.bytes, "0000000000000000\n0000000000000000\n1\n");
}

/* Runs the helper by hand; returns its exit status. */
static int call_helper(const char *folder, const char *verb, const char *uid, const char *word)
{
    char path[4096];
    pid_t child = fork();
    int status = 0;

    if (child == 0) {
        int null = open("/dev/null", O_RDWR | O_CLOEXEC);
        dup2(null, 1);
        dup2(null, 2);
        snprintf(path, sizeof path, "%s/gpugrade-jail", folder);
        execl(path, "gpugrade-jail", verb, uid, word, (char *)NULL);
        _exit(126);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void check_refusals(const char *folder)
{
    static const char *const foreign[] = {"1",     "1000", "65534", "60999",      "61001",  "61184",
                                          "62000", "-1",   "x",     "4294967296", "61000x", ""};
    enum { REFUSED = 125 };

    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        assert_int_equal(call_helper(folder, "enter", foreign[i], "/bin/true"), REFUSED);
        assert_int_equal(call_helper(folder, "sweep", foreign[i], NULL), REFUSED);
        assert_int_equal(call_helper(folder, "give", foreign[i], "/tmp"), REFUSED);
        assert_int_equal(call_helper(folder, "clear", foreign[i], "/tmp"), REFUSED);
    }
    assert_int_equal(call_helper(folder, "sweep", "0", NULL), REFUSED);
    assert_int_equal(call_helper(folder, "give", "0", "/tmp"), REFUSED);
    assert_int_equal(call_helper(folder, "supervise", "--uid", "1000"), REFUSED);
    assert_int_equal(call_helper(folder, "enter", "0", "/bin/true"), 0);
}

static void foreign_users_are_refused(void **state)
{
    (void)state;
    check_refusals(helper_folder);
}

static void capable_helper_refuses(void **state)
{
    struct fixture *fixture = need(state);
    struct sandbox_spec spec;

    check_refusals(capable_folder());
    /* It must not touch with its capabilities what the caller names. */
    assert_int_not_equal(call_helper(capable_folder(), "give", "61182", "/etc"), 0);
    assert_int_not_equal(call_helper(capable_folder(), "clear", "61182", "/root"), 0);
    const char *const arguments[] = {
        "/bin/sh", "-c", "exec 2>&1; \"$0\" enter 61180 /bin/id",
        arena_printf(fixture->arena, "%s/gpugrade-jail", capable_folder()), NULL};
    spec = spec_of(fixture, arguments);
    run_spec(fixture, &spec); /* nor serve what it runs */
    assert_null(strstr(fixture->output.bytes, "uid="));
}

#define EVERY_TEST(set_up)                                                                         \
    cmocka_unit_test_setup_teardown(every_denied_call_fails, set_up, tear_down),                   \
        cmocka_unit_test_setup_teardown(foreign_calls_kill, set_up, tear_down),                    \
        cmocka_unit_test_setup_teardown(honest_calls_work, set_up, tear_down),                     \
        cmocka_unit_test_setup_teardown(every_version_of_landlock_starts, set_up, tear_down),      \
        cmocka_unit_test_setup_teardown(files_of_the_machine_are_out_of_reach, set_up, tear_down), \
        cmocka_unit_test_setup_teardown(other_processes_are_out_of_reach, set_up, tear_down),      \
        cmocka_unit_test_setup_teardown(nothing_that_hides_stays, set_up, tear_down),              \
        cmocka_unit_test_setup_teardown(fork_bomb_ends, set_up, tear_down),                        \
        cmocka_unit_test_setup_teardown(program_s_process_is_told, set_up, tear_down),             \
        cmocka_unit_test_setup_teardown(folders_come_back, set_up, tear_down),                     \
        cmocka_unit_test_setup_teardown(slot_is_a_user_of_its_own, set_up, tear_down),             \
        cmocka_unit_test_setup_teardown(killed_grader_leaves_no_process, set_up, tear_down)

static const struct CMUnitTest tests_a[] = {EVERY_TEST(set_up_a)};
static const struct CMUnitTest tests_b[] = {
    EVERY_TEST(set_up_b),
    cmocka_unit_test_setup_teardown(signals_are_denied_without_landlock_s_scope, set_up_b,
                                    tear_down),
    cmocka_unit_test_setup_teardown(slow_helper_leaves_no_process, set_up_b, tear_down),
    cmocka_unit_test(foreign_users_are_refused),
};
static const struct CMUnitTest tests_capable[] = {
    EVERY_TEST(set_up_capable),
    cmocka_unit_test_setup_teardown(capable_helper_refuses, set_up_capable, tear_down),
};

/* Makes a copy of the helper that only a group may run, with the capabilities to change users. */
static bool make_capable_helper(struct arena *arena, char **out_folder)
{
    const struct vfs_ns_cap_data capabilities = {
        .magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
        .data = {{.permitted = 1U << CAP_SETUID | 1U << CAP_SETGID}},
    };
    struct diagnostic diagnostic;

    if (folder_make_temporary(arena, out_folder, &diagnostic) != ERROR_NONE) {
        return false;
    }
    const char *helper = arena_printf(arena, "%s/gpugrade-jail", *out_folder);
    const char *built = arena_printf(arena, "%s/gpugrade-jail", helper_folder);
    return chmod(*out_folder, 0755) == 0 &&
           file_copy(built, helper, 0750, 64 * MIB, &diagnostic) == ERROR_NONE &&
           chown(helper, 0, NOBODY) == 0 && chmod(helper, 0750) == 0 &&
           setxattr(helper, "security.capability", &capabilities, XATTR_CAPS_SZ_2, 0) == 0 &&
           setenv("GPUGRADE_TEST_CAPABLE_HELPER", *out_folder, 1) == 0;
}

/* Runs tests in a process of the user nobody. Returns how many failed. */
static int run_as_nobody(const char *name, const struct CMUnitTest *tests, size_t count)
{
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        if (setgroups(0, NULL) != 0 || setresgid(NOBODY, NOBODY, NOBODY) != 0 ||
            setresuid(NOBODY, NOBODY, NOBODY) != 0) {
            print_message("skipped: cannot become the user nobody\n");
            _exit(0);
        }
        if (access(built_breaker, R_OK) != 0) {
            print_message("skipped: the user nobody cannot read %s\n", built_breaker);
            _exit(0);
        }
        _exit(_cmocka_run_group_tests(name, tests, count, NULL, NULL));
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int run_without_root(void)
{
    struct arena *arena = arena_new();
    char *folder = NULL;
    int failed = run_as_nobody("tier A, nobody", tests_a, sizeof tests_a / sizeof tests_a[0]);

    failed += run_as_nobody("tier B, nobody", tests_b, sizeof tests_b / sizeof tests_b[0]);
    if (make_capable_helper(arena, &folder)) {
        failed += run_as_nobody("tier B, nobody, capable helper", tests_capable,
                                sizeof tests_capable / sizeof tests_capable[0]);
    } else {
        print_message("skipped: files cannot have capabilities here: %s\n", strerror(errno));
    }
    if (folder != NULL) {
        folder_remove(folder);
    }
    arena_free(arena);
    return failed;
}

int main(void)
{
    int failed = cmocka_run_group_tests_name("tier A", tests_a, NULL, NULL);

    failed += cmocka_run_group_tests_name("tier B", tests_b, NULL, NULL);
    if (geteuid() == 0) {
        failed += run_without_root();
    } else {
        print_message("skipped: other users can be tried by root only\n");
    }
    return failed;
}
