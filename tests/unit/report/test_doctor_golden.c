/* test_doctor_golden.c: the doctor's reports made by hand, and the bytes that the emitters make of
 * them.
 *
 * The expected texts are golden/doctor_<name>.txt. After a wanted change, run the program with
 * GPUGRADE_BLESS=1 to write them anew, and read the difference.
 */
#include "base/file.h"
#include "report/score/doctor_json.h"
#include "report/terminal/doctor_terminal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const struct doctor_check good_checks[] = {
    {DOCTOR_SANDBOX, "tier", DOCTOR_PASS, "A: namespaces of its own", ""},
    {DOCTOR_SANDBOX, "tier B", DOCTOR_NOTE, "works too", ""},
    {DOCTOR_TOOLS, "nvcc", DOCTOR_PASS, "13.0.88, /usr/local/cuda-13.0/bin/nvcc", ""},
    {DOCTOR_TOOLS, "libraries", DOCTOR_PASS, "libcjson.so.1.7.15, libzstd.so.1.5.4", ""},
    {DOCTOR_FOLDERS, "cache", DOCTOR_PASS, "/root/.cache/gpugrade, 5120 MB free", ""},
    {DOCTOR_GRADING, "run", DOCTOR_PASS, "a small program ran", ""},
    {DOCTOR_GPU, "NVIDIA H200", DOCTOR_PASS, "GPU-6f0c, 143771 MB, compute 9.0", ""},
    {DOCTOR_TIMING, "governor", DOCTOR_NOTE, "powersave",
     "as root: cpupower frequency-set -g performance"},
};
static const struct doctor_denial good_denials[] = {
    {"private files", "read a file", WITNESS_HELD, CONTROL_RUN_OPEN, "Permission denied"},
    {"tracing the grader", "trace the grader", WITNESS_NOT_TRIED, CONTROL_RUN_REFUSED,
     "refused outside the sandbox too: Operation not permitted"},
    {"the time limit", "sleep for too long", WITNESS_HELD, CONTROL_RUN_NONE, "ended: out of time"},
};
static const struct doctor_tier tiers[] = {
    {"A", true, ""}, {"B", true, ""}, {"C", true, "limits only"}};
static const struct doctor_gpu gpus[] = {
    {"NVIDIA H200", "GPU-6f0c", UINT64_C(150754820096), 9, 0, 13000}};

static const char *const reasons[] = {
    "tier: C: limits only", "TCP: a program can connect to a port of this machine (connected)",
    "cache: /tmp/\x1b[31mred"};
static const struct doctor_check bad_checks[] = {
    {DOCTOR_TOOLS, "bubblewrap", DOCTOR_NOTE, "/usr/bin/bwrap is missing", ""},
    {DOCTOR_TOOLS, "packages", DOCTOR_NOTE, "missing: bubblewrap",
     "as root: apt-get install -y bubblewrap"},
    {DOCTOR_FOLDERS, "cache", DOCTOR_FAIL, "/tmp/\x1b[31mred", "set GPUGRADE_CACHE"},
    {DOCTOR_SANDBOX, "tier", DOCTOR_FAIL, "C: limits only", "grade where tier A or B holds"},
};
static const struct doctor_denial bad_denials[] = {
    {"TCP", "connect to a port of this machine", WITNESS_OPEN, CONTROL_RUN_NONE, "connected"},
    {"other submissions", "read a file", WITNESS_EXPECTED, CONTROL_RUN_NONE, "read it: \x1b[2J"},
    {"signals", "send a signal", WITNESS_BROKEN, CONTROL_RUN_REFUSED, "the probe fails"},
};

static const struct limits limits = {
    .compile_wall_ns = UINT64_C(60000000000),
    .compile_memory_bytes = UINT64_C(2048) << 20,
    .program_wall_ns = UINT64_C(20000000000),
    .program_cpu_ns = UINT64_C(10000000000),
    .program_memory_bytes = UINT64_C(1024) << 20,
    .program_processes = 64,
    .program_output_bytes = UINT64_C(1) << 20,
    .program_file_bytes = UINT64_C(64) << 20,
    .launch_emulated_ns = UINT64_C(10000000000),
    .launch_cuda_ns = UINT64_C(2500000000),
    .device_memory_bytes = UINT64_C(1024) << 20,
    .grader_memory_bytes = UINT64_C(512) << 20,
    .grader_cpu_ns = UINT64_C(300000000000),
};

