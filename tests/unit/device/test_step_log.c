/* test_step_log.c: the steps of one block, in order; against those worked out by hand. */
#include "device/emulated/machine.h"
#include "emulated_fixture.h"
#include "wire/step_record.h"

#define DEADLINE_NS (UINT64_C(1000) * 1000000000)

enum { STEPS_MAX = 64 };

struct read_steps {
    struct device_steps steps;
    struct step_record records[STEPS_MAX];
    struct finding_record_place places[16];
    struct step_region regions[8];
};

static struct read_steps *read_steps(struct device *device)
{
    static struct read_steps read;
    size_t cursor = 0;
    size_t count = 0;

    memset(&read, 0, sizeof read);
    device_steps(device, &read.steps);
    const uint8_t *bytes = read.steps.records != NULL ? read.steps.records : (const uint8_t *)"";
    while (count < STEPS_MAX &&
           step_record_unpack(bytes, read.steps.record_bytes, &cursor, &read.records[count])) {
        count++;
    }
    if (read.steps.kept <= STEPS_MAX) {
        assert_int_equal(count, read.steps.kept);
        assert_int_equal(cursor, read.steps.record_bytes);
    }
    bytes += read.steps.record_bytes;
    for (size_t i = 0; i < read.steps.place_count; i++, bytes += TRACE_PLACE_BYTES) {
        trace_place_unpack(bytes, &read.places[i]);
    }
    for (size_t i = 0; i < read.steps.region_count; i++, bytes += STEP_REGION_BYTES) {
        assert_true(step_region_unpack(bytes, &read.regions[i]));
    }
    return &read;
}

static void watch(struct device *device, uint32_t module)
{
    const struct device_step_wish wish = {.has_block = false};
    device_watch_steps(device, module, 0, &wish);
}

/* tile[t] = a[t]; a barrier; the first half of the first warp leaves; c[t] = tile[t ^ 1]. */
static const char tile_ptx[] = PTX_HEAD
    ".file 1 \"tile.cu\"\n.visible .entry tile(.param .u64 a, .param .u64 c)\n{\n"
    ".shared .align 4 .b8 mine[256];\n"
    ".reg .b64 %a, %c, %x;\n.reg .b32 %t, %b, %v, %s, %w;\n.reg .pred %p;\n"
    "ld.param.u64 %a, [a];\nld.param.u64 %c, [c];\nmov.u32 %t, %tid.x;\nmov.u32 %b, %ctaid.x;\n"
    "mul.wide.u32 %x, %t, 4;\nadd.u64 %x, %x, %a;\n"
    ".loc 1 10 5\nld.global.u32 %v, [%x];\nmov.u32 %s, mine;\nshl.b32 %w, %t, 2;\n"
    "add.u32 %s, %s, %w;\n.loc 1 11 5\nst.shared.u32 [%s], %v;\n.loc 1 12 5\nbar.sync 0;\n"
    "setp.lt.u32 %p, %t, 16;\n.loc 1 13 5\n@%p bra DONE;\nxor.b32 %s, %s, 4;\n"
    ".loc 1 14 5\nld.shared.u32 %v, [%s];\nmul.wide.u32 %x, %t, 4;\nadd.u64 %c, %c, %x;\n"
    ".loc 1 15 5\nst.global.u32 [%c], %v;\nDONE:\n.loc 1 16 1\nret;\n}\n";

static void check_step(const struct read_steps *read, size_t index, uint32_t kind, uint32_t warp,
                       uint32_t line, uint32_t lanes)
{
    const struct step_record *record = &read->records[index];
    uint32_t at = read->places[record->place].line;

    if (record->kind != kind || record->warp != warp || at != line || record->lanes != lanes) {
        fail_msg("step %zu: kind %u, warp %u, line %u, lanes %x, expected %u, %u, %u, %x", index,
                 record->kind, record->warp, at, record->lanes, kind, warp, line, lanes);
    }
}

static void test_steps_of_two_warps(void **state)
{
    (void)state;
    struct device *device = fixture_open(2, DEADLINE_NS);
    uint32_t module = fixture_load(device, tile_ptx);
    uint64_t parameters[2] = {fixture_allocate(device, 256), fixture_allocate(device, 256)};
    watch(device, module);
    fixture_launch(device, module, 3, 64, parameters);
    const struct read_steps *read = read_steps(device);

    assert_true(read->steps.is_there);
    assert_false(read->steps.has_finding);
    assert_int_equal(read->steps.block_index[0], 0);
    assert_int_equal(read->steps.shared_bytes, 256);
    assert_int_equal(read->steps.kept, read->steps.total);
    assert_int_equal(read->steps.kept, 13);
    check_step(read, 0, STEP_RECORD_READ, 0, 10, ALL_LANES);
    check_step(read, 1, STEP_RECORD_WRITE, 0, 11, ALL_LANES);
    check_step(read, 2, STEP_RECORD_BARRIER, 0, 12, ALL_LANES);
    check_step(read, 5, STEP_RECORD_BARRIER, 1, 12, ALL_LANES);
    assert_false(read->records[2].releases);
    assert_true(read->records[5].releases);
    check_step(read, 6, STEP_RECORD_READ, 1, 14, ALL_LANES); /* its turn goes on */
    check_step(read, 8, STEP_RECORD_EXIT, 1, 16, ALL_LANES);
    check_step(read, 9, STEP_RECORD_BRANCH, 0, 13, 0xffff);
    assert_int_equal(read->records[9].other, ALL_LANES);
    check_step(read, 10, STEP_RECORD_READ, 0, 14, 0xffff0000);
    check_step(read, 11, STEP_RECORD_WRITE, 0, 15, 0xffff0000);
    check_step(read, 12, STEP_RECORD_EXIT, 0, 16, ALL_LANES);
    assert_int_equal(read->records[10].space, TRACE_RECORD_SHARED);
    assert_int_equal(read->records[10].addresses[16], 68);
    assert_int_equal(read->records[10].addresses[17], 64);
    assert_int_equal(read->records[11].addresses[31], parameters[1] + 124);
    assert_int_equal(read->steps.region_count, 3);
    assert_string_equal(read->regions[0].name, "mine");
    assert_int_equal(read->regions[1].start, parameters[0]);
    assert_int_equal(read->regions[2].bytes, 256);
    device_close(device);
}

