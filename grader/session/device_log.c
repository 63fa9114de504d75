/* device_log.c: what the device saw on the program's own data: findings, failed calls, memory that
 * was never freed, each with its lines. */
#include "session/device_link.h"
#include "session/finding_map.h"
#include "toolchain/host_lines.h"
#include "toolchain/toolchain.h"
#include "wire/cuda_error.h"

#include <ctype.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>

enum { RECURSION_LEAST = 5 }; /* calls, one in the other */

/* The places from which the program made calls. */
struct site_list {
    struct control_site *records; /* [count] as the device sent them */
    struct host_site *lines;      /* [count] without addresses where nobody asks for the line */
    size_t count;
};

/* The reply to LOG in its parts. */
struct log_parts {
    struct finding_record *records; /* [finding_count] */
    size_t finding_count;
    struct control_call_error *errors; /* [error_count] */
    size_t error_count;
    struct site_list sites;
    struct control_streams streams;
    struct control_conflict *conflicts; /* [conflict_count] */
    size_t conflict_count;
};

static bool unpack_log(struct arena *arena, const struct message *log, struct log_parts *out_parts)
{
    const uint8_t *bytes = log->payload;
    struct log_parts parts = {.finding_count = log->words[1], .error_count = log->words[2]};
    size_t cursor = 0;

    if (log->words[1] > log->payload_bytes || log->words[2] > log->payload_bytes ||
        log->words[7] > CLIENT_SITES_MAX || log->words[9] > log->payload_bytes) {
        return false;
    }
    parts.records = arena_array(arena, parts.finding_count, sizeof *parts.records);
    for (size_t i = 0; i < parts.finding_count; i++, cursor += FINDING_RECORD_BYTES) {
        if (log->payload_bytes - cursor < FINDING_RECORD_BYTES ||
            !finding_record_unpack(bytes + cursor, &parts.records[i])) {
            return false;
        }
    }
    parts.errors = arena_array(arena, parts.error_count, sizeof *parts.errors);
    for (size_t i = 0; i < parts.error_count; i++) {
        if (!control_call_error_unpack(bytes, log->payload_bytes, &cursor, &parts.errors[i])) {
            return false;
        }
    }
    parts.sites.count = log->words[7];
    parts.sites.records = arena_array(arena, parts.sites.count, sizeof *parts.sites.records);
    parts.sites.lines = arena_array(arena, parts.sites.count, sizeof *parts.sites.lines);
    for (size_t i = 0; i < parts.sites.count; i++) {
        if (!control_site_unpack(bytes, log->payload_bytes, &cursor, &parts.sites.records[i])) {
            return false;
        }
    }
    if (!control_streams_unpack(bytes, log->payload_bytes, &cursor, &parts.streams)) {
        return false;
    }
    parts.conflict_count = log->words[9];
    parts.conflicts = arena_array(arena, parts.conflict_count, sizeof *parts.conflicts);
    for (size_t i = 0; i < parts.conflict_count; i++) {
        if (!control_conflict_unpack(bytes, log->payload_bytes, &cursor, &parts.conflicts[i])) {
            return false;
        }
    }
    *out_parts = parts;
    return true;
}

/* Asks for the line of a site; 0 is none. */
static void want(struct site_list *sites, uint64_t site)
{
    if (site == 0 || site > sites->count) {
        return;
    }
    struct host_site *line = &sites->lines[site - 1];
    line->addresses = sites->records[site - 1].addresses;
    line->address_count = 0;
    while (line->address_count < CLIENT_SITE_ADDRESSES &&
           line->addresses[line->address_count] != 0) {
        line->address_count++;
    }
}

