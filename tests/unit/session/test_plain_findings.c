/* test_plain_findings.c: what a run showed, made by hand, and what its user is told. */
#include "session/plain_findings.h"

#include "wire/cuda_error.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct arena *arena;
static struct plain_run run;
static struct report report;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    memset(&run, 0, sizeof run);
    memset(&report, 0, sizeof report);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static void tell(void)
{
    static struct toolchain toolchain;
    const struct plain_config config = {.toolchain = &toolchain};

    plain_findings(arena, &config, &run, &report);
}

/* Tells of one failed call. */
static void report_call(struct call_error error)
{
    error.call = error.is_launch ? "launch of `k`" : error.call != NULL ? error.call : "cudaMalloc";
    error.kernel = error.is_launch ? "k" : "";
    error.name = error.name != NULL ? error.name : "cudaErrorX";
    error.message = "why";
    error.count = 3;
    run.activity.call_errors = &error;
    run.activity.call_error_count = 1;
    tell();
}

static void assert_finding(enum code code, enum severity severity, const char *words)
{
    assert_int_equal(report.finding_count, 1);
    assert_int_equal(report.findings[0].code, code);
    assert_int_equal(report.findings[0].severity, severity);
    assert_non_null(strstr(report.findings[0].message, words));
    assert_int_equal(report.remark_count, 0);
}

static void assert_remark(const char *words)
{
    assert_int_equal(report.finding_count, 0);
    assert_int_equal(report.remark_count, 1);
    assert_non_null(strstr(report.remarks[0].message, words));
}

static void a_library_has_a_status_of_its_own(void **state)
{
    (void)state;
    report_call((struct call_error){
        .call = "cublasSgemm", .name = "", .cuda_error = CUDA_STATUS_INVALID_VALUE});
    assert_finding(CODE_API_ERROR, SEVERITY_WARNING, "cublasSgemm failed: why");
}

static void a_launch_that_nobody_asked_about(void **state)
{
    (void)state;
    report_call((struct call_error){.is_launch = true, .cuda_error = CUDA_STATUS_INVALID_VALUE});
    assert_finding(CODE_API_ERROR, SEVERITY_ERROR, "launch of `k` gave cudaErrorX (1): why; the");
    assert_string_equal(report.findings[0].kernel, "k");
    assert_int_equal(report.findings[0].count, 3);
}

static void another_call_is_a_warning(void **state)
{
    (void)state;
    report_call((struct call_error){.cuda_error = CUDA_STATUS_INVALID_VALUE});
    assert_finding(CODE_API_ERROR, SEVERITY_WARNING, "cudaMalloc gave cudaErrorX (1): why");
}

static void what_the_program_asked_for_is_a_remark(void **state)
{
    (void)state;
    report_call((struct call_error){
        .is_launch = true, .is_fetched = true, .cuda_error = CUDA_STATUS_INVALID_VALUE});
    assert_remark("launch of `k` gave cudaErrorX");
}

static void what_follows_from_a_fault_is_a_remark(void **state)
{
    (void)state;
    report_call((struct call_error){.cuda_error = CUDA_STATUS_ILLEGAL_ADDRESS});
    assert_remark("cudaMalloc gave cudaErrorX (700)");
}

static void an_unknown_call_is_always_a_finding(void **state)
{
    (void)state;
    report_call((struct call_error){
        .is_unknown = true, .is_fetched = true, .cuda_error = CUDA_STATUS_NOT_SUPPORTED});
    assert_finding(CODE_UNKNOWN_CALL, SEVERITY_ERROR, "cudaMalloc");
}

static void a_deadline_is_always_a_finding(void **state)
{
    (void)state;
    report_call((struct call_error){
        .is_launch = true, .is_fetched = true, .cuda_error = CUDA_STATUS_LAUNCH_TIMEOUT});
    assert_finding(CODE_LAUNCH_DEADLINE, SEVERITY_ERROR, "--launch-seconds");
}

static void a_launch_that_ended_with_the_program(void **state)
{
    (void)state;
    report_call((struct call_error){.is_launch = true, .cuda_error = CUDA_STATUS_NOT_READY});
    assert_remark("`k`: why");
}

static void a_crash_names_device_memory(void **state)
{
    (void)state;
    run.activity.end = (struct program_end){
        .ending = ENDING_SIGNALLED, .signal = SIGSEGV, .fault_address = 0x100000010000};
    tell();
    assert_finding(CODE_SIGNAL, SEVERITY_ERROR, "device memory (address 0x100000010000)");
}

