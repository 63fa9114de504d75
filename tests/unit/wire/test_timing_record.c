/* test_timing_record.c: requests and samples of a timing are the same at the other end, and bytes
 * that are none are refused, wherever they are wrong. */
#include "wire/timing_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Offsets in a packed request, as timing_record.c draws it. */
enum {
    AT_BLOCK_COUNT = 8,
    AT_LAUNCHES = 12,
    AT_JUDGED = 16,
    AT_REFERENCE = 20,
    AT_BASELINE = 24,
    AT_OPERAND_COUNT = 28,
    AT_CONTENDER_COUNT = 32,
    AT_RESTORES = 36,
    AT_OPERANDS = 40,
    OPERAND_BYTES = 7 * 4 + 8 * 8,
    STEP_BYTES = 13 * 4 + 3 * 8,
    AT_STEPS = 3 * 4 + TIMING_OPERANDS_MAX * 8 + 16, /* in a contender with one range of scratch */
    CONTENDER_BYTES = AT_STEPS + 3 * STEP_BYTES
};

/* A launch, a copy and a set. */
static struct timing_contender some_contender(uint32_t number)
{
    const uint8_t parameters[16] = {(uint8_t)(0x40 + number), 1, 2, 3};
    const struct timing_step launch = {
        .module = number,
        .function = number + 1,
        .grid = {number + 2, 65535, 7},
        .block = {32, number + 3, 1},
        .dynamic_shared_bytes = 4096 * number,
        .is_cooperative = number == 1,
        .parameter_bytes = 3 * number,
    };
    struct timing_contender contender = {
        .scratch = {{UINT64_C(0x100000002000) + number, 512}},
        .scratch_count = 1,
    };

    for (uint32_t i = 0; i < TIMING_OPERANDS_MAX; i++) {
        contender.addresses[i] = UINT64_C(0x100000000000) + number * 100 + i;
    }
    assert_true(timing_add_launch(&contender, &launch, parameters));
    contender.steps[contender.step_count++] =
        (struct timing_step){.kind = TIMING_COPY, .to = 7, .from = 8 + number, .bytes = 9};
    contender.steps[contender.step_count++] =
        (struct timing_step){.kind = TIMING_SET, .to = 7, .bytes = 9, .value = 255};
    return contender;
}

static struct timing_request some_request(void)
{
    struct timing_request request = {
        .seed = UINT64_C(0x0123456789abcdef),
        .block_count = TIMING_BLOCKS_MAX,
        .launches_per_span = 3,
        .judged = 0,
        .reference = 2,
        .baseline = 1,
        .operands = {{.type = TIMING_U32,
                      .elements = 1,
                      .least = -3.5,
                      .most = 9,
                      .copy_of = 4096,
                      .copy_of_absolute = 8192},
                     {.type = TIMING_F32,
                      .is_output = true,
                      .elements = UINT64_C(1) << 40,
                      .comparison = TIMING_MAGNITUDES,
                      .tolerance = 32.5,
                      .absolute = 0.5,
                      .share = 0.25,
                      .is_zeroed = true}},
        .operand_count = 2,
        .contender_count = 3,
    };

    for (uint32_t i = 0; i < request.contender_count; i++) {
        request.contenders[i] = some_contender(i);
    }
    return request;
}

static void requests_survive(void **state)
{
    struct timing_request request = some_request();
    struct timing_request back;
    struct text bytes;
    (void)state;

    text_init(&bytes);
    text_append(&bytes, "before");
    timing_request_pack(&request, &bytes);
    assert_int_equal(bytes.length, 6 + AT_OPERANDS + 2 * OPERAND_BYTES + 3 * CONTENDER_BYTES + 9);
    assert_true(timing_request_unpack((const uint8_t *)bytes.bytes + 6, bytes.length - 6, &back));
    assert_true(back.seed == request.seed);
    assert_true(back.block_count == TIMING_BLOCKS_MAX && back.launches_per_span == 3);
    assert_true(back.judged == 0 && back.reference == 2 && back.baseline == 1);
    assert_memory_equal(back.operands, request.operands, 2 * sizeof request.operands[0]);
    assert_int_equal(back.operand_count, 2);
    assert_true(back.operands[0].type == TIMING_U32 && !back.operands[0].is_output);
    assert_true(back.operands[1].type == TIMING_F32 && back.operands[1].is_output);
    assert_true(back.operands[1].elements == UINT64_C(1) << 40);
    assert_int_equal(back.contender_count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct timing_contender *a = &request.contenders[i], *b = &back.contenders[i];

        for (size_t k = 0; k < 3; k++) {
            const struct timing_step *of_a = &a->steps[k], *of_b = &b->steps[k];

            assert_true(of_a->kind == of_b->kind && of_a->to == of_b->to);
            assert_true(of_a->from == of_b->from && of_a->bytes == of_b->bytes);
            assert_true(of_a->value == of_b->value);
            assert_true(of_a->module == of_b->module && of_a->function == of_b->function);
            assert_memory_equal(of_a->grid, of_b->grid, sizeof of_a->grid);
            assert_memory_equal(of_a->block, of_b->block, sizeof of_a->block);
            assert_int_equal(of_a->dynamic_shared_bytes, of_b->dynamic_shared_bytes);
            assert_int_equal(of_a->is_cooperative, of_b->is_cooperative);
            assert_int_equal(of_a->parameter_bytes, of_b->parameter_bytes);
        }
        assert_int_equal(b->step_count, 3);
        assert_int_equal(b->scratch_count, 1);
        assert_memory_equal(a->scratch, b->scratch, sizeof a->scratch[0]);
        assert_memory_equal(a->addresses, b->addresses, sizeof a->addresses);
        assert_int_equal(a->parameter_bytes, b->parameter_bytes);
        assert_memory_equal(a->parameters, b->parameters, sizeof a->parameters);
    }
    text_release(&bytes);
}

