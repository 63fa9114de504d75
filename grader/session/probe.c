/* probe.c: the samples of one held launch; see probe.h. */
#include "session/probe.h"

#include "base/rng.h"
#include "session/count_map.h"
#include "session/finding_map.h"
#include "session/inputs.h"
#include "session/operand_values.h"
#include "toolchain/toolchain.h"

#include <string.h>

/* The probes that a case may get, in their order. All but the last start from the snapshot. The
 * second one is made only of a launch whose first one depends on the order of its blocks. */
static const enum probe_kind sequence[] = {PROBE_EXACT, PROBE_REORDERED, PROBE_EXACT_SWAPPED,
                                           PROBE_FLOAT, PROBE_AGAIN};
enum { SEQUENCE_LENGTH = sizeof sequence / sizeof sequence[0] };

/* A number of no operand, for the random numbers of an order. */
enum { ORDER_STREAM = 1001 };

/* One probe that is being made. */
struct prober {
    struct connection *connection;
    const struct rubric_launch *launch;
    const struct bound_launch *bound;
    uint64_t stream;
    struct observation *observation;
    struct finding *findings; /* of the last launch */
    bool order_can_matter;    /* of the blocks, in the probe that asked */
};

enum error probe_read_findings(struct connection *connection, const struct rubric_launch *launch,
                               const struct operand_memories *operands, const uint8_t *bytes,
                               size_t count, struct finding **out_findings,
                               struct diagnostic *diagnostic)
{
    struct finding *findings = arena_array(connection->arena, count, sizeof *findings);
    for (size_t i = 0; i < count; i++) {
        struct finding_record record;
        if (!finding_record_unpack(bytes + i * FINDING_RECORD_BYTES, &record) ||
            !finding_from_record(connection->arena, &connection->code, launch->id, &record,
                                 &findings[i])) {
            diagnostic_set(diagnostic, BLAME_GRADER, "the device's findings cannot be read");
            return ERROR_PEER;
        }
        finding_name_operand(connection->arena, operands, &record, &findings[i]);
        connection_place_in(connection, record.freed_site, &findings[i], "freed");
        connection_place_in(connection, record.object_site, &findings[i], "allocated");
    }
    *out_findings = findings;
    return ERROR_NONE;
}

static enum error read_findings(struct prober *prober, const struct message *reply,
                                struct sample *sample, struct diagnostic *diagnostic)
{
    size_t count = (size_t)reply->words[2];

    if (count > reply->payload_bytes / FINDING_RECORD_BYTES) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the device's findings cannot be read");
        return ERROR_PEER;
    }
    enum error error =
        probe_read_findings(prober->connection, prober->launch, &prober->bound->operands,
                            reply->payload, count, &prober->findings, diagnostic);
    sample->findings = prober->findings;
    sample->finding_count = error == ERROR_NONE ? count : 0;
    return error;
}

enum error probe_find_variables(struct connection *connection, struct launch_counts *counts,
                                struct diagnostic *diagnostic)
{
    for (size_t i = 0; i < counts->other_count; i++) {
        const struct message find = {.type = CONTROL_FIND, .words = {counts->others[i].address}};
        struct message reply;
        enum error error = connection_call(connection, &find, &reply, diagnostic);

        if (error != ERROR_NONE && error != ERROR_NOT_FOUND) {
            return error;
        }
        counts->others[i].variable_bytes =
            error == ERROR_NONE && reply.words[2] == 1 ? reply.words[1] : 0;
        counts->others[i].place = connection_place(connection, counts->others[i].site);
    }
    return ERROR_NONE;
}

/* The counts come behind the findings. */
static enum error read_counts(struct prober *prober, const struct message *reply,
                              struct sample *sample, struct diagnostic *diagnostic)
{
    struct connection *connection = prober->connection;
    const struct count_source source = {
        .module = &connection->code.modules[prober->bound->module],
        .launch = prober->launch,
        .allocations = prober->bound->allocations,
    };
    size_t before = sample->finding_count * FINDING_RECORD_BYTES;
    size_t left = reply->payload_bytes - before;
    uint64_t count = reply->words[3];

