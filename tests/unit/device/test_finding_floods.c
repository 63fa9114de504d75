/* test_finding_floods.c: each cap on findings is flooded with findings of one kind, and a race and
 * a read of what nobody wrote come after them: both are kept, and what is not is counted. Prints a
 * row for each flood: cap, flood, what was planted, what came out. */
#include "emulated_fixture.h"

#include "device/emulated/finding_table.h"
#include "device/server_state.h"

#include <stdlib.h>

enum { FLOOD = 5000, LINE = 40 };

static struct op ops[FLOOD + 2];

static struct fault fault_at(uint32_t kind, size_t op)
{
    return (struct fault){.kind = kind, .places[0] = {.op = &ops[op]}, .count = 3, .block = op};
}

static void print_row(const char *cap, uint32_t kind, uint64_t listed, uint64_t left_out)
{
    printf("flood  %-14s %5d of kind %2u  planted 2, found 2, listed %llu, left out %llu\n", cap,
           FLOOD, kind, (unsigned long long)listed, (unsigned long long)left_out);
}

static void the_table_keeps_other_kinds(void **state)
{
    (void)state;
    for (uint32_t kind = 1; kind < FINDING_RECORD_KIND_END; kind++) {
        struct finding_table table = {.code = NULL};
        const uint32_t planted[] = {FINDING_RECORD_SHARED_RACE,
                                    FINDING_RECORD_SHARED_UNINITIALISED};
        for (size_t i = 0; i < FLOOD; i++) {
            const struct fault fault = fault_at(kind, i);
            finding_table_add(&table, &fault);
        }
        assert_int_equal(table.room.counts[kind], FINDING_ROOM);
        assert_int_equal(table.left_out[kind], 3 * (FLOOD - FINDING_ROOM));
        for (size_t i = 0; i < 2; i++) {
            struct fault fault = fault_at(planted[i], i);
            finding_table_add(&table, &fault);
            struct finding_key key = {.parts = {(uintptr_t)&ops[i]}};
            size_t slot = finding_room_find(&table.room, planted[i], &key);
            assert_int_not_equal(slot, FINDING_ROOM);
            assert_int_equal(table.faults[planted[i]][slot].count, planted[i] == kind ? 6 : 3);
        }
        print_row("finding_table", kind, FINDING_ROOM, table.left_out[kind]);
        finding_table_release(&table);
    }
}

/* What a table holds does not depend on the order, nor on how many workers filled it. */
static void the_table_has_no_order(void **state)
{
    struct finding_table whole = {.code = NULL};
    struct finding_table parts[3] = {{.code = NULL}};
    struct finding_table merged = {.code = NULL};
    const uint32_t kind = FINDING_RECORD_SHARED_RACE;

    (void)state;
    for (size_t round = 0; round < 2; round++) {
        for (size_t i = 0; i < FLOOD; i++) {
            const struct fault up = fault_at(kind, i);
            const struct fault mixed = fault_at(kind, i * 1237 % FLOOD);
            finding_table_add(&whole, &up);
            finding_table_add(&parts[i * 7 % 3], &mixed);
        }
    }
    for (size_t i = 0; i < 3; i++) {
        finding_table_merge(&merged, &parts[i]);
        finding_table_release(&parts[i]);
    }
    assert_int_equal(merged.left_out[kind], whole.left_out[kind]);
    assert_int_equal(whole.left_out[kind], 6 * (FLOOD - FINDING_ROOM));
    for (size_t i = 0; i < FINDING_ROOM; i++) {
        struct finding_key key = {.parts = {(uintptr_t)&ops[i]}};
        size_t slot = finding_room_find(&merged.room, kind, &key);
        assert_int_not_equal(slot, FINDING_ROOM);
        assert_int_equal(merged.faults[kind][slot].count, 6);
    }
    finding_table_release(&merged);
    finding_table_release(&whole);
}

/* The first of a line goes before the second of any other, in whatever order they come. */
static void lines_go_before_repeats(void **state)
{
    struct finding_room room = {.counts = {0}};
    bool is_taken = false;

    (void)state;
    for (uint64_t i = 0; i < FLOOD; i++) {
        const struct finding_key key = {.line = LINE, .parts = {i}};
        finding_room_take(&room, 1, &key, &is_taken);
    }
    for (uint64_t line = 0; line < FINDING_ROOM - 1; line++) {
        const struct finding_key key = {.line = LINE + 1 + line, .parts = {FLOOD + line}};
        assert_int_not_equal(finding_room_take(&room, 1, &key, &is_taken), FINDING_ROOM);
        assert_true(is_taken);
    }
    const struct finding_key last = {.line = LINE, .parts = {FLOOD * 2}};
    assert_int_equal(finding_room_take(&room, 1, &last, &is_taken), FINDING_ROOM);
    const struct finding_key first = {.line = LINE, .parts = {0}};
    assert_int_not_equal(finding_room_find(&room, 1, &first), FINDING_ROOM);
    for (uint64_t line = 0; line < FINDING_ROOM - 1; line++) {
        const struct finding_key key = {.parts = {FLOOD + line}};
        assert_int_not_equal(finding_room_find(&room, 1, &key), FINDING_ROOM);
    }
    finding_room_release(&room);
}