/* The launch with a finding replaces the one before, and is the last one; it reports and writes
 * what it would otherwise. */
static void test_the_block_with_a_finding(void **state)
{
    (void)state;
    /* block 2 reads a[16], of 16 */
    static const char ptx[] = PTX_HEAD
        ".file 1 \"k.cu\"\n.visible .entry k(.param .u64 a, .param .u32 n)\n{\n"
        ".reg .b64 %a, %x;\n.reg .b32 %b, %n, %v;\nld.param.u64 %a, [a];\nld.param.u32 %n, [n];\n"
        "mov.u32 %b, %ctaid.x;\nmul.lo.u32 %v, %b, %n;\nmul.wide.u32 %x, %v, 4;\n"
        "add.u64 %x, %x, %a;\n.loc 1 10 5\nld.global.u32 %v, [%x];\nadd.u32 %v, %v, 1;\n"
        ".loc 1 11 5\nst.global.u32 [%a], %v;\nret;\n}\n";
    for (int watched = 0; watched < 2; watched++) {
        struct device *device = fixture_open(2, DEADLINE_NS);
        uint32_t module = fixture_load(device, ptx);
        struct {
            uint64_t a;
            uint32_t n;
        } parameters = {fixture_allocate(device, 64), 1};
        uint32_t value = 0;
        assert_true(device_fill(device, parameters.a, 64, 7, 4));
        if (watched != 0) {
            watch(device, module);
        }
        assert_int_equal(fixture_launch(device, module, 4, 32, &parameters).finding_count, 0);
        assert_true(device_read(device, parameters.a, &value, 4));
        assert_int_equal(value, 8);
        parameters.n = 8;
        struct device_launch_result result = fixture_launch(device, module, 4, 32, &parameters);
        assert_int_equal(fixture_finding(&result, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS)->count, 64);
        parameters.n = 1;
        fixture_launch(device, module, 4, 32, &parameters);
        const struct read_steps *read = read_steps(device);
        assert_int_equal(read->steps.is_there, watched);
        if (watched != 0) {
            assert_true(read->steps.has_finding);
            assert_int_equal(read->steps.block_index[0], 2);
            assert_int_equal(read->records[0].other, ALL_LANES);
            assert_int_equal(read->records[0].addresses[5], parameters.a + 64);
        }
        device_close(device);
    }
}

static void test_a_block_that_is_wanted(void **state)
{
    (void)state;
    struct device *device = fixture_open(1, DEADLINE_NS);
    uint32_t module = fixture_load(device, tile_ptx);
    uint64_t parameters[2] = {fixture_allocate(device, 256), fixture_allocate(device, 256)};
    const struct device_step_wish outside = {.has_block = true, .block = {3, 0, 0}};
    const struct device_step_wish inside = {.has_block = true, .block = {2, 0, 0}};
    device_watch_steps(device, module, 0, &outside);
    fixture_launch(device, module, 3, 64, parameters);
    assert_false(read_steps(device)->steps.is_there);
    device_watch_steps(device, module, 0, &inside);
    fixture_launch(device, module, 3, 64, parameters);
    assert_int_equal(read_steps(device)->steps.block_index[0], 2);
    device_close(device);
}

/* More steps than fit: the first are kept, all are counted. */
static void test_too_many_steps(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".visible .entry k(.param .u64 a)\n{\n.reg .b64 %a, %x;\n.reg .b32 %i, %t;\n"
        ".reg .pred %q;\nld.param.u64 %a, [a];\nmov.u32 %i, 0;\nmov.u32 %t, %tid.x;\n"
        "mul.lo.u32 %t, %t, %t;\nmul.wide.u32 %x, %t, 4;\nadd.u64 %a, %a, %x;\n"
        "AGAIN:\nst.global.u32 [%a], %i;\nadd.u32 %i, %i, 1;\nsetp.lt.u32 %q, %i, 200000;\n"
        "@%q bra AGAIN;\nret;\n}\n";
    struct device *device = fixture_open(1, DEADLINE_NS);
    uint32_t module = fixture_load(device, ptx);
    uint64_t array = fixture_allocate(device, 4096);
    watch(device, module);
    fixture_launch(device, module, 1, 32, &array);
    const struct read_steps *read = read_steps(device);
    assert_int_equal(read->steps.total, 200001);
    assert_in_range(read->steps.kept, 1000, 200000);
    assert_in_range(read->steps.record_bytes, STEP_PAYLOAD_MAX, STEP_PAYLOAD_MAX + 1024);
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps_of_two_warps),
        cmocka_unit_test(test_the_block_with_a_finding),
        cmocka_unit_test(test_a_block_that_is_wanted),
        cmocka_unit_test(test_too_many_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