static void the_largest_request_fits(void **state)
{
    struct timing_request *request = calloc(1, sizeof *request);
    struct timing_request *back = calloc(1, sizeof *back);
    struct text bytes;
    (void)state;

    *request = some_request();
    request->operand_count = TIMING_OPERANDS_MAX;
    request->contender_count = TIMING_CONTENDERS_MAX;
    for (uint32_t i = 0; i < TIMING_OPERANDS_MAX; i++) {
        request->operands[i] =
            (struct timing_operand){.type = TIMING_F32, .is_output = i == 3, .elements = i + 1};
    }
    for (uint32_t i = 0; i < TIMING_CONTENDERS_MAX; i++) {
        struct timing_contender *contender = &request->contenders[i];
        const struct timing_step launch = {.parameter_bytes = TIMING_PARAMETERS_MAX};
        static const uint8_t parameters[TIMING_PARAMETERS_MAX];

        memset(contender, 0, sizeof *contender);
        assert_true(timing_add_launch(contender, &launch, parameters));
        assert_false(timing_add_launch(contender, &launch, parameters));
        contender->parameters[TIMING_PARAMETERS_MAX - 1] = (uint8_t)(i + 1);
        contender->scratch_count = TIMING_SCRATCH_MAX;
        for (; contender->step_count < TIMING_STEPS_MAX; contender->step_count++) {
            contender->steps[contender->step_count].kind = TIMING_SET;
        }
    }
    text_init(&bytes);
    timing_request_pack(request, &bytes);
    assert_true(bytes.length <= 1 << 17); /* of control_messages.def */
    assert_true(timing_request_unpack((const uint8_t *)bytes.bytes, bytes.length, back));
    assert_int_equal(back->contenders[3].parameters[TIMING_PARAMETERS_MAX - 1], 4);
    assert_int_equal(back->operands[7].elements, 8);
    text_release(&bytes);
    free(request);
    free(back);
}

static void other_lengths_are_refused(void **state)
{
    struct timing_request request = some_request();
    struct timing_request back;
    struct text bytes;
    (void)state;

    text_init(&bytes);
    timing_request_pack(&request, &bytes);
    for (size_t length = 0; length < bytes.length; length++) {
        uint8_t *cut = malloc(length + 1); /* of its own, so that a sanitizer sees what is read */

        memcpy(cut, bytes.bytes, length);
        assert_false(timing_request_unpack(cut, length, &back));
        free(cut);
    }
    text_append_char(&bytes, '\0');
    assert_false(timing_request_unpack((const uint8_t *)bytes.bytes, bytes.length, &back));
    text_release(&bytes);
}

/* Replaces the u32 at an offset of a good request; true if it is still taken. */
static bool takes(size_t offset, uint32_t value)
{
    struct timing_request request = some_request();
    struct timing_request back;
    struct text bytes;

    text_init(&bytes);
    timing_request_pack(&request, &bytes);
    for (size_t i = 0; i < 4; i++) {
        bytes.bytes[offset + i] = (char)(value >> (8 * i));
    }
    bool taken = timing_request_unpack((const uint8_t *)bytes.bytes, bytes.length, &back);
    text_release(&bytes);
    return taken;
}