static struct finding_record record_at(uint32_t kind, uint32_t line)
{
    return (struct finding_record){
        .kind = kind, .place_count = 1, .count = 2, .places[0] = {.file = 1, .line = line}};
}

static void the_log_keeps_other_kinds(void **state)
{
    (void)state;
    for (uint32_t kind = 1; kind < FINDING_RECORD_KIND_END; kind++) {
        struct server_log log = {.launches = 1};
        const struct finding_record rest = {.kind = kind, .count = 7};
        struct finding_record planted[] = {record_at(FINDING_RECORD_SHARED_RACE, 1),
                                           record_at(FINDING_RECORD_SHARED_UNINITIALISED, 1)};
        struct text bytes;
        size_t count = 0, errors = 0, found = 0;
        uint64_t left_out = 0, listed = 0;

        for (uint32_t i = 0; i < FLOOD; i++) {
            const struct finding_record record = record_at(kind, i + 1);
            server_log_findings(&log, &record, 1);
        }
        server_log_findings(&log, &rest, 1);
        server_log_findings(&log, planted, 2);
        text_init(&bytes);
        server_log_pack(&log, &bytes, &count, &errors);
        assert_int_equal(bytes.length, count * FINDING_RECORD_BYTES);
        for (size_t i = 0; i < count; i++) {
            struct finding_record record;
            const uint8_t *at = (const uint8_t *)bytes.bytes + i * FINDING_RECORD_BYTES;
            assert_true(finding_record_unpack(at, &record));
            bool is_rest = record.place_count == 0;
            left_out += is_rest ? record.count : 0;
            listed += !is_rest && record.kind == kind ? 1 : 0;
            found += !is_rest && record.places[0].line == 1 &&
                     (record.kind == planted[0].kind || record.kind == planted[1].kind);
        }
        assert_int_equal(found, 2);
        assert_int_equal(listed, FINDING_ROOM);
        assert_int_equal(left_out, 2 * (FLOOD - FINDING_ROOM) + 7);
        print_row("server_log", kind, listed, left_out);
        text_release(&bytes);
        server_log_release(&log);
    }
}

/* The count of a kind of finding. */
static uint64_t count_of(const struct device_launch_result *result, uint32_t kind)
{
    uint64_t count = 0;
    for (size_t i = 0; i < result->finding_count; i++) {
        count += result->findings[i].kind == kind ? result->findings[i].count : 0;
    }
    return count;
}

/* A kernel of 32 warps: `setup`, then the same text `copies` times, each with a number of its own
 * for its labels, then `end`. Its block has 48 KiB of shared memory in %b. */
static enum launch_status run_copies(const char *setup, unsigned copies, const char *text,
                                     const char *end, uint64_t *out_races)
{
    struct text ptx;
    struct device *device = fixture_open(1, UINT64_C(20000000000));
    const uint64_t address = fixture_allocate(device, 64);
    text_init(&ptx);
    text_printf(&ptx,
                PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n.shared .align 4 .b8 tile[49152];\n"
                         ".reg .b32 %%b, %%a, %%t, %%w, %%i, %%v;\n.reg .pred %%p;\n"
                         "mov.u32 %%t, %%tid.x;\nand.b32 %%w, %%t, 31;\nmov.u32 %%b, tile;\n%s",
                setup);
    for (unsigned i = 0; i < copies; i++) {
        text_printf(&ptx, "mov.u32 %%i, 0;\nL%u:\n%s@%%p bra L%u;\n", i, text, i);
    }
    text_printf(&ptx, "%sret;\n}\n", end);
    uint32_t module = fixture_load(device, ptx.bytes);
    text_release(&ptx);
    struct device_launch_result result = fixture_launch(device, module, 1, 1024, &address);
    *out_races = count_of(&result, FINDING_RECORD_SHARED_RACE);
    device_close(device);
    return result.status;
}