/* Finds the lines of all sites that something is reported of; `ends`: word 8 of LOG. */
static void find_lines(const struct device_link *link, struct arena *arena, struct log_parts *parts,
                       uint64_t ends)
{
    struct site_list *sites = &parts->sites;

    for (size_t i = 0; i < parts->finding_count; i++) {
        want(sites, parts->records[i].object_site);
        want(sites, parts->records[i].freed_site);
    }
    for (size_t i = 0; i < parts->error_count; i++) {
        want(sites, parts->errors[i].site);
    }
    for (size_t i = 0; i < sites->count && link->host.wants_leaks; i++) {
        want(sites, sites->records[i].live_allocations > 0 ? i + 1 : 0);
    }
    for (size_t i = 0; i < parts->conflict_count; i++) {
        want(sites, parts->conflicts[i].works[0].site);
        want(sites, parts->conflicts[i].works[1].site);
        want(sites, parts->conflicts[i].object_site);
    }
    for (const struct site_wish *wish = link->host.wishes; wish != NULL; wish = wish->next) {
        want(sites, wish->site);
    }
    want(sites, ends & UINT32_MAX);
    want(sites, ends >> 32);
    if (link->host.executable != NULL) {
        host_lines_find(link->host.sandbox, arena, link->host.executable, &link->host.naming,
                        sites->lines, sites->count);
    }
}

/* A line of a site: 0 the innermost, 1 where that was called from. */
static struct host_place line_of(const struct site_list *sites, uint64_t site, size_t depth)
{
    const struct host_site *found =
        site > 0 && site <= sites->count ? &sites->lines[site - 1] : NULL;

    return found != NULL && depth < found->line_count
               ? (struct host_place){found->lines[depth].file, found->lines[depth].line}
               : (struct host_place){"", 0};
}

static struct host_place place_of(const struct site_list *sites, uint64_t site)
{
    return line_of(sites, site, 0);
}

static struct host_place outermost(const struct site_list *sites, uint64_t site)
{
    struct host_place place = place_of(sites, site);

    for (size_t depth = 1; depth < HOST_LINES_MAX; depth++) {
        const struct host_place outer = line_of(sites, site, depth);
        place = outer.line > 0 ? outer : place;
    }
    return place;
}

/* False if the program reported where it crashed, and that is not within the call that returns to
 * an address. As the stack ends within a call of the runtime, nothing tells it. */
static bool may_crash_within(const struct site_list *sites, uint64_t crash, uint64_t address)
{
    bool is_within = crash == 0 || crash > sites->count;

    for (size_t i = 0; !is_within && i < CLIENT_SITE_ADDRESSES; i++) {
        is_within = sites->records[crash - 1].addresses[i] == address;
    }
    return is_within;
}

/* The line in which the function that a site is in was called by itself, as far out as the site's
 * addresses tell, and in which the program crashed; line 0: there is none. */
static struct host_place recursion_of(const struct site_list *sites, uint64_t site, uint64_t crash)
{
    const size_t last = CLIENT_SITE_ADDRESSES - 1;
    const struct host_place place = line_of(sites, site, HOST_LINES_MAX - 1);
    const struct host_place inner = line_of(sites, site, HOST_LINES_MAX - 2);

    for (size_t i = 1; place.line > 0 && i < RECURSION_LEAST; i++) {
        const uint64_t *addresses = sites->records[site - 1].addresses;
        if (addresses[last] == 0 || addresses[last - i] != addresses[last] ||
            !may_crash_within(sites, crash, addresses[last])) {
            return (struct host_place){"", 0};
        }
    }
    return place.line == inner.line && strcmp(place.file, inner.file) == 0
               ? place
               : (struct host_place){"", 0};
}

/* Two sites may be in one function, such as a wrapper: how far out their lines begin to differ; 0
 * if they do not. */
static size_t depth_of_difference(const struct site_list *sites, uint64_t left, uint64_t right)
{
    for (size_t depth = 0; depth < HOST_LINES_MAX; depth++) {
        const struct host_place a = line_of(sites, left, depth);
        const struct host_place b = line_of(sites, right, depth);

        if (a.line > 0 && b.line > 0 && (a.line != b.line || strcmp(a.file, b.file) != 0)) {
            return depth;
        }
    }
    return 0;
}

