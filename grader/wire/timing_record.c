/* timing_record.c: lays requests and samples of a timing out and reads them back.
 *
 *   request    seed u64, then u32 each: block_count, launches_per_span, judged, reference,
 *              baseline, operand_count, contender_count, restores_judged; its operands, its
 *              contenders
 *   operand    type, is_output, is_in_place, is_scratch, is_zeroed, comparison, counter, u32 each;
 *              elements, copy_of, copy_of_absolute, u64 each; least, most, tolerance, absolute,
 *              share, f64 each
 *   contender  scratch_count, step_count, parameter_bytes, u32 each;
 *              addresses[TIMING_OPERANDS_MAX], u64 each; scratch ranges, address and bytes u64
 *              each; its steps; its parameters
 *   step       kind, module, function, grid[3], block[3], dynamic_shared_bytes, is_cooperative,
 *              parameter_bytes, value, u32 each; to, from, bytes, u64 each
 *   sample     block, contender, position, flags (1: is_compared, 2: is_delayed), u32 each;
 *              nanoseconds f64, clock_mhz f64; wrong, first_wrong, changed, u64 each
 */
#include "wire/timing_record.h"

#include "wire/little_endian.h"

#include <math.h>
#include <string.h>

/* Elements of an operand: more than any device holds, and no product with a size overflows. */
#define ELEMENTS_MAX (UINT64_C(1) << 40)

enum { COUNTS = 8, STEP_NUMBERS = 13, OPERAND_NUMBERS = 7 };

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

bool timing_add_launch(struct timing_contender *contender, const struct timing_step *step,
                       const void *parameters)
{
    const uint32_t at = timing_parameters_at(contender->parameter_bytes);

    if (contender->step_count == TIMING_STEPS_MAX || at > TIMING_PARAMETERS_MAX ||
        step->parameter_bytes > TIMING_PARAMETERS_MAX - at) {
        return false;
    }
    if (step->parameter_bytes > 0) {
        memcpy(contender->parameters + at, parameters, step->parameter_bytes);
    }
    contender->parameter_bytes = at + step->parameter_bytes;
    contender->steps[contender->step_count++] = *step;
    return true;
}

static void pack_step(const struct timing_step *step, struct text *out)
{
    const uint32_t numbers[STEP_NUMBERS] = {
        step->kind,           step->module,
        step->function,       step->grid[0],
        step->grid[1],        step->grid[2],
        step->block[0],       step->block[1],
        step->block[2],       step->dynamic_shared_bytes,
        step->is_cooperative, step->parameter_bytes,
        step->value,
    };

    for (size_t i = 0; i < STEP_NUMBERS; i++) {
        put_u32(out, numbers[i]);
    }
    put_u64(out, step->to);
    put_u64(out, step->from);
    put_u64(out, step->bytes);
}

static void pack_contender(const struct timing_contender *contender, struct text *out)
{
    put_u32(out, contender->scratch_count);
    put_u32(out, contender->step_count);
    put_u32(out, contender->parameter_bytes);
    for (size_t i = 0; i < TIMING_OPERANDS_MAX; i++) {
        put_u64(out, contender->addresses[i]);
    }
    for (size_t i = 0; i < contender->scratch_count; i++) {
        put_u64(out, contender->scratch[i].address);
        put_u64(out, contender->scratch[i].bytes);
    }
    for (size_t i = 0; i < contender->step_count; i++) {
        pack_step(&contender->steps[i], out);
    }
    text_append_bytes(out, contender->parameters, contender->parameter_bytes);
}

static void pack_operand(const struct timing_operand *operand, struct text *out)
{
    const uint32_t numbers[OPERAND_NUMBERS] = {
        operand->type,      operand->is_output,  operand->is_in_place, operand->is_scratch,
        operand->is_zeroed, operand->comparison, operand->counter,
    };

    for (size_t i = 0; i < OPERAND_NUMBERS; i++) {
        put_u32(out, numbers[i]);
    }
    put_u64(out, operand->elements);
    put_u64(out, operand->copy_of);
    put_u64(out, operand->copy_of_absolute);
    put_u64(out, bits_of(operand->least));
    put_u64(out, bits_of(operand->most));
    put_u64(out, bits_of(operand->tolerance));
    put_u64(out, bits_of(operand->absolute));
    put_u64(out, bits_of(operand->share));
}

