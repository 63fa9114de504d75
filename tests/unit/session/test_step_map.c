/* test_step_map.c: a device's steps by lines of the sources and names of arrays, and replies that
 * no device sends. */
#include "session/step_map.h"

#include "wire/control.h"
#include "wire/step_record.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define DEVICE_START UINT64_C(0x700000000000)

static const char *const files[] = {"", "tiled.cu"};
static const struct code_kernel kernel = {.name = "_Z4tilev", .plain_name = "tile"};
static const struct code_module module = {
    .kernels = &kernel, .kernel_count = 1, .files = files, .file_count = 2};
static const struct code_index code = {&module, 1};
static struct operand_memory operand = {
    .name = "A", .start = DEVICE_START, .bytes = 4096, .element_bytes = 4};
static const struct operand_memories operands = {&operand, 1, 1};

static const struct finding_record_place place = {.file = 1, .line = 30, .column = 9};
static const struct step_region regions[] = {
    {TRACE_RECORD_SHARED, 0, 4096, "_ZZ4tilevE6tile_a"},
    {TRACE_RECORD_GLOBAL, DEVICE_START, 4096, ""},
    {TRACE_RECORD_GLOBAL, DEVICE_START + 8192, 4096, ""},
};
enum { REGIONS = sizeof regions / sizeof regions[0], STEPS = 4 };

/* A reply with four steps of the second of two warps: bytes in `payload`, which is the caller's. */
static struct message make_reply(struct text *payload)
{
    struct step_record records[STEPS] = {
        {.kind = STEP_RECORD_READ, .warp = 1, .lanes = 0xf0, .other = 0x80, .bytes = 4},
        {.kind = STEP_RECORD_WRITE, .warp = 1, .lanes = 7, .space = 1, .bytes = 8},
        {.kind = STEP_RECORD_BARRIER, .warp = 1, .lanes = UINT32_MAX, .releases = true, .other = 2},
        {.kind = STEP_RECORD_EXIT, .warp = 1, .lanes = 3},
    };
    const uint32_t grid[3] = {3, 2, 1};
    const uint32_t block[3] = {16, 4, 1};
    const uint32_t index[3] = {2, 1, 0};
    uint8_t packed[TRACE_PLACE_BYTES];

    for (unsigned lane = 0; lane < STEP_LANES; lane++) {
        records[0].addresses[lane] = DEVICE_START + UINT64_C(64) * lane;
        records[1].addresses[lane] = UINT64_C(8) * lane * lane;
    }
    text_init(payload);
    for (size_t i = 0; i < STEPS; i++) {
        step_record_pack(&records[i], payload);
    }
    trace_place_pack(&place, packed);
    text_append_bytes(payload, packed, sizeof packed);
    for (size_t i = 0; i < REGIONS; i++) {
        step_region_pack(&regions[i], payload);
    }
    return (struct message){
        .type = CONTROL_STEPS,
        .words = {3, 0, control_dimensions_pack(grid), control_dimensions_pack(block),
                  control_dimensions_pack(index), 4096, STEPS, 9, 1, REGIONS},
        .payload = payload->bytes,
        .payload_bytes = payload->length,
    };
}

static void steps_have_lines_and_names(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct block_steps steps;
    struct text payload;
    const struct message reply = make_reply(&payload);

    assert_true(steps_from_reply(arena, &code, &operands, &reply, &steps));
    assert_string_equal(steps.kernel, "tile");
    assert_true(steps.has_finding);
    assert_int_equal(steps.grid[0], 3);
    assert_int_equal(steps.block[1], 4);
    assert_int_equal(steps.block_index[0], 2);
    assert_int_equal(steps.total, 9);
    assert_int_equal(steps.step_count, STEPS);
    assert_string_equal(steps.lines[0].file, "tiled.cu");
    assert_int_equal(steps.lines[0].line, 30);
    const struct block_step *read = &steps.steps[0];
    assert_int_equal(read->kind, STEP_READ);
    assert_int_equal(read->first, DEVICE_START + 256);
    assert_int_equal(read->distance, 64);
    assert_null(read->list);
    assert_int_equal(read->other, 0x80);
    const struct block_step *write = &steps.steps[1];
    assert_int_equal(write->space, TRACE_SHARED);
    assert_int_equal(write->list[1], 8);
    assert_int_equal(write->list[2], 32);
    assert_true(steps.steps[2].releases);
    assert_int_equal(steps.steps[2].other, 2);
    assert_int_equal(steps.steps[3].kind, STEP_EXIT);
    assert_int_equal(steps.memory_count, REGIONS);
    assert_string_equal(steps.memories[0].name, "tile_a");
    assert_string_equal(steps.memories[1].name, "A");
    assert_int_equal(steps.memories[1].element_bytes, 4);
    assert_string_equal(steps.memories[2].name, "");
    text_release(&payload);
    arena_free(arena);
}

/* An array that is not the whole allocation gives it no name. */
static void a_part_gives_no_name(void **state)
{
    (void)state;
    struct arena *arena = arena_new();
    struct block_steps steps;
    struct text payload;
    const struct message reply = make_reply(&payload);

    operand.bytes = 2048;
    assert_true(steps_from_reply(arena, &code, &operands, &reply, &steps));
    assert_string_equal(steps.memories[1].name, "");
    assert_true(steps_from_reply(arena, &code, NULL, &reply, &steps));
    operand.bytes = 4096;
    text_release(&payload);
    arena_free(arena);
}

static void other_replies_are_refused(void **state)
{
    (void)state;
    const uint32_t wide[3] = {1025, 1, 1};
    const uint32_t huge[3] = {1 << 12, 1 << 12, 1 << 8};
    const uint32_t narrow[3] = {32, 1, 1};
    const struct {
        size_t word;
        uint64_t value;
    } rows[] = {
        {1, 1},
        {1, UINT64_C(1) << 32},
        {3, control_dimensions_pack(wide)},
        {3, control_dimensions_pack(huge)},
        {3, control_dimensions_pack(narrow)},
        {6, 3},
        {6, 5},
        {6, UINT64_MAX},
        {7, 3},
        {8, 0},
        {8, 2},
        {8, UINT64_MAX / TRACE_PLACE_BYTES + 2},
        {9, REGIONS + 1},
        {9, UINT64_MAX},
    };
    struct arena *arena = arena_new();
    struct block_steps steps;
    struct text payload;
    const struct message reply = make_reply(&payload);

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct message other = reply;
        other.words[rows[i].word] = rows[i].value;
        if (steps_from_reply(arena, &code, &operands, &other, &steps)) {
            fail_msg("word %zu may be %llu", rows[i].word, (unsigned long long)rows[i].value);
        }
    }
    for (size_t length = 0; length < payload.length; length++) {
        struct message other = reply;
        other.payload_bytes = length;
        assert_false(steps_from_reply(arena, &code, &operands, &other, &steps));
    }
    text_release(&payload);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_have_lines_and_names),
        cmocka_unit_test(a_part_gives_no_name),
        cmocka_unit_test(other_replies_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