/* Adds a line of host code to the places of a finding. */
static void add_place(struct finding *finding, const char *role, struct host_place place)
{
    if (place.line > 0 && finding->place_count < FINDING_PLACES_MAX) {
        finding->places[finding->place_count++] =
            (struct place){.role = role, .file = place.file, .line = place.line};
    }
}

/* True for a call of the driver: cuMemAlloc, but not cudaMalloc and cublasSgemm. */
static bool is_of_driver(const char *call)
{
    return strncmp(call, "cu", 2) == 0 && isupper((unsigned char)call[2]);
}

/* True for a call of a library, which answers with a status of its own that nobody sends:
 * cublasSgemm and nvrtcGetPTX, but not cuMemAlloc and cudaMalloc. */
static bool is_of_library(const char *call)
{
    return strncmp(call, "nvrtc", 5) == 0 ||
           (strncmp(call, "cu", 2) == 0 && !is_of_driver(call) && strncmp(call, "cuda", 4) != 0);
}

static struct call_error read_call_error(struct arena *arena, const struct site_list *sites,
                                         const struct control_call_error *packed)
{
    bool is_launch = packed->kernel[0] != '\0';
    const char *kernel = is_launch ? toolchain_plain_name(arena, packed->kernel) : "";
    const int code = driver_status_of(packed->cuda_error);
    const bool is_driver = !is_launch && is_of_driver(packed->call);
    static const enum code of_memory[CONTROL_CALL_MEMORY_END] = {
        [CONTROL_CALL_NO_MEMORY] = CODE_NONE,
        [CONTROL_CALL_OUTSIDE] = CODE_GLOBAL_OUT_OF_BOUNDS,
        [CONTROL_CALL_UNWRITTEN] = CODE_UNINITIALISED_GLOBAL,
    };

    return (struct call_error){
        .call = is_launch ? arena_printf(arena, "launch of `%s`", kernel)
                          : arena_strdup(arena, packed->call),
        .is_launch = is_launch,
        .is_fetched = packed->fetched != 0,
        .kernel = kernel,
        .is_unknown = packed->is_unknown != 0,
        .cuda_error = is_driver ? code : packed->cuda_error,
        .name = is_driver                                   ? driver_status_name(code)
                : !is_launch && is_of_library(packed->call) ? ""
                                                            : cuda_status_name(packed->cuda_error),
        .message = arena_strdup(arena, packed->message),
        .code = of_memory[packed->memory],
        .place = place_of(sites, packed->site),
        .count = packed->count,
    };
}

/* "the default stream", "stream 2": of those that the program makes, the first is number 1. */
static const char *stream_text(struct arena *arena, uint32_t stream)
{
    return stream == 0   ? "a graph"
           : stream == 1 ? "the default stream"
           : stream == 2 ? "the default stream of the thread"
                         : arena_printf(arena, "stream %" PRIu32, stream - 2);
}

/* "`scale`", "cudaMemcpyAsync()" */
static const char *work_text(struct arena *arena, const struct control_work *work)
{
    return work->kernel[0] != '\0'
               ? arena_printf(arena, "`%s`", toolchain_plain_name(arena, work->kernel))
               : arena_printf(arena, "%s()", work->call);
}

/* "host code reads memory that `fill` in the default stream may still write" */
static const char *host_race_message(struct arena *arena, const struct control_work works[2])
{
    static const char *const host[] = {"reads", "updates", "writes"};
    static const char *const stream[] = {"read", "update", "write"};

    return arena_printf(arena, "host code %s memory that %s in %s may still %s",
                        host[works[1].access], work_text(arena, &works[0]),
                        stream_text(arena, works[0].stream), stream[works[0].access]);
}

