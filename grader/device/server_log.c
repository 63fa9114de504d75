/* server_log.c: what happened on the program's own data: findings of its launches and calls that
 * failed.
 *
 * Equal entries are merged and counted, so a loop of bad launches takes one entry. Of each kind of
 * finding finding_room.h says which are kept. Launches, unknown calls and other calls have
 * ERRORS_MAX entries each, so none displaces another; what is left out of each is counted. Two call
 * errors are equal if nothing but their count differs; once the program has asked for an error, the
 * next one of that kind is an entry of its own until it is asked for too.
 */
#include "device/server_state.h"

#include <stdlib.h>
#include <string.h>

enum { ERRORS_MAX = 128 }; /* distinct ones, of each class */

/* A step of a hash (FNV-1a) of what comes after the first line of a finding's key. */
static uint64_t hash_number(uint64_t hash, uint64_t number)
{
    return (hash ^ number) * UINT64_C(0x100000001b3);
}

static uint64_t hash_place(const struct finding_record_place *place)
{
    const uint32_t numbers[] = {place->access,        place->file,         place->line,
                                place->column,        place->inlined_file, place->inlined_line,
                                place->inlined_column};
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        hash = hash_number(hash, numbers[i]);
    }
    return hash;
}

static uint64_t hash_text(uint64_t hash, const char *text, size_t size)
{
    for (size_t i = 0; i < size && text[i] != '\0'; i++) {
        hash = hash_number(hash, (unsigned char)text[i]);
    }
    return hash;
}

static struct finding_key key_of(const struct finding_record *finding)
{
    const struct finding_record_place *first = &finding->places[0];
    uint64_t code = (uint64_t)finding->module << 32 | finding->function;
    uint64_t line = (uint64_t)first->file << 32 | first->line;
    return (struct finding_key){
        .line = (code * UINT64_C(0x9e3779b97f4a7c15)) ^ line,
        .parts = {code, line, (uint64_t)first->column << 32 | first->access, hash_place(first),
                  hash_place(&finding->places[1]),
                  hash_text(finding->place_count, finding->text, sizeof(finding->text))},
    };
}

static void *grow(void *items, size_t *capacity, size_t needed, size_t item_bytes)
{
    if (needed <= *capacity) {
        return items;
    }
    size_t larger = *capacity < 16 ? 16 : *capacity * 2;
    void *grown = realloc(items, larger * item_bytes);
    if (grown == NULL) {
        abort();
    }
    *capacity = larger;
    return grown;
}

/* Counts a record's findings as left out of its kind. */
static void leave_out(struct server_log *log, const struct finding_record *finding)
{
    struct finding_record *rest = &log->rests[finding->kind];
    uint64_t count = rest->count + finding->count;

    if (rest->count == 0) {
        *rest = (struct finding_record){
            .kind = finding->kind, .module = finding->module, .function = finding->function};
    }
    rest->count = count < finding->count ? UINT64_MAX : count;
}

static void log_finding(struct server_log *log, const struct finding_record *finding)
{
    struct finding_key key = key_of(finding);
    struct server_finding **findings = &log->findings[finding->kind];
    size_t slot = finding_room_find(&log->room, finding->kind, &key);
    bool is_taken = false;

    if (slot != FINDING_ROOM) {
        (*findings)[slot].record.count += finding->count;
        return;
    }
    slot = finding_room_take(&log->room, finding->kind, &key, &is_taken);
    if (slot == FINDING_ROOM) {
        leave_out(log, finding);
        return;
    }
    if (*findings == NULL) {
        *findings = calloc(FINDING_ROOM, sizeof(**findings));
        if (*findings == NULL) {
            abort();
        }
    }
    if (is_taken) {
        leave_out(log, &(*findings)[slot].record);
    }
    (*findings)[slot] = (struct server_finding){.record = *finding, .number = log->numbers++};
}

void server_log_findings(struct server_log *log, const struct finding_record *findings,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        (findings[i].place_count == 0 ? leave_out : log_finding)(log, &findings[i]);
    }
}

static bool same_error(const struct control_call_error *a, const struct control_call_error *b)
{
    return a->cuda_error == b->cuda_error && a->is_unknown == b->is_unknown &&
           a->fetched == b->fetched && a->site == b->site && strcmp(a->call, b->call) == 0 &&
           strcmp(a->kernel, b->kernel) == 0 && strcmp(a->message, b->message) == 0;
}