    if (count > left / COUNT_RECORD_BYTES || left != count * COUNT_RECORD_BYTES ||
        !counts_from_bytes(connection->arena, &source, (const uint8_t *)reply->payload + before,
                           (size_t)count, &sample->counts)) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the device's counts cannot be read");
        return ERROR_PEER;
    }
    sample->counts.is_counted = reply->words[4] != 0;
    sample->counts.lane_instructions = reply->words[1];
    sample->counts.warp_instructions = reply->words[5];
    sample->counts.barrier_arrivals = reply->words[6];
    sample->counts.work = reply->words[7];
    return probe_find_variables(prober->connection, &sample->counts, diagnostic);
}

uint64_t probe_order_seed(const struct connection *connection, uint64_t stream)
{
    struct rng rng;

    rng_init(&rng, connection->config->seed, stream, PROBE_REORDERED, ORDER_STREAM);
    return rng_next(&rng) | 1;
}

static enum error run_launch(struct prober *prober, struct sample *sample,
                             struct diagnostic *diagnostic)
{
    static const enum sample_status statuses[] = {
        [LAUNCH_DONE] = SAMPLE_DONE,
        [LAUNCH_FAULT] = SAMPLE_FAULT,
        [LAUNCH_DEADLINE] = SAMPLE_DEADLINE,
        [LAUNCH_UNSUPPORTED] = SAMPLE_UNSUPPORTED,
    };
    struct message request = {
        .type = CONTROL_PROBE,
        .words = {sample->kind == PROBE_REORDERED
                      ? probe_order_seed(prober->connection, prober->stream)
                      : 0,
                  sample->kind == PROBE_EXACT},
    };
    struct message reply;
    enum error error = connection_call(prober->connection, &request, &reply, diagnostic);

    if (error != ERROR_NONE) {
        return error;
    }
    if (reply.words[0] >= sizeof statuses / sizeof statuses[0]) {
        diagnostic_set(diagnostic, BLAME_GRADER, "the device reports an unknown launch status");
        return ERROR_PEER;
    }
    sample->status = statuses[reply.words[0]];
    sample->instructions = reply.words[1];
    prober->order_can_matter = reply.words[8] != 0;
    error = read_findings(prober, &reply, sample, diagnostic);
    if (error == ERROR_NONE) {
        error = read_counts(prober, &reply, sample, diagnostic);
    }
    for (size_t i = 0; i < sample->finding_count && error == ERROR_NONE; i++) {
        finding_report_order(prober->connection->arena, &sample->counts, &prober->findings[i]);
    }
    return error;
}

void probe_note_lost(struct connection *connection, const struct rubric_launch *launch,
                     const char *kernel, struct sample *sample)
{
    enum device_loss loss = connection->link.loss;

    sample->status = loss == DEVICE_CRASHED                        ? SAMPLE_UNSUPPORTED
                     : loss == DEVICE_HUNG || loss == DEVICE_SPENT ? SAMPLE_DEADLINE
                                                                   : SAMPLE_FAULT;
    if (loss == DEVICE_CRASHED) {
        struct finding *finding = arena_alloc(connection->arena, sizeof *finding);
        *finding = device_link_crash(connection->arena, launch->id,
                                     toolchain_plain_name(connection->arena, kernel));
        sample->findings = finding;
        sample->finding_count = 1;
    }
}

static enum error probe_once(struct prober *prober, struct sample *sample,
                             struct diagnostic *diagnostic)
{
    const struct device_link *link = &prober->connection->link;
    const struct operand_values values = {prober->connection, prober->launch,
                                          prober->bound->addresses, prober->stream,
                                          prober->observation};
    enum error error = operand_values_write(&values, sample, diagnostic);