/* Each warp reads each word at each of 12 places, so there are more items than RACE_ITEMS_MAX. */
static void too_many_items_end_the_launch(void **state)
{
    static const char loads[] = "shl.b32 %a, %w, 2;\nadd.u32 %a, %a, %b;\nmad.lo.u32 %a, %i, 128, "
                                "%a;\nld.volatile.shared.u32 %v, [%a];\nadd.u32 %i, %i, 1;\n"
                                "setp.lt.u32 %p, %i, 384;\n";
    static const char store[] = "st.volatile.shared.u32 [tile], %t;\n";
    uint64_t races;
    (void)state;
    assert_int_equal(run_copies(store, 2, loads, "", &races), LAUNCH_DONE);
    assert_int_equal(run_copies(store, 12, loads, "", &races), LAUNCH_DEADLINE);
    printf("flood  RACE_ITEMS_MAX 4718592 items: the launch ends as a passed deadline does\n");
}

/* More meetings of warps than RACE_EVENTS_MAX, with a race between the first and the last access.
 */
static void dropped_events_lose_nothing(void **state)
{
    static const char syncs[] = "bar.warp.sync -1;\nadd.u32 %i, %i, 1;\n"
                                "setp.lt.u32 %p, %i, 300;\n";
    uint64_t races;
    (void)state;
    enum launch_status status =
        run_copies("setp.eq.u32 %p, %t, 40;\n@%p st.shared.u32 [tile+8], %t;\n", 1, syncs,
                   "setp.eq.u32 %p, %t, 700;\n@%p st.shared.u32 [tile+8], %t;\n", &races);
    assert_int_equal(status, LAUNCH_DONE);
    assert_int_equal(races, 1);
    printf("flood  RACE_EVENTS_MAX 9600 meetings of warps: planted 1 race, found 1\n");
}

/* More intervals that differ than race_memo keeps, each with a race, then all of them once more. */
static void forgotten_verdicts_are_made_anew(void **state)
{
    enum { INTERVALS = 20000 };
    static const char rounds[] =
        "and.b32 %a, %i, 8191;\nshl.b32 %a, %a, 2;\nadd.u32 %a, %a, %b;\n"
        "setp.eq.u32 %p, %t, 0;\n@%p st.shared.u32 [%a], %t;\nshr.u32 %v, %i, 13;\n"
        "mad.lo.u32 %v, %v, 32, 32;\nsetp.eq.u32 %p, %t, %v;\n@%p ld.shared.u32 %v, [%a];\n"
        "bar.sync 0;\nadd.u32 %i, %i, 1;\nsetp.lt.u32 %p, %i, 20000;\n";
    uint64_t races;
    (void)state;
    assert_int_equal(run_copies("", 2, rounds, "", &races), LAUNCH_DONE);
    assert_int_equal(races, 2 * INTERVALS);
    printf("flood  race_memo      40000 intervals with a race each: found 40000\n");
}

/* A thread of each of two warps stores, with more barriers between the two than the low part of a
 * cell has epochs; where `%s` is, the second warp stores once more without a barrier. */
static struct device_launch_result stores_after_barriers(struct device *device, const char *again)
{
    static const char ptx[] =
        PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %%rd<2>;\n.reg .u32 %%r<3>;\n"
                 ".reg .pred %%p<3>;\nld.param.u64 %%rd1, [p];\nmov.u32 %%r1, 0;\n"
                 "mov.u32 %%r2, %%tid.x;\nsetp.eq.u32 %%p2, %%r2, 0;\n"
                 "@%%p2 st.global.u32 [%%rd1], %%r2;\n"
                 "L:\nbar.sync 0;\nadd.u32 %%r1, %%r1, 1;\nsetp.lt.u32 %%p1, %%r1, %u;\n"
                 "@%%p1 bra L;\nsetp.eq.u32 %%p1, %%r2, 32;\n"
                 "@%%p1 st.global.u32 [%%rd1], %%r1;\n%s\nret;\n}\n";
    char *text = NULL;
    const uint64_t address = fixture_allocate(device, 64);
    assert_true(asprintf(&text, ptx, 4096, again) > 0);
    uint32_t module = fixture_load(device, text);
    free(text);
    struct device_launch_result result = fixture_launch(device, module, 1, 64, &address);
    assert_int_equal(result.status, LAUNCH_DONE);
    return result;
}

/* Two blocks store by turns to one word and meet at a barrier of the grid after each store; where
 * `%s` is, both store once more. */
