/* timing_record.c: lays requests and samples of a timing out and reads them back.
 *
 *   request    seed u64, tolerance f64, then u32 each: block_count, launches_per_span, judged,
 *              reference, baseline, comparison, operand_count, contender_count;
 *              its operands, its contenders
 *   operand    type u32, is_output u32, elements u64
 *   contender  module, function, grid[3], block[3], dynamic_shared_bytes, is_cooperative,
 *              parameter_bytes, u32 each; addresses[TIMING_OPERANDS_MAX], u64 each; its parameters
 *   sample     block, contender, position, flags (1: is_compared, 2: is_delayed), u32 each;
 *              nanoseconds f64, clock_mhz f64; wrong, first_wrong, changed, u64 each
 */
#include "wire/timing_record.h"

#include "wire/little_endian.h"

#include <math.h>
#include <string.h>

/* Elements of an operand: more than any device holds, and no product with a size overflows. */
#define ELEMENTS_MAX (UINT64_C(1) << 40)

enum { COUNTS = 8, SHAPE_NUMBERS = 11 };

/* Of a sample. */
enum { FLAG_COMPARED = 1, FLAG_DELAYED = 2, FLAGS_ALL = 3 };

/* What is still to be read; after a failure everything reads as 0. */
struct record_reader {
    const uint8_t *bytes;
    size_t left;
    bool failed;
};

static void put_u32(struct text *out, uint32_t value)
{
    uint8_t bytes[4];

    little_put_u32(bytes, value);
    text_append_bytes(out, bytes, sizeof bytes);
}

