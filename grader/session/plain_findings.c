/* plain_findings.c: see plain_findings.h. */
#include "session/plain_findings.h"

#include "base/device_window.h"
#include "wire/cuda_error.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>

struct lists {
    struct arena *arena;
    struct finding *findings;
    size_t finding_count, finding_capacity;
    struct remark *remarks;
    size_t remark_count, remark_capacity;
};

static void add_finding(struct lists *lists, const struct finding *finding)
{
    /* Instances of a template are one kernel here; calls may differ in their messages alone. */
    bool is_call = finding->code == CODE_API_ERROR || finding->code == CODE_UNKNOWN_CALL;
    bool is_merged = (finding->place_count > 0 && !is_call) || finding->is_rest;

    for (size_t i = 0; i < lists->finding_count && is_merged; i++) {
        if (finding_is_same(&lists->findings[i], finding)) {
            lists->findings[i].count += finding->count;
            return;
        }
    }
    arena_grow(lists->arena, &lists->findings, &lists->finding_capacity, lists->finding_count + 1,
               sizeof *lists->findings);
    lists->findings[lists->finding_count++] = *finding;
}

/* Names the line of host code that a finding is about, if it is known. */
static void set_place(struct finding *finding, const char *role, const struct host_place *place)
{
    if (place->line > 0) {
        finding->places[finding->place_count++] =
            (struct place){.role = role, .file = place->file, .line = place->line};
    }
}

static void add_remark_at(struct lists *lists, const char *message, const struct host_place *place)
{
    arena_grow(lists->arena, &lists->remarks, &lists->remark_capacity, lists->remark_count + 1,
               sizeof *lists->remarks);
    lists->remarks[lists->remark_count++] =
        (struct remark){.message = message, .file = place->file, .line = place->line};
}

static void add_remark(struct lists *lists, const char *message)
{
    add_remark_at(lists, message, &(struct host_place){"", 0});
}

/* "cudaMalloc gave cudaErrorMemoryAllocation (2): why", "cublasSgemm failed: why" */
static const char *call_message(struct arena *arena, const struct call_error *error)
{
    const char *separator = error->message[0] == '\0' ? "" : ": ";

    if (error->name[0] == '\0') {
        return arena_printf(arena, "%s failed%s%s", error->call, separator, error->message);
    }
    return arena_printf(arena, "%s gave %s (%d)%s%s", error->call, error->name, error->cuda_error,
                        separator, error->message);
}

/* A call that only tells what an earlier launch did, which is a finding of its own. */
static bool is_consequence(const struct call_error *error)
{
    static const int faults[] = {CUDA_STATUS_ILLEGAL_ADDRESS, CUDA_STATUS_MISALIGNED_ADDRESS,
                                 CUDA_STATUS_LAUNCH_TIMEOUT,  CUDA_STATUS_LAUNCH_FAILURE,
                                 CUDA_STATUS_ASSERT,          CUDA_STATUS_NOT_SUPPORTED};

    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        if (error->cuda_error == faults[i]) {
            return !error->is_launch && !error->is_unknown;
        }
    }
    return false;
}

static bool is_listed(const struct lists *lists, enum code code)
{
    for (size_t i = 0; i < lists->finding_count; i++) {
        if (lists->findings[i].code == code) {
            return true;
        }
    }
    return false;
}

static void add_call_error(struct lists *lists, const struct call_error *error)
{
    const char *message = call_message(lists->arena, error);
    struct finding finding = {
        .code = CODE_API_ERROR,
        .severity = error->is_launch ? SEVERITY_ERROR : SEVERITY_WARNING,
        .kernel = error->kernel,
        .launch = "",
        .count = error->count,
    };

    if (error->is_unknown) {
        finding.code = CODE_UNKNOWN_CALL;
        finding.severity = SEVERITY_ERROR;
        finding.message = message;
    } else if (error->is_launch && error->cuda_error == CUDA_STATUS_LAUNCH_TIMEOUT) {
        if (is_listed(lists, CODE_LAUNCH_DEADLINE)) {
            return; /* the emulated device has said where it was */
        }
        finding.code = CODE_LAUNCH_DEADLINE;
        finding.message = arena_printf(
            lists->arena, "%s; --launch-seconds N gives each launch N seconds", error->message);
    } else if (error->is_launch && error->cuda_error == CUDA_STATUS_NOT_READY) {
        add_remark(lists, arena_printf(lists->arena, "`%s`: %s", error->kernel, error->message));
        return;
    } else if (is_consequence(error) || error->is_fetched) {
        add_remark_at(lists, message, &error->place);
        return;
    } else if (error->is_launch) {
        finding.message = arena_printf(lists->arena,
                                       "%s; the kernel did not run, and the program never checked "
                                       "for errors (cudaGetLastError)",
                                       message);
    } else {
        finding.message = message;
    }
    set_place(&finding, error->is_launch ? "launch" : "call", &error->place);
    add_finding(lists, &finding);
}

