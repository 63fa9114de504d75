/* server_timing.c: the grader's requests that concern real GPUs: which there are, and how long
 * launches take. */
#include "device/server_state.h"

#include <string.h>

enum error server_list_gpus(struct server *server, const struct message *request,
                            struct message *reply, struct diagnostic *diagnostic)
{
    const size_t most = control_format(CONTROL_GPUS)->reply_payload_max;
    size_t count = 0;

    (void)request;
    if (server->devices->list_gpus == NULL) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT, "this device process cannot use a real GPU");
        return ERROR_ENVIRONMENT;
    }
    text_clear(&server->bytes);
    enum error error = server->devices->list_gpus(&server->bytes, &count, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    if (server->bytes.length > most) {
        diagnostic_set(diagnostic, BLAME_ENVIRONMENT,
                       "%zu GPUs are more than can be listed; show fewer of them with "
                       "CUDA_VISIBLE_DEVICES",
                       count);
        return ERROR_ENVIRONMENT;
    }
    reply->words[0] = count;
    reply->payload = server->bytes.bytes;
    reply->payload_bytes = server->bytes.length;
    return ERROR_NONE;
}

/* Appends samples, then as many findings as fit. */
static size_t pack_timing(struct server *server, const struct device_timing_result *result)
{
    const size_t most = control_format(CONTROL_TIME)->reply_payload_max;
    size_t findings = 0;

    text_clear(&server->bytes);
    for (size_t i = 0; i < result->sample_count; i++) {
        uint8_t record[TIMING_SAMPLE_BYTES];

        timing_sample_pack(&result->samples[i], record);
        text_append_bytes(&server->bytes, record, sizeof(record));
    }
    while (findings < result->finding_count &&
           server->bytes.length + FINDING_RECORD_BYTES <= most) {
        uint8_t record[FINDING_RECORD_BYTES];

        finding_record_pack(&result->findings[findings++], record);
        text_append_bytes(&server->bytes, record, sizeof(record));
    }
    return findings;
}

enum error server_time(struct server *server, const struct message *request, struct message *reply,
                       struct diagnostic *diagnostic)
{
    struct device_timing_result result = {.status = LAUNCH_DONE};
    struct timing_request timing;

    if (server->step != SERVER_STEP_LAUNCH && server->step != SERVER_STEP_MARKER) {
        diagnostic_set(diagnostic, BLAME_GRADER,
                       "neither a launch nor a mark is held, so nothing can be timed");
        return ERROR_INTERNAL;
    }
    if (!timing_request_unpack(request->payload, request->payload_bytes, &timing)) {
        diagnostic_set(diagnostic, BLAME_GRADER, "%zu bytes that are not a timing request",
                       request->payload_bytes);
        return ERROR_SYNTAX;
    }
    enum error error =
        device_measure(server->device, &timing, &server->limits, &result, diagnostic);
    if (error != ERROR_NONE) {
        return error;
    }
    server_note_end(server, result.status);
    if (result.sample_count > TIMING_SAMPLES_MAX) {
        diagnostic_set(diagnostic, BLAME_GRADER, "%zu samples; at most %d are allowed",
                       result.sample_count, TIMING_SAMPLES_MAX);
        return ERROR_INTERNAL;
    }
    reply->words[0] = result.status;
    reply->words[1] = result.contender;
    reply->words[2] = result.sample_count;
    reply->words[3] = pack_timing(server, &result);
    reply->words[4] = (uint64_t)result.copy_bandwidth;
    reply->payload = server->bytes.bytes;
    reply->payload_bytes = server->bytes.length;
    return ERROR_NONE;
}