static void a_crash_elsewhere(void **state)
{
    (void)state;
    run.activity.end =
        (struct program_end){.ending = ENDING_SIGNALLED, .signal = SIGSEGV, .fault_address = 0x10};
    tell();
    assert_finding(CODE_SIGNAL, SEVERITY_ERROR, "host code crashes: ended by signal 11");
}

static void signals_from_outside_are_no_crash(void **state)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGKILL, SIGPIPE, SIGHUP};

    (void)state;
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        run.activity.end = (struct program_end){.ending = ENDING_SIGNALLED, .signal = signals[i]};
        tell();
        assert_int_equal(report.finding_count, 0);
    }
}

static struct finding seen_at(int line, uint64_t count)
{
    return (struct finding){
        .code = CODE_SHARED_RACE,
        .message = "race",
        .kernel = "k",
        .launch = "",
        .count = count,
        .places = {{.role = "read", .file = line > 0 ? "a.cu" : "", .line = line}},
        .place_count = 1,
    };
}

static void instances_of_a_template_are_one(void **state)
{
    const struct finding findings[] = {seen_at(3, 5), seen_at(4, 1), seen_at(3, 7)};

    (void)state;
    run.activity.findings = findings;
    run.activity.finding_count = 3;
    tell();
    assert_int_equal(report.finding_count, 2);
    assert_int_equal(report.findings[0].count, 12);
    assert_int_equal(report.findings[1].places[0].line, 4);
    assert_int_equal(report.remark_count, 0);
}

static void without_lines_the_flag_is_named(void **state)
{
    const struct finding finding = seen_at(0, 1);

    (void)state;
    run.activity.findings = &finding;
    run.activity.finding_count = 1;
    tell();
    assert_int_equal(report.remark_count, 1);
    assert_non_null(strstr(report.remarks[0].message, "-lineinfo"));
}

static void times_are_called_estimates(void **state)
{
    (void)state;
    run.activity.asked_times = true;
    tell();
    assert_remark("estimated");
}

static void without_ptxas_it_says_so(void **state)
{
    const struct plain_config config = {.toolchain = NULL};

    (void)state;
    run.launch_is_lost = true;
    plain_findings(arena, &config, &run, &report);
    assert_int_equal(report.remark_count, 2);
    assert_non_null(strstr(report.remarks[0].message, "what the device saw is lost"));
    assert_non_null(strstr(report.remarks[1].message, "ptxas was not found"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* A real GPU names no lines, whatever the program was built with, and measures. */
static void a_real_gpu_is_not_explained_as_the_emulated_device(void **state)
{
    const struct plain_config config = {.device = {.is_gpu = true}};
    struct finding finding = {.code = CODE_GLOBAL_OUT_OF_BOUNDS,
                              .message = "uses an address outside of all memory",
                              .kernel = "k",
                              .launch = "",
                              .place_count = 1,
                              .places = {{.role = "here", .file = ""}},
                              .count = 1};

    (void)state;
    run.activity.findings = &finding;
    run.activity.finding_count = 1;
    plain_findings(arena, &config, &run, &report);
    assert_int_equal(report.finding_count, 1);
    assert_int_equal(report.remark_count, 0);
    run.activity.asked_times = true;
    plain_findings(arena, &config, &run, &report);
    assert_int_equal(report.remark_count, 1);
    assert_non_null(strstr(report.remarks[0].message, "host times around each launch"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_launch_that_nobody_asked_about),
        TEST(another_call_is_a_warning),
        TEST(what_the_program_asked_for_is_a_remark),
        TEST(what_follows_from_a_fault_is_a_remark),
        TEST(an_unknown_call_is_always_a_finding),
        TEST(a_deadline_is_always_a_finding),
        TEST(a_launch_that_ended_with_the_program),
        TEST(a_library_has_a_status_of_its_own),
        TEST(a_crash_names_device_memory),
        TEST(a_crash_elsewhere),
        TEST(signals_from_outside_are_no_crash),
        TEST(instances_of_a_template_are_one),
        TEST(without_lines_the_flag_is_named),
        TEST(times_are_called_estimates),
        TEST(without_ptxas_it_says_so),
        TEST(a_real_gpu_is_not_explained_as_the_emulated_device),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
