/* fuzz_wire_message.c: bytes as a header of either table, as payload records, and as what arrives
 * on a channel. Whatever is accepted must be the same after it was packed again. */
#include "base/process.h"
#include "wire/client.h"
#include "wire/control.h"
#include "wire/count_record.h"
#include "wire/finding_record.h"
#include "wire/message.h"
#include "wire/timing_record.h"
#include "wire/trace_record.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void try_header(const uint8_t *bytes, bool is_reply,
                       const struct message_format *(*format)(uint32_t type))
{
    uint8_t again[MESSAGE_HEADER_BYTES];
    struct message message;

    if (message_header_unpack(bytes, is_reply, format, &message, NULL) == ERROR_NONE) {
        message_header_pack(&message, again);
        if (memcmp(bytes, again, sizeof(again)) != 0) {
            abort();
        }
    }
}

static void try_finding(const uint8_t *bytes)
{
    struct finding_record record, same;
    uint8_t again[FINDING_RECORD_BYTES];

    if (finding_record_unpack(bytes, &record)) {
        finding_record_pack(&record, again);
        if (!finding_record_unpack(again, &same) || same.count != record.count ||
            strcmp(same.text, record.text) != 0) {
            abort();
        }
    }
}

static void try_counts(const uint8_t *bytes)
{
    struct count_record record;
    uint8_t again[COUNT_RECORD_BYTES];

    if (count_record_unpack(bytes, &record)) {
        count_record_pack(&record, again);
        if (memcmp(bytes, again, sizeof(again)) != 0) {
            abort();
        }
    }
}

static void try_trace(const uint8_t *bytes)
{
    struct trace_record record;
    struct finding_record_place place;
    uint8_t again[TRACE_RECORD_BYTES];

    if (trace_record_unpack(bytes, &record)) {
        trace_record_pack(&record, again);
        if (memcmp(bytes, again, sizeof(again)) != 0) {
            abort();
        }
    }
    trace_place_unpack(bytes, &place);
    trace_place_pack(&place, again);
    if (memcmp(bytes, again, TRACE_PLACE_BYTES) != 0) {
        abort();
    }
}

static void try_timing(const uint8_t *bytes, size_t length)
{
    static struct timing_request request;
    struct timing_sample sample;
    uint8_t again[TIMING_SAMPLE_BYTES];
    struct text packed;

    text_init(&packed);
    if (timing_request_unpack(bytes, length, &request)) {
        timing_request_pack(&request, &packed);
        if (packed.length != length || memcmp(packed.bytes, bytes, length) != 0) {
            abort();
        }
    }
    text_release(&packed);
    if (length >= TIMING_SAMPLE_BYTES && timing_sample_unpack(bytes, &sample)) {
        timing_sample_pack(&sample, again);
        if (memcmp(bytes, again, sizeof(again)) != 0) {
            abort();
        }
    }
}

static void try_records(const uint8_t *bytes, size_t length)
{
    struct control_resources resources;
    struct control_call_error error;
    struct control_gpu gpu;
    struct device_properties properties;
    size_t cursor = 0;

    while (control_resources_unpack(bytes, length, &cursor, &resources)) {
    }
    cursor = 0;
    while (control_call_error_unpack(bytes, length, &cursor, &error)) {
    }
    cursor = 0;
    while (control_gpu_unpack(bytes, length, &cursor, &gpu)) {
    }
    device_properties_unpack(bytes, length, &properties);
}

/* A peer that writes the bytes and closes. */
static void try_channel(const uint8_t *bytes, size_t length)
{
    struct channel channel;
    struct message message;
    int fds[2];

    if (socket_pair(fds, NULL) != ERROR_NONE) {
        return;
    }
    if (send(fds[0], bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0) {
        close(fds[0]);
        channel_init(&channel, fds[1], client_format);
        while (channel_receive(&channel, false, 0, &message, NULL) == ERROR_NONE) {
        }
        channel_release(&channel);
    } else {
        close(fds[0]);
    }
    close(fds[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    if (length >= MESSAGE_HEADER_BYTES) {
        try_header(bytes, false, client_format);
        try_header(bytes, true, client_format);
        try_header(bytes, false, control_format);
        try_header(bytes, true, control_format);
    }
    if (length >= FINDING_RECORD_BYTES) {
        try_finding(bytes);
    }
    if (length >= COUNT_RECORD_BYTES) {
        try_counts(bytes);
    }
    if (length >= TRACE_RECORD_BYTES) {
        try_trace(bytes);
    }
    try_timing(bytes, length);
    try_records(bytes, length);
    if (length <= 64 * 1024) {
        try_channel(bytes, length);
    }
    return 0;
}