    if (error == ERROR_NONE) {
        error = run_launch(prober, sample, diagnostic);
    }
    if (error == ERROR_NONE && (!link->is_gpu || sample->status == SAMPLE_DONE)) {
        error = operand_values_read(&values, sample, diagnostic);
    }
    if (link->loss != DEVICE_SERVES) {
        probe_note_lost(prober->connection, prober->launch, prober->observation->kernel, sample);
        error = ERROR_NONE;
    }
    /* Of a GPU on which a launch did not come to its end, and of a lost device, nothing is read. */
    bool is_unreadable = link->is_gpu || link->loss != DEVICE_SERVES;
    if (error == ERROR_NONE && is_unreadable && sample->status != SAMPLE_DONE) {
        operand_values_lost(&values, sample);
    }
    return error;
}

/* Sends a request without words. One that a lost device does not answer is no error: the sample
 * tells of the loss. */
static enum error control_command(struct connection *connection, enum control_message type,
                                  struct diagnostic *diagnostic)
{
    struct message request = {.type = type};

    if (connection->link.loss != DEVICE_SERVES) {
        return ERROR_NONE;
    }
    enum error error = connection_call(connection, &request, NULL, diagnostic);
    return connection->link.loss == DEVICE_SERVES ? error : ERROR_NONE;
}

/* True if the inputs of a probe would be drawn as those of the probe before it. */
static bool is_drawn_alike(const struct rubric_launch *launch, enum probe_kind kind)
{
    bool has_float = false;

    for (size_t i = 0; i < launch->operand_count; i++) {
        has_float = has_float || (operand_has_values(&launch->operands[i]) &&
                                  element_is_float(launch->operands[i].type));
    }
    return (kind == PROBE_EXACT_SWAPPED && operand_input_count(launch) == 1) ||
           (kind == PROBE_FLOAT && !has_float);
}

/* How many probes the case of an observation asks for; 0: any number. */
static uint32_t probes_of(const struct rubric *rubric, const struct observation *observation)
{
    size_t index = observation->case_index;
    return index < rubric->case_count ? rubric->cases[index].probes : 0;
}

void probe_choose(const struct rubric *rubric, const struct rubric_launch *launch,
                  const struct observation *observation, enum probe_kind out_kinds[PROBES_MAX],
                  size_t *out_count)
{
    const uint32_t most = probes_of(rubric, observation); /* of other inputs each */
    size_t count = 0;
    uint32_t drawn = 0;

    for (size_t i = 0; i < SEQUENCE_LENGTH && (most == 0 || drawn < most); i++) {
        if (!is_drawn_alike(launch, sequence[i])) {
            drawn += sequence[i] == PROBE_REORDERED ? 0 : 1;
            out_kinds[count++] = sequence[i];
        }
    }
    *out_count = count;
}

enum error probe_run(struct connection *connection, const struct rubric_launch *launch,
                     const struct bound_launch *bound, uint64_t stream,
                     struct observation *observation, struct diagnostic *diagnostic)
{
    struct prober prober = {connection, launch, bound, stream, observation, NULL, false};
    struct sample *samples = arena_array(connection->arena, SEQUENCE_LENGTH, sizeof *samples);
    enum probe_kind kinds[PROBES_MAX];
    size_t count = 0;
    bool stopped = false;
    enum error error = control_command(connection, CONTROL_SNAPSHOT, diagnostic);

    probe_choose(connection->config->rubric, launch, observation, kinds, &count);
    for (size_t i = 0; i < count && error == ERROR_NONE && !stopped; i++) {
        struct sample *sample = &samples[observation->sample_count];
        if (kinds[i] == PROBE_REORDERED && !prober.order_can_matter) {
            continue;
        }
        sample->kind = kinds[i];
        if (i > 0 && kinds[i] != PROBE_AGAIN) {
            error = control_command(connection, CONTROL_RESTORE, diagnostic);
        }
        if (error == ERROR_NONE) {
            error = probe_once(&prober, sample, diagnostic);
            observation->sample_count++;
            stopped = sample->status != SAMPLE_DONE;
        }
    }
    observation->samples = samples;
    if (error == ERROR_NONE) {
        error = control_command(connection, CONTROL_RESTORE, diagnostic);
    }
    if (error == ERROR_NONE) {
        error = control_command(connection, CONTROL_DISCARD, diagnostic);
    }
    return error;
}