static struct device_launch_result stores_by_turns(struct device *device, const char *again)
{
    static const char ptx[] =
        PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %%rd<2>;\n.reg .u32 %%r<6>;\n"
                 ".reg .pred %%p<3>;\nld.param.u64 %%rd1, [p];\nmov.u32 %%r1, 0;\n"
                 "mov.u32 %%r2, %%ctaid.x;\nL:\nand.b32 %%r3, %%r1, 1;\n"
                 "setp.eq.u32 %%p2, %%r3, %%r2;\n@%%p2 st.global.u32 [%%rd1], %%r1;\n"
                 "add.u32 %%r1, %%r1, 1;\nshl.b32 %%r4, %%r1, 1;\nmembar.gl;\n"
                 "atom.global.add.u32 %%r5, [%%rd1+8], 1;\nW:\n"
                 "ld.volatile.global.u32 %%r5, [%%rd1+8];\nsetp.lt.u32 %%p1, %%r5, %%r4;\n"
                 "@%%p1 bra W;\nmembar.gl;\nsetp.lt.u32 %%p1, %%r1, 9000;\n@%%p1 bra L;\n"
                 "%s\nret;\n}\n";
    const uint32_t zeros[16] = {0};
    char *text = NULL;
    const uint64_t address = fixture_allocate(device, sizeof zeros);
    assert_true(device_write(device, address, zeros, sizeof zeros));
    assert_true(asprintf(&text, ptx, again) > 0);
    uint32_t module = fixture_load(device, text);
    free(text);
    struct device_launch_result result = fixture_launch(device, module, 2, 1, &address);
    assert_int_equal(result.status, LAUNCH_DONE);
    return result;
}

/* Block 1 acquires what block 0 has released, and reads it after many more releases of block 0. */
static struct device_launch_result reads_late(struct device *device)
{
    static const char ptx[] =
        PTX_HEAD ".visible .entry k(.param .u64 p)\n{\n.reg .u64 %rd<2>;\n.reg .u32 %r<6>;\n"
                 ".reg .pred %p<3>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, 0;\n"
                 "mov.u32 %r2, %ctaid.x;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra READS;\n"
                 "st.global.u32 [%rd1], 5;\nmembar.gl;\natom.global.add.u32 %r5, [%rd1+8], 1;\n"
                 "W:\nld.volatile.global.u32 %r5, [%rd1+12];\nsetp.eq.u32 %p1, %r5, 0;\n"
                 "@%p1 bra W;\nL:\nmembar.gl;\natom.global.add.u32 %r5, [%rd1+16], 1;\n"
                 "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 1000;\n@%p1 bra L;\nret;\n"
                 "READS:\nld.volatile.global.u32 %r5, [%rd1+8];\nsetp.eq.u32 %p1, %r5, 0;\n"
                 "@%p1 bra READS;\nmembar.gl;\nst.volatile.global.u32 [%rd1+12], %r5;\n"
                 "A:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 200000;\n@%p1 bra A;\n"
                 "ld.global.u32 %r5, [%rd1];\nst.global.u32 [%rd1+20], %r5;\nret;\n}\n";
    const uint32_t zeros[16] = {0};
    const uint64_t address = fixture_allocate(device, sizeof zeros);
    assert_true(device_write(device, address, zeros, sizeof zeros));
    uint32_t module = fixture_load(device, ptx);
    struct device_launch_result result = fixture_launch(device, module, 2, 1, &address);
    assert_int_equal(result.status, LAUNCH_DONE);
    return result;
}

static void epochs_do_not_run_out(void **state)
{
    struct device_config config = {
        .model = {.multiprocessors = 4, .max_blocks_per_multiprocessor = 16},
        .memory_limit_bytes = UINT64_C(1) << 28,
        .launch_deadline_ns = UINT64_C(10000000000),
        .threads = 1,
        .checks_global_races = true,
    };
    struct device *device = NULL;

    (void)state;
    assert_int_equal(device_open(&device_emulated, &config, &device, NULL), ERROR_NONE);
    assert_int_equal(stores_after_barriers(device, "").finding_count, 0);
    struct device_launch_result result =
        stores_after_barriers(device, "@%p2 st.global.u32 [%rd1], %r2;");
    assert_int_equal(result.finding_count, 1);
    assert_int_equal(result.findings[0].kind, FINDING_RECORD_GLOBAL_RACE);
    assert_int_equal(result.findings[0].place_count, 2);
    assert_int_equal(reads_late(device).finding_count, 0);
    assert_int_equal(stores_by_turns(device, "").finding_count, 0);
    result = stores_by_turns(device, "add.u32 %r1, %r1, %r2;\nst.global.u32 [%rd1+4], %r1;");
    assert_int_equal(result.finding_count, 1);
    assert_int_equal(result.findings[0].kind, FINDING_RECORD_GLOBAL_RACE);
    assert_int_equal(result.findings[0].count, 1);
    assert_int_equal(result.findings[0].place_count, 2);
    printf("flood  global_races   stores 4096 barriers apart: no race; side by side: found 1\n");
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_keeps_other_kinds),
        cmocka_unit_test(the_table_has_no_order),
        cmocka_unit_test(lines_go_before_repeats),
        cmocka_unit_test(the_log_keeps_other_kinds),
        cmocka_unit_test(too_many_items_end_the_launch),
        cmocka_unit_test(dropped_events_lose_nothing),
        cmocka_unit_test(forgotten_verdicts_are_made_anew),
        cmocka_unit_test(epochs_do_not_run_out),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