void timing_request_pack(const struct timing_request *request, struct text *out)
{
    const uint32_t counts[COUNTS] = {
        request->block_count,     request->launches_per_span, request->judged,
        request->reference,       request->baseline,          request->operand_count,
        request->contender_count, request->restores_judged,
    };

    put_u64(out, request->seed);
    for (size_t i = 0; i < COUNTS; i++) {
        put_u32(out, counts[i]);
    }
    for (size_t i = 0; i < request->operand_count; i++) {
        pack_operand(&request->operands[i], out);
    }
    for (size_t i = 0; i < request->contender_count; i++) {
        pack_contender(&request->contenders[i], out);
    }
}

/* A number that is finite and not negative. */
static double take_amount(struct record_reader *reader)
{
    double value = double_of(take_u64(reader));

    reader->failed = reader->failed || !(isfinite(value) && value >= 0);
    return value;
}

static void read_operand(struct record_reader *reader, struct timing_operand *out_operand)
{
    out_operand->type = take_u32(reader);
    out_operand->is_output = take_bool(reader);
    out_operand->is_in_place = take_bool(reader);
    out_operand->is_scratch = take_bool(reader);
    out_operand->is_zeroed = take_bool(reader);
    out_operand->comparison = take_u32(reader);
    out_operand->counter = take_u32(reader);
    out_operand->elements = take_u64(reader);
    out_operand->copy_of = take_u64(reader);
    out_operand->copy_of_absolute = take_u64(reader);
    out_operand->least = double_of(take_u64(reader));
    out_operand->most = double_of(take_u64(reader));
    out_operand->tolerance = take_amount(reader);
    out_operand->absolute = take_amount(reader);
    out_operand->share = take_amount(reader);
    bool is_range = isfinite(out_operand->least) && isfinite(out_operand->most) &&
                    out_operand->least <= out_operand->most;
    bool is_output =
        out_operand->is_output || !(out_operand->is_in_place || out_operand->is_scratch ||
                                    out_operand->is_zeroed || out_operand->counter > 0);
    reader->failed = reader->failed || out_operand->type >= TIMING_TYPES || !is_range ||
                     !is_output || out_operand->comparison >= TIMING_COMPARISONS ||
                     out_operand->elements == 0 || out_operand->elements > ELEMENTS_MAX;
}

static void read_step(struct record_reader *reader, struct timing_step *out_step)
{
    out_step->kind = take_u32(reader);
    out_step->module = take_u32(reader);
    out_step->function = take_u32(reader);
    for (size_t i = 0; i < 3; i++) {
        out_step->grid[i] = take_u32(reader);
    }
    for (size_t i = 0; i < 3; i++) {
        out_step->block[i] = take_u32(reader);
    }
    out_step->dynamic_shared_bytes = take_u32(reader);
    out_step->is_cooperative = take_bool(reader);
    out_step->parameter_bytes = take_u32(reader);
    out_step->value = take_u32(reader);
    out_step->to = take_u64(reader);
    out_step->from = take_u64(reader);
    out_step->bytes = take_u64(reader);
    reader->failed = reader->failed || out_step->kind > TIMING_SET || out_step->value > UINT8_MAX;
}

/* True if the parameters of all launches are as many as the contender says. */
static bool has_all_parameters(const struct timing_contender *contender)
{
    uint64_t bytes = 0;
    size_t launches = 0;

    for (size_t i = 0; i < contender->step_count; i++) {
        const struct timing_step *step = &contender->steps[i];
        if (step->kind == TIMING_LAUNCH) {
            bytes = timing_parameters_at((uint32_t)bytes) + (uint64_t)step->parameter_bytes;
            launches++;
        }
        if (bytes > TIMING_PARAMETERS_MAX) {
            return false;
        }
    }
    return launches > 0 && bytes == contender->parameter_bytes;
}