static enum server_call_class class_of(const struct control_call_error *error)
{
    if (error->kernel[0] != '\0' || strcmp(error->call, "launch") == 0) {
        return SERVER_CALL_LAUNCH;
    }
    return error->memory != CONTROL_CALL_NO_MEMORY ? SERVER_CALL_MEMORY
           : error->is_unknown != 0                ? SERVER_CALL_UNKNOWN
                                                   : SERVER_CALL_OTHER;
}

void server_log_error(struct server_log *log, const struct control_call_error *error)
{
    for (size_t i = 0; i < log->error_count; i++) {
        if (same_error(&log->errors[i], error)) {
            log->errors[i].count += error->count;
            return;
        }
    }
    size_t of_class = 0;
    for (size_t i = 0; i < log->error_count; i++) {
        of_class += class_of(&log->errors[i]) == class_of(error);
    }
    if (of_class == ERRORS_MAX) {
        log->errors_left_out[class_of(error)] += error->count;
        return;
    }
    log->errors =
        grow(log->errors, &log->error_capacity, log->error_count + 1, sizeof(*log->errors));
    log->errors[log->error_count++] = *error;
}

void server_log_fetched(struct server_log *log)
{
    size_t count = log->error_count;

    /* Each entry is put back marked; the list never overtakes what is still to be read. */
    log->error_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct control_call_error error = log->errors[i];

        error.fetched = 1;
        server_log_error(log, &error);
    }
}

static int compare_numbers(const void *left, const void *right)
{
    const struct server_finding *a = *(const struct server_finding *const *)left;
    const struct server_finding *b = *(const struct server_finding *const *)right;

    return a->number < b->number ? -1 : a->number > b->number;
}

static void pack_record(const struct finding_record *finding, struct text *out_bytes, size_t *count)
{
    uint8_t record[FINDING_RECORD_BYTES];

    finding_record_pack(finding, record);
    text_append_bytes(out_bytes, record, sizeof(record));
    ++*count;
}

/* Packs the findings in the order in which they came, then what is left out of each kind. */
static void pack_findings(const struct server_log *log, struct text *out_bytes, size_t *out_count)
{
    const struct server_finding *sorted[FINDING_RECORDS_MAX] = {NULL};
    size_t count = 0;

    for (uint32_t kind = 1; kind < FINDING_RECORD_KIND_END; kind++) {
        for (size_t i = 0; i < log->room.counts[kind]; i++) {
            sorted[count++] = &log->findings[kind][i];
        }
    }
    qsort(sorted, count, sizeof(sorted[0]), compare_numbers);
    *out_count = 0;
    for (size_t i = 0; i < count; i++) {
        pack_record(&sorted[i]->record, out_bytes, out_count);
    }
    for (uint32_t kind = 1; kind < FINDING_RECORD_KIND_END; kind++) {
        if (log->rests[kind].count > 0) {
            pack_record(&log->rests[kind], out_bytes, out_count);
        }
    }
}

/* An entry for the calls of a class that are not listed. */
static struct control_call_error rest_of_class(enum server_call_class of, uint64_t count)
{
    struct control_call_error rest = {
        .call = "more calls",
        .cuda_error = CUDA_STATUS_UNKNOWN,
        .is_unknown = of == SERVER_CALL_UNKNOWN,
        .count = count,
        .message = "other errors, not listed",
    };

    if (of == SERVER_CALL_LAUNCH) {
        memcpy(rest.call, "launch", sizeof("launch"));
        memcpy(rest.kernel, "others", sizeof("others"));
    }
    return rest;
}

void server_log_pack(const struct server_log *log, struct text *out_bytes,
                     size_t *out_finding_count, size_t *out_error_count)
{
    pack_findings(log, out_bytes, out_finding_count);
    for (size_t i = 0; i < log->error_count; i++) {
        control_call_error_pack(&log->errors[i], out_bytes);
    }
    *out_error_count = log->error_count;
    for (unsigned of = 0; of < SERVER_CALL_CLASSES; of++) {
        if (log->errors_left_out[of] > 0) {
            struct control_call_error rest =
                rest_of_class((enum server_call_class)of, log->errors_left_out[of]);

            control_call_error_pack(&rest, out_bytes);
            *out_error_count += 1;
        }
    }
}

void server_log_release(struct server_log *log)
{
    finding_room_release(&log->room);
    for (size_t kind = 0; kind < FINDING_RECORD_KIND_END; kind++) {
        free(log->findings[kind]);
    }
    free(log->errors);
}
