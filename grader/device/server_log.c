/* server_log.c: what happened on the program's own data: findings of its launches and calls that
 * failed.
 *
 * Equal entries are merged and counted, so a loop of bad launches takes one entry. Two call errors
 * are equal if nothing but their count differs; once the program has asked for an error, the next
 * one of that kind is an entry of its own until it is asked for too.
 */
#include "device/server_state.h"

#include <stdlib.h>
#include <string.h>

/* Distinct entries; a program of thousands of lines does not reach them. */
enum { FINDINGS_MAX = 4096, ERRORS_MAX = 256 };

static bool same_place(const struct finding_record_place *a, const struct finding_record_place *b)
{
    return a->access == b->access && a->file == b->file && a->line == b->line &&
           a->column == b->column && a->inlined_file == b->inlined_file &&
           a->inlined_line == b->inlined_line && a->inlined_column == b->inlined_column;
}

static bool same_finding(const struct finding_record *a, const struct finding_record *b)
{
    return a->kind == b->kind && a->module == b->module && a->function == b->function &&
           a->place_count == b->place_count && same_place(&a->places[0], &b->places[0]) &&
           same_place(&a->places[1], &b->places[1]) &&
           strncmp(a->text, b->text, sizeof(a->text)) == 0;
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

static void log_finding(struct server_log *log, const struct finding_record *finding)
{
    for (size_t i = 0; i < log->finding_count; i++) {
        if (same_finding(&log->findings[i], finding)) {
            log->findings[i].count += finding->count;
            return;
        }
    }
    if (log->finding_count == FINDINGS_MAX) {
        return;
    }
    log->findings =
        grow(log->findings, &log->finding_capacity, log->finding_count + 1, sizeof(*log->findings));
    log->findings[log->finding_count++] = *finding;
}

void server_log_findings(struct server_log *log, const struct finding_record *findings,
                         size_t count)
{
    for (size_t i = 0; i < count; i++) {
        log_finding(log, &findings[i]);
    }
}

static bool same_error(const struct control_call_error *a, const struct control_call_error *b)
{
    return a->cuda_error == b->cuda_error && a->is_unknown == b->is_unknown &&
           a->fetched == b->fetched && strcmp(a->call, b->call) == 0 &&
           strcmp(a->kernel, b->kernel) == 0 && strcmp(a->message, b->message) == 0;
}

void server_log_error(struct server_log *log, const struct control_call_error *error)
{
    for (size_t i = 0; i < log->error_count; i++) {
        if (same_error(&log->errors[i], error)) {
            log->errors[i].count += error->count;
            return;
        }
    }
    if (log->error_count == ERRORS_MAX) {
        log->errors_left_out += error->count;
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

void server_log_pack(const struct server_log *log, struct text *out_bytes,
                     size_t *out_finding_count, size_t *out_error_count)
{
    for (size_t i = 0; i < log->finding_count; i++) {
        uint8_t record[FINDING_RECORD_BYTES];

        finding_record_pack(&log->findings[i], record);
        text_append_bytes(out_bytes, record, sizeof(record));
    }
    *out_finding_count = log->finding_count;
    for (size_t i = 0; i < log->error_count; i++) {
        control_call_error_pack(&log->errors[i], out_bytes);
    }
    *out_error_count = log->error_count;
    if (log->errors_left_out > 0) {
        struct control_call_error rest = {
            .call = "more calls",
            .cuda_error = CUDA_STATUS_UNKNOWN,
            .count = log->errors_left_out,
            .message = "further errors of other kinds, not listed",
        };

        control_call_error_pack(&rest, out_bytes);
        *out_error_count += 1;
    }
}

void server_log_release(struct server_log *log)
{
    free(log->findings);
    free(log->errors);
}