static void read_contender(struct record_reader *reader, struct timing_contender *out_contender)
{
    out_contender->scratch_count = take_u32(reader);
    out_contender->step_count = take_u32(reader);
    out_contender->parameter_bytes = take_u32(reader);
    if (out_contender->scratch_count > TIMING_SCRATCH_MAX ||
        out_contender->step_count > TIMING_STEPS_MAX ||
        out_contender->parameter_bytes > TIMING_PARAMETERS_MAX) {
        reader->failed = true;
        return;
    }
    for (size_t i = 0; i < TIMING_OPERANDS_MAX; i++) {
        out_contender->addresses[i] = take_u64(reader);
    }
    for (size_t i = 0; i < out_contender->scratch_count; i++) {
        out_contender->scratch[i].address = take_u64(reader);
        out_contender->scratch[i].bytes = take_u64(reader);
    }
    for (size_t i = 0; i < out_contender->step_count; i++) {
        read_step(reader, &out_contender->steps[i]);
    }
    reader->failed = reader->failed || !has_all_parameters(out_contender);
    const uint8_t *parameters = take(reader, out_contender->parameter_bytes);
    if (parameters != NULL) {
        memcpy(out_contender->parameters, parameters, out_contender->parameter_bytes);
    }
}

/* The counts, and what they say of each other. */
static bool is_consistent(const struct timing_request *request)
{
    return request->block_count >= 1 && request->block_count <= TIMING_BLOCKS_MAX &&
           request->launches_per_span >= 1 && request->operand_count >= 1 &&
           request->operand_count <= TIMING_OPERANDS_MAX && request->contender_count >= 1 &&
           request->contender_count <= TIMING_CONTENDERS_MAX &&
           request->judged < request->contender_count &&
           request->reference < request->contender_count &&
           request->baseline < request->contender_count;
}

/* Magnitudes are compared of f32 alone; a counter is an output with one number. */
static bool can_compare(const struct timing_request *request)
{
    for (size_t i = 0; i < request->operand_count; i++) {
        const struct timing_operand *operand = &request->operands[i];
        const struct timing_operand *counter =
            operand->counter > 0 && operand->counter <= request->operand_count
                ? &request->operands[operand->counter - 1]
                : NULL;
        bool is_counter = counter != NULL && timing_is_compared(counter) &&
                          (counter->type == TIMING_I32 || counter->type == TIMING_U32);
        if ((operand->comparison == TIMING_MAGNITUDES && operand->type != TIMING_F32) ||
            (operand->counter > 0 && !is_counter)) {
            return false;
        }
    }
    return true;
}

bool timing_request_unpack(const uint8_t *bytes, size_t length, struct timing_request *out_request)
{
    struct record_reader reader = {.bytes = bytes, .left = length};
    struct timing_request *request = out_request;

    memset(request, 0, sizeof *request);
    request->seed = take_u64(&reader);
    request->block_count = take_u32(&reader);
    request->launches_per_span = take_u32(&reader);
    request->judged = take_u32(&reader);
    request->reference = take_u32(&reader);
    request->baseline = take_u32(&reader);
    request->operand_count = take_u32(&reader);
    request->contender_count = take_u32(&reader);
    request->restores_judged = take_bool(&reader);
    if (reader.failed || !is_consistent(request)) {
        return false;
    }
    for (size_t i = 0; i < request->operand_count; i++) {
        read_operand(&reader, &request->operands[i]);
    }
    for (size_t i = 0; i < request->contender_count; i++) {
        read_contender(&reader, &request->contenders[i]);
    }
    if (reader.failed || reader.left != 0 || !can_compare(request)) {
        return false;
    }
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