/* Signals that tell of a mistake in the host code; others come from somebody else. */
static bool is_crash(int signal)
{
    return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL ||
           signal == SIGABRT;
}

static void add_crash(struct lists *lists, const struct program_activity *activity)
{
    const struct program_end *end = &activity->end;
    struct finding finding = {.code = CODE_SIGNAL, .kernel = "", .launch = "", .count = 1};
    bool is_device_memory = is_in_device_window(end->fault_address);

    if (end->ending != ENDING_SIGNALLED || !is_crash(end->signal)) {
        return;
    }
    if (is_device_memory) {
        finding.message = arena_printf(lists->arena,
                                       "host code touches device memory (address 0x%" PRIx64
                                       ") and is ended by signal %d; "
                                       "copy the data with cudaMemcpy first",
                                       end->fault_address, end->signal);
    } else {
        finding.message = arena_printf(lists->arena, "host code crashes: ended by signal %d (%s)",
                                       end->signal, strsignal(end->signal));
    }
    set_place(&finding, "here", &activity->crash);
    add_finding(lists, &finding);
}

/* "2 allocations (8000 bytes) are never freed": a note, as the end of a program frees all. */
static void add_leaks(struct lists *lists, const struct program_activity *activity)
{
    for (size_t i = 0; i < activity->leak_count && activity->end.ending == ENDING_EXITED; i++) {
        const struct leak *leak = &activity->leaks[i];
        bool is_one = leak->allocations == 1;
        const char *message =
            is_one ? arena_printf(lists->arena,
                                  "device or pinned memory of %" PRIu64 " bytes is never freed",
                                  leak->bytes)
                   : arena_printf(lists->arena,
                                  "device or pinned memory is never freed: %" PRIu64
                                  " allocations, %" PRIu64 " bytes in all",
                                  leak->allocations, leak->bytes);
        add_remark_at(lists, message, &leak->place);
    }
}

static bool names_no_line(const struct lists *lists)
{
    for (size_t i = 0; i < lists->finding_count; i++) {
        const struct finding *finding = &lists->findings[i];
        if (finding->place_count > 0 && finding->places[0].line > 0) {
            return false;
        }
        if (finding->place_count > 0) {
            return true;
        }
    }
    return false;
}

/* What holds of the emulated device alone. */
static void explain_emulated(struct lists *lists, const struct plain_config *config,
                             const struct plain_run *run)
{
    if (names_no_line(lists)) {
        add_remark(lists, "the program has no source lines in it; build it with -lineinfo");
    }
    if (run->activity.asked_times) {
        add_remark(lists, "the times between CUDA events are estimated from the emulated work; "
                          "they are not the times of a GPU");
    }
    if (config->toolchain == NULL) {
        add_remark(lists, "ptxas was not found: launches that need more registers than there are "
                          "were not refused");
    }
}

static void add_explanations(struct lists *lists, const struct plain_config *config,
                             const struct plain_run *run)
{
    if (run->launch_is_lost) {
        add_remark(lists, "the program ended during a launch that could not be stopped; what the "
                          "device saw is lost");
    }
    if (!config->device.is_gpu) {
        explain_emulated(lists, config, run);
    } else if (run->activity.asked_times) {
        add_remark(lists, "the times between CUDA events are host times around each launch, and "
                          "estimates for copies; they say little about short operations");
    }
}

void plain_findings(struct arena *arena, const struct plain_config *config,
                    const struct plain_run *run, struct report *report)
{
    struct lists lists = {.arena = arena};
    const struct program_activity *activity = &run->activity;

    for (size_t i = 0; i < activity->finding_count; i++) {
        add_finding(&lists, &activity->findings[i]);
    }
    for (size_t i = 0; i < activity->call_error_count; i++) {
        add_call_error(&lists, &activity->call_errors[i]);
    }
    add_crash(&lists, activity);
    add_leaks(&lists, activity);
    add_explanations(&lists, config, run);
    report->findings = lists.findings;
    report->finding_count = lists.finding_count;
    report->remarks = lists.remarks;
    report->remark_count = lists.remark_count;
}