/* Work of two streams, or of one and host code, that nothing orders. */
static struct finding read_conflict(struct arena *arena, const struct site_list *sites,
                                    const struct control_conflict *conflict, const char *launch_id)
{
    const struct control_work *works = conflict->works;
    const size_t depth = depth_of_difference(sites, works[0].site, works[1].site);
    const bool is_host = works[1].call[0] == '\0';
    struct finding finding = {
        .code = is_host ? CODE_HOST_RACE : CODE_STREAM_RACE,
        .kernel = "",
        .launch = launch_id,
        .count = conflict->count,
        .message =
            is_host ? host_race_message(arena, works)
                    : arena_printf(arena,
                                   "%s in %s and %s in %s use the same %" PRIu64
                                   " byte%s, and nothing orders them",
                                   work_text(arena, &works[0]), stream_text(arena, works[0].stream),
                                   work_text(arena, &works[1]), stream_text(arena, works[1].stream),
                                   conflict->bytes, conflict->bytes == 1 ? "" : "s"),
    };

    for (size_t i = 0; i < 2; i++) {
        static const char *const roles[] = {"read", "atomic", "write"};
        const size_t before = finding.place_count;

        add_place(&finding, roles[works[i].access], line_of(sites, works[i].site, depth));
        if (finding.place_count > before) {
            finding.main_place = before;
        }
        if (finding.place_count > before && !(is_host && i == 1)) {
            finding.places[before].actor =
                arena_printf(arena, "%s in %s", work_text(arena, &works[i]),
                             stream_text(arena, works[i].stream));
        }
    }
    add_place(&finding, "allocated", place_of(sites, conflict->object_site));
    return finding;
}

static void read_leaks(struct arena *arena, const struct site_list *sites,
                       struct program_activity *activity)
{
    struct leak *leaks = arena_array(arena, sites->count, sizeof *leaks);
    size_t count = 0;

    for (size_t i = 0; i < sites->count; i++) {
        const struct control_site *record = &sites->records[i];
        if (record->live_allocations > 0) {
            leaks[count++] =
                (struct leak){place_of(sites, i + 1), record->live_allocations, record->live_bytes};
        }
    }
    activity->leaks = leaks;
    activity->leak_count = count;
}

static enum error read_log(const struct device_link *link, struct arena *arena,
                           const struct code_index *code, const struct message *log,
                           const char *launch_id, struct program_activity *activity)
{
    struct log_parts parts;

    if (!unpack_log(arena, log, &parts)) {
        return ERROR_INTERNAL;
    }
    find_lines(link, arena, &parts, log->words[8]);
    struct finding *findings =
        arena_array(arena, parts.finding_count + parts.conflict_count + 1, sizeof *findings);
    struct call_error *errors = arena_array(arena, parts.error_count, sizeof *errors);
    for (size_t i = 0; i < parts.finding_count; i++) {
        const struct finding_record *record = &parts.records[i];
        if (!finding_from_record(arena, code, launch_id, record, &findings[i])) {
            return ERROR_INTERNAL;
        }
        if (link->operands != NULL) {
            finding_name_operand(arena, link->operands, record, &findings[i]);
        }
        add_place(&findings[i], "allocated", place_of(&parts.sites, record->object_site));
        add_place(&findings[i], "freed", place_of(&parts.sites, record->freed_site));
    }
    for (size_t i = 0; i < parts.error_count; i++) {
        errors[i] = read_call_error(arena, &parts.sites, &parts.errors[i]);
    }
    for (size_t i = 0; i < parts.conflict_count; i++) {
        findings[parts.finding_count + i] =
            read_conflict(arena, &parts.sites, &parts.conflicts[i], launch_id);
    }
    if (link->host.wants_leaks) {
        read_leaks(arena, &parts.sites, activity);
    }
    for (const struct site_wish *wish = link->host.wishes; wish != NULL; wish = wish->next) {
        if (wish->places != NULL) {
            *wish->places = (struct host_places){place_of(&parts.sites, wish->site),
                                                 outermost(&parts.sites, wish->site)};
        }
        if (wish->finding != NULL) {
            add_place(wish->finding, wish->role, place_of(&parts.sites, wish->site));
        }
    }
    activity->findings = findings;
    activity->finding_count = parts.finding_count + parts.conflict_count;
    if (parts.streams.left_out > 0) {
        findings[activity->finding_count++] =
            (struct finding){.code = CODE_STREAM_RACE,
                             .message = finding_rest_message(arena, CODE_STREAM_RACE),
                             .kernel = "",
                             .launch = launch_id,
                             .count = parts.streams.left_out,
                             .is_rest = true};
    }
    activity->call_errors = errors;
    activity->call_error_count = parts.error_count;
    activity->streams = (struct stream_totals){parts.streams.work, parts.streams.bytes,
                                               parts.streams.longest, parts.streams.host_waits};
    activity->launch_total = log->words[0];
    activity->asked_times = log->words[4] != 0;
    activity->work = log->words[5];
    activity->crash = (struct host_place){"", 0};
    activity->recursion = (struct host_place){"", 0};
    if (activity->end.ending == ENDING_SIGNALLED) {
        activity->end.has_fault_address = log->words[6] != 0;
        activity->end.fault_address = log->words[3];
        activity->crash = place_of(&parts.sites, log->words[8] & UINT32_MAX);
        if (activity->end.signal == SIGSEGV) {
            activity->recursion =
                recursion_of(&parts.sites, log->words[8] >> 32, log->words[8] & UINT32_MAX);
        }
    }
    return ERROR_NONE;
}