static struct doctor_report sound_report(void)
{
    return (struct doctor_report){
        .is_sound = true,
        .grader_version = "0.1.0",
        .compiler = "nvcc 13.0",
        .tier = "A",
        .note = "",
        .memory = "cgroup v1",
        .own_user = true,
        .filters_calls = true,
        .confines_device = true,
        .tiers = tiers,
        .tier_count = COUNT(tiers),
        .checks = good_checks,
        .check_count = COUNT(good_checks),
        .denials = good_denials,
        .denial_count = COUNT(good_denials),
        .limits = limits,
        .device_bytes = UINT64_C(2304) << 20,
        .device_watched_bytes = UINT64_C(14592) << 20,
        .device_thread_bytes = UINT64_C(8) << 20,
        .gpus = gpus,
        .gpu_count = COUNT(gpus),
        .seconds = 2.5,
    };
}

static struct doctor_report unsound_report(void)
{
    struct doctor_report report = sound_report();

    report.is_sound = false;
    report.reasons = reasons;
    report.reason_count = COUNT(reasons);
    report.compiler = "";
    report.tier = "C";
    report.note = "limits only";
    report.checks = bad_checks;
    report.check_count = COUNT(bad_checks);
    report.denials = bad_denials;
    report.denial_count = COUNT(bad_denials);
    report.gpu_count = 0;
    return report;
}

static void check_golden(const char *name, const struct text *actual)
{
    struct arena *arena = arena_new();
    const char *path =
        arena_printf(arena, "%s/tests/unit/report/golden/doctor_%s.txt", GPUGRADE_SOURCE_DIR, name);
    char *expected = NULL;
    size_t length = 0;

    if (getenv("GPUGRADE_BLESS") != NULL) {
        assert_int_equal(file_write_atomic(path, actual->bytes, actual->length, NULL), ERROR_NONE);
    }
    if (file_read(arena, path, 1 << 20, BLAME_GRADER, &expected, &length, NULL) != ERROR_NONE) {
        fail_msg("%s cannot be read; write it with GPUGRADE_BLESS=1", path);
    }
    assert_string_equal(actual->bytes, expected);
    arena_free(arena);
}

static void check_both(const char *json_name, const char *screen_name,
                       const struct doctor_report *report)
{
    struct text text;

    text_init(&text);
    doctor_json(report, &text);
    check_golden(json_name, &text);
    text_clear(&text);
    doctor_terminal(report, false, &text);
    check_golden(screen_name, &text);
    assert_null(strchr(text.bytes, '\x1b'));
    text_release(&text);
}

static void a_machine_that_is_sound(void **state)
{
    struct doctor_report report = sound_report();

    (void)state;
    check_both("result", "screen", &report);
}

static void a_machine_that_is_not(void **state)
{
    struct doctor_report report = unsound_report();

    (void)state;
    check_both("result_unsound", "screen_unsound", &report);
}

static void reasons_come_before_checks(void **state)
{
    struct doctor_report report = unsound_report();
    struct text text;

    (void)state;
    text_init(&text);
    doctor_terminal(&report, false, &text);
    const char *reason = strstr(text.bytes, "connect to a port of this machine (connected)");
    const char *check = strstr(text.bytes, "FAIL");
    assert_non_null(reason);
    assert_non_null(check);
    assert_true(reason < check);
    text_release(&text);
}

static void colour_is_added_and_changes_no_word(void **state)
{
    struct doctor_report report = sound_report();
    struct text plain;
    struct text colored;
    size_t kept = 0;

    (void)state;
    text_init(&plain);
    text_init(&colored);
    doctor_terminal(&report, false, &plain);
    doctor_terminal(&report, true, &colored);
    assert_non_null(strchr(colored.bytes, '\x1b'));
    for (size_t i = 0; i < colored.length; i++) {
        if (colored.bytes[i] == '\x1b') {
            i += strcspn(colored.bytes + i, "m");
        } else {
            assert_int_equal(colored.bytes[i], plain.bytes[kept]);
            kept++;
        }
    }
    assert_int_equal(kept, plain.length);
    text_release(&plain);
    text_release(&colored);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_machine_that_is_sound),
        cmocka_unit_test(a_machine_that_is_not),
        cmocka_unit_test(reasons_come_before_checks),
        cmocka_unit_test(colour_is_added_and_changes_no_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