static void numbers_out_of_range_are_refused(void **state)
{
    const size_t operand = AT_OPERANDS, contender = AT_OPERANDS + 2 * OPERAND_BYTES;
    const size_t step = contender + AT_STEPS, output = operand + OPERAND_BYTES;
    const struct {
        size_t offset;
        uint32_t value;
        bool is_taken;
    } rows[] = {
        {AT_BLOCK_COUNT, 0, false},
        {AT_BLOCK_COUNT, 1, true},
        {AT_BLOCK_COUNT, TIMING_BLOCKS_MAX + 1, false},
        {AT_LAUNCHES, 0, false},
        {AT_LAUNCHES, UINT32_MAX, true},
        {AT_JUDGED, 2, true},
        {AT_JUDGED, 3, false},
        {AT_REFERENCE, 3, false},
        {AT_BASELINE, UINT32_MAX, false},
        {AT_OPERAND_COUNT, 0, false},
        {AT_OPERAND_COUNT, 1, false},
        {AT_OPERAND_COUNT, TIMING_OPERANDS_MAX + 1, false},
        {AT_OPERAND_COUNT, UINT32_MAX, false},
        {AT_CONTENDER_COUNT, 0, false},
        {AT_CONTENDER_COUNT, TIMING_CONTENDERS_MAX + 1, false},
        {AT_CONTENDER_COUNT, UINT32_MAX, false},
        {operand, TIMING_TYPES, false},
        {operand, TIMING_F64, true},
        {operand, TIMING_F16, true},
        {operand + 4, 2, false},
        {operand + 8, 1, false},  /* an input that is in place */
        {operand + 12, 1, false}, /* or scratch memory */
        {operand + 16, 1, false}, /* or zeros */
        {operand + 20, TIMING_COMPARISONS, false},
        {operand + 24, 2, false},     /* an input of which only some elements count */
        {operand + 28, 0, false},     /* elements */
        {operand + 32, 0x100, false}, /* 2^40 and 1 */
        {operand + 32, 0xff, true},
        {operand + 56, 0x40400000, false}, /* least: 32 */
        {operand + 56, 0xfff80000, false}, /* no number */
        {output, TIMING_F64, false},       /* magnitudes are compared of f32 */
        {output, TIMING_F16, false},
        {output + 8, 1, true},
        {output + 24, 2, false}, /* it is no number that could count */
        {output + 24, 1, false}, /* nor is an input */
        {output + 24, 3, false},
        {output + 72, 0x7ff00000, false}, /* tolerance: infinity */
        {output + 72, 0x7ff80000, false},
        {output + 72, 0xc0404000, false},
        {output + 72, 0, true},
        {output + 80, 0xc0404000, false}, /* absolute */
        {output + 88, 0xc0404000, false}, /* share */
        {AT_RESTORES, 1, true},
        {AT_RESTORES, 2, false},
        {contender, TIMING_SCRATCH_MAX + 1, false},
        {contender + 4, TIMING_STEPS_MAX + 1, false},
        {contender + 4, 0, false}, /* a contender launches something */
        {contender + 8, 1, false}, /* the first one's launch has no parameters */
        {contender + 8, TIMING_PARAMETERS_MAX + 1, false},
        {step, TIMING_SET + 1, false},
        {step, TIMING_SET, false},
        {step + 4, UINT32_MAX, true}, /* the device's to check */
        {step + 10 * 4, 2, false},
        {step + 11 * 4, UINT32_MAX, false},
        {step + 12 * 4, 256, false},
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (takes(rows[i].offset, rows[i].value) != rows[i].is_taken) {
            fail_msg("row %zu, offset %zu", i, rows[i].offset);
        }
    }
}

static void samples_survive(void **state)
{
    const struct timing_sample sample = {
        .block = 63,
        .contender = 3,
        .position = 7,
        .is_compared = true,
        .nanoseconds = 2.5e6,
        .clock_mhz = 1980.25,
        .wrong = 3,
        .first_wrong = UINT64_MAX,
        .changed = UINT64_C(1) << 40,
    };
    uint8_t bytes[TIMING_SAMPLE_BYTES + 1];
    struct timing_sample back;
    (void)state;

    memset(bytes, 0xa5, sizeof bytes);
    timing_sample_pack(&sample, bytes);
    assert_int_equal(bytes[TIMING_SAMPLE_BYTES], 0xa5);
    assert_true(timing_sample_unpack(bytes, &back));
    assert_true(back.block == 63 && back.contender == 3 && back.position == 7 && back.is_compared);
    assert_true(back.nanoseconds == 2.5e6 && back.clock_mhz == 1980.25);
    assert_true(back.wrong == 3 && back.first_wrong == UINT64_MAX);
    assert_true(back.changed == UINT64_C(1) << 40 && !back.is_delayed);
    timing_sample_pack(&(const struct timing_sample){.is_delayed = true}, bytes);
    assert_true(timing_sample_unpack(bytes, &back));
    assert_true(back.is_delayed && !back.is_compared);
}

static void bad_samples_are_refused(void **state)
{
    const struct timing_sample rows[] = {
        {.block = TIMING_BLOCKS_MAX},
        {.contender = TIMING_CONTENDERS_MAX},
        {.position = 8},
        {.nanoseconds = -1},
        {.nanoseconds = (double)NAN},
        {.nanoseconds = (double)INFINITY},
        {.clock_mhz = (double)NAN},
        {.clock_mhz = -1},
    };
    uint8_t bytes[TIMING_SAMPLE_BYTES];
    struct timing_sample back;
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        timing_sample_pack(&rows[i], bytes);
        assert_false(timing_sample_unpack(bytes, &back));
    }
    timing_sample_pack(&(const struct timing_sample){.block = 1}, bytes);
    assert_true(timing_sample_unpack(bytes, &back));
    bytes[12] = 4;
    assert_false(timing_sample_unpack(bytes, &back));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_survive),
        cmocka_unit_test(the_largest_request_fits),
        cmocka_unit_test(other_lengths_are_refused),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(samples_survive),
        cmocka_unit_test(bad_samples_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