struct finding device_link_crash(struct arena *arena, const char *launch_id, const char *kernel)
{
    return (struct finding){
        .code = CODE_DEVICE_CRASHED,
        .message = kernel[0] == '\0'
                       ? "the emulated device crashed while it ran the program"
                       : arena_printf(arena, "the emulated device crashed in `%s`", kernel),
        .kernel = kernel,
        .launch = launch_id,
        .count = 1,
    };
}

/* What is known of a device that was lost: a launch of the program did that. One that did not come
 * back is reported as the emulated device reports a deadline. */
static void report_loss(const struct device_link *link, struct arena *arena, const char *launch_id,
                        struct program_activity *activity)
{
    struct call_error *error = arena_array(arena, 1, sizeof *error);
    struct finding *finding = arena_array(arena, 1, sizeof *finding);

    bool is_full = link->loss == DEVICE_FULL;
    enum cuda_status status = is_full ? CUDA_STATUS_MEMORY_ALLOCATION : CUDA_STATUS_LAUNCH_TIMEOUT;
    *error = (struct call_error){
        .call = "launch",
        .is_launch = true,
        .kernel = "",
        .cuda_error = (int32_t)status,
        .name = cuda_status_name(status),
        .message = is_full ? "the emulated device reached its memory limit on this program"
                   : link->loss == DEVICE_SPENT
                       ? "the emulated device reached its processor time limit on the program's "
                         "launches"
                       : "the GPU does not return from a launch",
        .count = 1,
    };
    *finding = (struct finding){
        .code = CODE_DEVICE_TRAP,
        .message = "a launch ended the process that uses the GPU",
        .kernel = "",
        .launch = launch_id,
        .count = 1,
    };
    if (link->loss == DEVICE_CRASHED) {
        *finding = device_link_crash(arena, launch_id, "");
    }
    bool has_died = link->loss == DEVICE_DIED || link->loss == DEVICE_CRASHED;
    activity->call_errors = error;
    activity->call_error_count = has_died ? 0 : 1;
    activity->findings = finding;
    activity->finding_count = has_died ? 1 : 0;
}

enum error device_link_log(struct device_link *link, struct arena *arena,
                           const struct code_index *code, const char *launch_id,
                           struct program_activity *activity, struct diagnostic *diagnostic)
{
    struct message request = {.type = CONTROL_LOG};
    struct message log;
    enum error error = ERROR_NONE;

    if (link->loss == DEVICE_SERVES) {
        error = device_link_call(link, &request, &log, diagnostic);
    }
    if (link->loss != DEVICE_SERVES) {
        report_loss(link, arena, launch_id, activity);
        return ERROR_NONE;
    }
    if (error == ERROR_NONE) {
        error = read_log(link, arena, code, &log, launch_id, activity);
        if (error != ERROR_NONE) {
            diagnostic_set(diagnostic, BLAME_GRADER, "the device's log cannot be read");
        }
    }
    return error;
}