static void put_u64(struct text *out, uint64_t value)
{
    uint8_t bytes[8];

    little_put_u64(bytes, value);
    text_append_bytes(out, bytes, sizeof bytes);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static const uint8_t *take(struct record_reader *reader, size_t length)
{
    const uint8_t *bytes = reader->bytes;

    if (reader->failed || reader->left < length) {
        reader->failed = true;
        return NULL;
    }
    reader->bytes += length;
    reader->left -= length;
    return bytes;
}

static uint32_t take_u32(struct record_reader *reader)
{
    const uint8_t *bytes = take(reader, 4);

    return bytes == NULL ? 0 : little_get_u32(bytes);
}

static uint64_t take_u64(struct record_reader *reader)
{
    const uint8_t *bytes = take(reader, 8);

    return bytes == NULL ? 0 : little_get_u64(bytes);
}

static bool take_bool(struct record_reader *reader)
{
    uint32_t value = take_u32(reader);

    reader->failed = reader->failed || value > 1;
    return value == 1;
}

static void pack_contender(const struct timing_contender *contender, struct text *out)
{
    const uint32_t numbers[SHAPE_NUMBERS] = {
        contender->module,         contender->function,        contender->grid[0],
        contender->grid[1],        contender->grid[2],         contender->block[0],
        contender->block[1],       contender->block[2],        contender->dynamic_shared_bytes,
        contender->is_cooperative, contender->parameter_bytes,
    };

    for (size_t i = 0; i < SHAPE_NUMBERS; i++) {
        put_u32(out, numbers[i]);
    }
    for (size_t i = 0; i < TIMING_OPERANDS_MAX; i++) {
        put_u64(out, contender->addresses[i]);
    }
    text_append_bytes(out, contender->parameters, contender->parameter_bytes);
}

void timing_request_pack(const struct timing_request *request, struct text *out)
{
    const uint32_t counts[COUNTS] = {
        request->block_count,   request->launches_per_span, request->judged,
        request->reference,     request->baseline,          request->comparison,
        request->operand_count, request->contender_count,
    };

    put_u64(out, request->seed);
    put_u64(out, bits_of(request->tolerance));
    for (size_t i = 0; i < COUNTS; i++) {
        put_u32(out, counts[i]);
    }
    for (size_t i = 0; i < request->operand_count; i++) {
        put_u32(out, request->operands[i].type);
        put_u32(out, request->operands[i].is_output);
        put_u64(out, request->operands[i].elements);
    }
    for (size_t i = 0; i < request->contender_count; i++) {
        pack_contender(&request->contenders[i], out);
    }
}

static void read_operand(struct record_reader *reader, struct timing_operand *out_operand)
{
    out_operand->type = take_u32(reader);
    out_operand->is_output = take_bool(reader);
    out_operand->elements = take_u64(reader);
    reader->failed = reader->failed || out_operand->type > TIMING_U32 ||
                     out_operand->elements == 0 || out_operand->elements > ELEMENTS_MAX;
}

static void read_contender(struct record_reader *reader, struct timing_contender *out_contender)
{
    out_contender->module = take_u32(reader);
    out_contender->function = take_u32(reader);
    for (size_t i = 0; i < 3; i++) {
        out_contender->grid[i] = take_u32(reader);
    }
    for (size_t i = 0; i < 3; i++) {
        out_contender->block[i] = take_u32(reader);
    }
    out_contender->dynamic_shared_bytes = take_u32(reader);
    out_contender->is_cooperative = take_bool(reader);
    out_contender->parameter_bytes = take_u32(reader);
    for (size_t i = 0; i < TIMING_OPERANDS_MAX; i++) {
        out_contender->addresses[i] = take_u64(reader);
    }
    if (out_contender->parameter_bytes > TIMING_PARAMETERS_MAX) {
        reader->failed = true;
        return;
    }
    const uint8_t *parameters = take(reader, out_contender->parameter_bytes);
    if (parameters != NULL) {
        memcpy(out_contender->parameters, parameters, out_contender->parameter_bytes);
    }
}

/* The counts, and what they say of each other. */
static bool is_consistent(const struct timing_request *request)
{
    return isfinite(request->tolerance) && request->tolerance >= 0 && request->block_count >= 1 &&
           request->block_count <= TIMING_BLOCKS_MAX && request->launches_per_span >= 1 &&
           request->operand_count >= 1 && request->operand_count <= TIMING_OPERANDS_MAX &&
           request->contender_count >= 1 && request->contender_count <= TIMING_CONTENDERS_MAX &&
           request->judged < request->contender_count &&
           request->reference < request->contender_count &&
           request->baseline < request->contender_count && request->comparison <= TIMING_MAGNITUDES;
}

/* Magnitudes are compared of floats alone. */
static bool can_compare(const struct timing_request *request)
{
    for (size_t i = 0; i < request->operand_count; i++) {
        if (request->operands[i].is_output && request->operands[i].type != TIMING_F32 &&
            request->comparison == TIMING_MAGNITUDES) {
            return false;
        }
    }
    return true;
}

bool timing_request_unpack(const uint8_t *bytes, size_t length, struct timing_request *out_request)
{
    struct record_reader reader = {.bytes = bytes, .left = length};
    struct timing_request request = {.seed = 0};

    request.seed = take_u64(&reader);
    request.tolerance = double_of(take_u64(&reader));
    request.block_count = take_u32(&reader);
    request.launches_per_span = take_u32(&reader);
    request.judged = take_u32(&reader);
    request.reference = take_u32(&reader);
    request.baseline = take_u32(&reader);
    request.comparison = take_u32(&reader);
    request.operand_count = take_u32(&reader);
    request.contender_count = take_u32(&reader);
    if (reader.failed || !is_consistent(&request)) {
        return false;
    }
    for (size_t i = 0; i < request.operand_count; i++) {
        read_operand(&reader, &request.operands[i]);
    }
    for (size_t i = 0; i < request.contender_count; i++) {
        read_contender(&reader, &request.contenders[i]);
    }
    if (reader.failed || reader.left != 0 || !can_compare(&request)) {
        return false;
    }
    *out_request = request;
    return true;
}

void timing_sample_pack(const struct timing_sample *sample, uint8_t out[TIMING_SAMPLE_BYTES])
{
    little_put_u32(out, sample->block);
    little_put_u32(out + 4, sample->contender);
    little_put_u32(out + 8, sample->position);
    little_put_u32(out + 12, (sample->is_compared ? (uint32_t)FLAG_COMPARED : 0) |
                                 (sample->is_delayed ? (uint32_t)FLAG_DELAYED : 0));
    little_put_u64(out + 16, bits_of(sample->nanoseconds));
    little_put_u64(out + 24, bits_of(sample->clock_mhz));
    little_put_u64(out + 32, sample->wrong);
    little_put_u64(out + 40, sample->first_wrong);
    little_put_u64(out + 48, sample->changed);
}

bool timing_sample_unpack(const uint8_t bytes[TIMING_SAMPLE_BYTES],
                          struct timing_sample *out_sample)
{
    const uint32_t flags = little_get_u32(bytes + 12);
    const struct timing_sample sample = {
        .block = little_get_u32(bytes),
        .contender = little_get_u32(bytes + 4),
        .position = little_get_u32(bytes + 8),
        .is_compared = (flags & FLAG_COMPARED) != 0,
        .is_delayed = (flags & FLAG_DELAYED) != 0,
        .nanoseconds = double_of(little_get_u64(bytes + 16)),
        .clock_mhz = double_of(little_get_u64(bytes + 24)),
        .wrong = little_get_u64(bytes + 32),
        .first_wrong = little_get_u64(bytes + 40),
        .changed = little_get_u64(bytes + 48),
    };

    if (sample.block >= TIMING_BLOCKS_MAX || sample.contender >= TIMING_CONTENDERS_MAX ||
        sample.position >= 2 * TIMING_CONTENDERS_MAX || flags > FLAGS_ALL ||
        !isfinite(sample.nanoseconds) || sample.nanoseconds < 0 || !isfinite(sample.clock_mhz) ||
        sample.clock_mhz < 0) {
        return false;
    }
    *out_sample = sample;
    return true;
}
