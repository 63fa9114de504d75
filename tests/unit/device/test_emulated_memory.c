/* test_emulated_memory.c: allocations, variables, snapshots, and what bad accesses report. */
#include "device/emulated/memory/window_memory.h"
#include "emulated_fixture.h"

enum { ELEMENTS = 64 };
#define SECOND UINT64_C(1000000000)

/* out[tid * stride + offset] = in[tid], lines 10 and 11. */
#define COPY_PTX(store)                                                                            \
    PTX_HEAD ".file 1 \"copy.cu\"\n"                                                               \
             ".visible .entry copy(.param .u64 in, .param .u64 out)\n{\n"                          \
             ".reg .b64 %i, %o, %at;\n.reg .b32 %t, %v;\n"                                         \
             "ld.param.u64 %i, [in];\nld.param.u64 %o, [out];\nmov.u32 %t, %tid.x;\n"              \
             "mul.wide.u32 %at, %t, 4;\nadd.s64 %i, %i, %at;\nadd.s64 %o, %o, %at;\n"              \
             ".loc 1 10 5\nld.global.u32 %v, [%i];\n.loc 1 11 7\n" store "\nret;\n}\n"

static void test_allocations(void **state)
{
    (void)state;
    struct device *device = fixture_open(1, 1000 * SECOND);
    struct device_allocation found;
    struct diagnostic diagnostic = {0};
    uint64_t first = fixture_allocate(device, 100);
    uint64_t second = fixture_allocate(device, 1000);
    uint64_t refused = 0;
    assert_int_equal(first % 512, 0);
    assert_true(second >= first + 100 + 512);
    assert_true(device_find(device, first + 99, &found));
    assert_int_equal(found.address, first);
    assert_int_equal(found.bytes, 100);
    assert_false(device_find(device, first + 100, &found));
    assert_int_equal(device_allocate(device, UINT64_C(1) << 40, &refused, &diagnostic),
                     ERROR_LIMIT);
    assert_int_equal(device_allocate(device, (UINT64_C(1) << 28) - 1000, &refused, &diagnostic),
                     ERROR_LIMIT);
    assert_true(diagnostic.message[0] != '\0');
    assert_false(device_release(device, first + 4));
    assert_true(device_release(device, first));
    assert_false(device_release(device, first));
    assert_false(device_find(device, first, &found));
    assert_true(fixture_allocate(device, 100) > second);
    device_close(device);
}

/* An allocation of as many bytes can be made again where one was freed, with nothing in it. */
static void test_allocations_again(void **state)
{
    (void)state;
    struct device *device = fixture_open(1, 1000 * SECOND);
    struct device_allocation found;
    struct diagnostic diagnostic = {0};
    uint64_t address = fixture_allocate(device, 100);
    uint64_t word = 1;
    assert_int_equal(device_allocate_again(device, 100, address, &diagnostic), ERROR_LIMIT);
    assert_true(device_write(device, address, &word, sizeof word));
    assert_true(device_release(device, address));
    assert_int_equal(device_allocate_again(device, 101, address, &diagnostic), ERROR_LIMIT);
    assert_int_equal(device_allocate_again(device, 100, address + 512, &diagnostic), ERROR_LIMIT);
    assert_int_equal(device_allocate_again(device, 84, address + 16, &diagnostic), ERROR_LIMIT);
    assert_int_equal(device_allocate_again(device, 100, address, &diagnostic), ERROR_NONE);
    assert_true(device_find(device, address, &found));
    assert_int_equal(found.bytes, 100);
    assert_true(device_read(device, address, &word, sizeof word));
    assert_int_equal(word, UINT64_C(0x7ff87ff87ff87ff8));
    assert_int_equal(device_allocate_again(device, 100, address, &diagnostic), ERROR_LIMIT);
    assert_true(device_release(device, address));
    device_close(device);
}

static void test_host_access(void **state)
{
    (void)state;
    struct device *device = fixture_open(1, 1000 * SECOND);
    uint64_t a = fixture_allocate(device, 16);
    uint64_t b = fixture_allocate(device, 16);
    uint16_t poison[8];
    uint32_t words[4] = {1, 2, 3, 4};
    assert_true(device_read(device, a, poison, 16));
    assert_int_equal(poison[7], POISON_HALF);
    assert_true(device_write(device, a, words, 16));
    assert_false(device_write(device, a + 4, words, 16));
    assert_true(device_copy(device, b, a, 16));
    assert_false(device_copy(device, b, a + 1, 16));
    assert_true(device_fill(device, b + 4, 8, 0x11223344, 4));
    assert_false(device_fill(device, b, 17, 0, 1));
    assert_true(device_read(device, b, words, 16));
    assert_int_equal(words[0], 1);
    assert_int_equal(words[1], 0x11223344);
    assert_int_equal(words[2], 0x11223344);
    assert_int_equal(words[3], 4);
    assert_true(device_fill(device, b, 16, 0xab, 1));
    assert_true(device_read(device, b, words, 16));
    assert_int_equal(words[3], 0xabababab);
    device_close(device);
}

static void test_variables_and_snapshot(void **state)
{
    (void)state;
    static const char ptx[] =
        PTX_HEAD ".global .align 4 .u32 counter = 7;\n.const .align 4 .u32 edge = 16;\n"
                 ".global .align 8 .u64 pointer = generic(counter);\n"
                 ".visible .entry step()\n{\n.reg .b32 %c, %e;\n"
                 "ld.global.u32 %c, [counter];\nld.const.u32 %e, [edge];\nadd.s32 %c, %c, %e;\n"
                 "st.global.u32 [counter], %c;\nret;\n}\n";
    struct device *device = fixture_open(1, 1000 * SECOND);
    struct diagnostic diagnostic = {0};
    uint32_t module = fixture_load(device, ptx);
    uint64_t block = fixture_allocate(device, 4);
    struct device_allocation counter;
    struct device_allocation block_width;
    struct device_allocation pointer;
    uint32_t value = 0;
    uint64_t address = 0;
    assert_true(device_variable(device, module, "counter", &counter));
    assert_true(device_variable(device, module, "edge", &block_width));
    assert_true(device_variable(device, module, "pointer", &pointer));
    assert_false(device_variable(device, module, "absent", &pointer));
    assert_true(block_width.is_constant && block_width.is_module_variable && !counter.is_constant);
    assert_true(device_read(device, pointer.address, &address, sizeof address));
    assert_int_equal(address, counter.address);
    assert_false(device_release(device, counter.address));

    value = 1;
    assert_true(device_write(device, block, &value, 4));
    assert_int_equal(device_snapshot(device, &diagnostic), ERROR_NONE);
    for (uint32_t round = 0; round < 3; round++) {
        value = 100 + round;
        assert_true(device_write(device, block_width.address, &value, 4));
        assert_true(device_write(device, block, &value, 4));
        assert_int_equal(fixture_launch(device, module, 1, 1, NULL).status, LAUNCH_DONE);
        assert_true(device_read(device, counter.address, &value, 4));
        assert_int_equal(value, 107 + round);
        device_restore(device);
        assert_true(device_read(device, counter.address, &value, 4));
        assert_int_equal(value, 7);
        assert_true(device_read(device, block, &value, 4));
        assert_int_equal(value, 1);
    }
    device_discard(device);
    assert_int_equal(fixture_launch(device, module, 1, 1, NULL).status, LAUNCH_DONE);
    device_restore(device);
    assert_true(device_read(device, counter.address, &value, 4));
    assert_int_equal(value, 23);
    device_close(device);
}

/* An address counts from the allocation that its pointer points into, if another one is nearer. */
static void test_base_of_access(void **state)
{
    (void)state;
    struct device *device = fixture_open(1, 1000 * SECOND);
    uint32_t module = fixture_load(device, COPY_PTX("st.global.u32 [%o+-4], %v;"));
    uint64_t out = fixture_allocate(device, 4);
    uint64_t in = fixture_allocate(device, 4);
    uint32_t far = fixture_load(device, COPY_PTX("st.global.u32 [%o+60000], %v;"));
    uint64_t parameters[2] = {in, out};
    assert_true(in > out + 60000 && in < out + 100000);
    struct device_launch_result result = fixture_launch(device, far, 1, 1, parameters);
    const struct finding_record *record =
        fixture_finding(&result, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS);
    assert_int_equal(record->address, out + 60000);
    assert_int_equal(record->has_base, 1);
    assert_int_equal(record->distance_bytes, 60000 - 4);
    assert_int_equal(record->object_bytes, 4);

    parameters[1] = in;
    result = fixture_launch(device, module, 1, 1, parameters);
    record = fixture_finding(&result, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS);
    assert_int_equal(record->has_base, 1);
    assert_int_equal(record->distance_bytes, -4);
    device_close(device);
}

static void test_out_of_bounds(void **state)
{
    (void)state;
    struct device *device = fixture_open(2, 1000 * SECOND);
    uint32_t module = fixture_load(device, COPY_PTX("st.global.u32 [%o], %v;"));
    uint64_t in = fixture_allocate(device, ELEMENTS * 4);
    uint64_t out = fixture_allocate(device, (ELEMENTS - 3) * 4);
    uint64_t parameters[2] = {in, out};
    uint32_t values[ELEMENTS];
    for (uint32_t i = 0; i < ELEMENTS; i++) {
        values[i] = i * i;
    }
    device_write(device, in, values, sizeof values);
    struct device_launch_result result = fixture_launch(device, module, 5, ELEMENTS, parameters);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_int_equal(result.finding_count, 1);
    const struct finding_record *record = &result.findings[0];
    assert_int_equal(record->kind, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS);
    assert_int_equal(record->count, 3 * 5);
    assert_int_equal(record->address, out + (ELEMENTS - 3) * 4);
    assert_int_equal(record->distance_bytes, 0);
    assert_int_equal(record->object_bytes, (ELEMENTS - 3) * 4);
    assert_int_equal(record->access_bytes, 4);
    assert_int_equal(record->place_count, 1);
    assert_int_equal(record->places[0].access, FINDING_RECORD_WRITE);
    assert_int_equal(record->places[0].line, 11);
    assert_int_equal(record->places[0].column, 7);
    assert_int_equal(record->places[0].file, 1);
    assert_int_equal(record->places[0].block[0], 0);
    assert_int_equal(record->places[0].thread[0], ELEMENTS - 3);
    uint32_t stored[ELEMENTS - 3];
    device_read(device, out, stored, sizeof stored);
    assert_memory_equal(stored, values, sizeof stored);

    parameters[0] = in - 8;
    result = fixture_launch(device, module, 1, ELEMENTS, parameters);
    record = fixture_finding(&result, FINDING_RECORD_GLOBAL_OUT_OF_BOUNDS);
    assert_int_equal(record->places[0].line, 10);
    assert_int_equal(record->distance_bytes, -8);
    assert_int_equal(record->count, 2);
    device_read(device, out, stored, sizeof stored);
    assert_int_equal(stored[0], (uint32_t)POISON_WORD);
    assert_int_equal(stored[2], values[0]);
    device_close(device);
}

/* Where a pointer leads to decides the kind. */
static void test_kinds_of_pointers(void **state)
{
    (void)state;
    struct device *device = fixture_open(1, 1000 * SECOND);
    uint32_t module = fixture_load(device, COPY_PTX("st.global.u32 [%o], %v;"));
    uint32_t generic = fixture_load(device, COPY_PTX("st.u32 [%o], %v;"));
    uint32_t constant = fixture_load(device, ".version 9.0\n.target sm_75\n.address_size 64\n"
                                             ".const .align 4 .b8 table[256];\n"
                                             ".visible .entry k()\n{\nret;\n}\n");
    struct device_allocation table;
    assert_true(device_variable(device, constant, "table", &table));
    uint64_t in = fixture_allocate(device, ELEMENTS * 4);
    uint64_t out = fixture_allocate(device, ELEMENTS * 4 + 4);
    uint64_t freed = fixture_allocate(device, ELEMENTS * 4);
    assert_true(device_release(device, freed));
    const struct {
        uint64_t in, out;
        enum finding_record_kind kind;
        uint32_t line;
    } cases[] = {
        {in, 0, FINDING_RECORD_NULL_POINTER, 11},
        {0, out, FINDING_RECORD_NULL_POINTER, 10},
        {in, UINT64_C(0x7ffc12345678), FINDING_RECORD_HOST_POINTER, 11},
        {freed, out, FINDING_RECORD_USE_AFTER_FREE, 10},
        {in, freed, FINDING_RECORD_USE_AFTER_FREE, 11},
        {in, out + 2, FINDING_RECORD_MISALIGNED, 11},
        {in, table.address, FINDING_RECORD_WRITE_TO_CONSTANT, 11},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned k = 0; k < 2; k++) {
            uint64_t parameters[2] = {cases[i].in, cases[i].out};
            struct device_launch_result result =
                fixture_launch(device, k == 0 ? module : generic, 1, ELEMENTS, parameters);
            assert_int_equal(result.finding_count, 1);
            const struct finding_record *record = fixture_finding(&result, cases[i].kind);
            assert_int_equal(record->count, ELEMENTS);
            assert_int_equal(record->places[0].line, cases[i].line);
        }
    }
    device_close(device);
}

static void test_shared_bounds(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".file 1 \"tile.cu\"\n"
        ".visible .entry k(.param .u32 shift, .param .u64 out)\n{\n.reg .b32 %t, %s, %a, %v;\n"
        ".reg .b64 %o, %at;\n.shared .align 4 .b8 first[64];\n.shared .align 4 .b8 second[64];\n"
        "ld.param.u32 %s, [shift];\nld.param.u64 %o, [out];\nmov.u32 %t, %tid.x;\n"
        "mov.u32 %a, second;\nmad.lo.u32 %a, %t, 4, %a;\nadd.s32 %a, %a, %s;\n"
        ".loc 1 3 9\nst.shared.u32 [%a], %t;\n.loc 1 4 9\nld.shared.u32 %v, [first+4];\n"
        "mul.wide.u32 %at, %t, 4;\nadd.s64 %o, %o, %at;\nst.global.u32 [%o], %v;\nret;\n}\n";
    struct device *device = fixture_open(1, 1000 * SECOND);
    uint32_t module = fixture_load(device, ptx);
    uint64_t out = fixture_allocate(device, 64);
    struct device_function_info info;
    assert_true(device_function_info(device, module, 0, &info));
    assert_int_equal(info.static_shared_bytes, 128);
    assert_int_equal(info.parameter_count, 2);
    assert_int_equal(info.parameters[1].offset, 8);
    struct {
        uint32_t shift;
        uint64_t out;
    } parameters = {0, out};
    struct device_launch_result result = fixture_launch(device, module, 1, 16, &parameters);
    assert_int_equal(result.finding_count, 1);
    fixture_finding(&result, FINDING_RECORD_SHARED_UNINITIALISED);
    uint32_t value;
    device_read(device, out, &value, 4);
    assert_int_equal(value, (uint32_t)POISON_WORD);

    parameters.shift = 8;
    result = fixture_launch(device, module, 1, 16, &parameters);
    const struct finding_record *record =
        fixture_finding(&result, FINDING_RECORD_SHARED_OUT_OF_BOUNDS);
    assert_int_equal(record->count, 2);
    assert_int_equal(record->distance_bytes, 0);
    assert_int_equal(record->object_bytes, 64);
    assert_string_equal(record->text, "second");
    assert_int_equal(record->places[0].thread[0], 14);
    assert_int_equal(record->places[0].line, 3);
    device_close(device);
}

/* A register that holds an address in one of two variables keeps each lane to its own: by selection,
 * on two paths, swapped in a loop, and through a generic address. */
static void test_selected_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *access;
        uint32_t threads; /* that overrun: 16 words lie in each variable */
        const char *object;
    } rows[] = {
        {"selp.b32 %c, %a, %b, %p;\nld.shared.u32 %v, [%c+56];\n", 0, ""},
        {"selp.b32 %c, %a, %b, %p;\nmad.lo.u32 %c, %t, 4, %c;\nld.shared.u32 %v, [%c+40];\n", 2,
         "second"},
        {"mov.u32 %c, %b;\n@%p mov.u32 %c, %a;\nadd.u32 %c, %c, 64;\nld.shared.u32 %v, [%c];\n", 8,
         "first"},
        {"@%p bra LOW;\nmov.u32 %c, %b;\nbra JOIN;\nLOW:\nmov.u32 %c, %a;\nJOIN:\n"
         "sub.s32 %c, %c, 4;\nld.shared.u32 %v, [%c];\n",
         8, "first"},
        {"mov.u32 %r, 3;\nAGAIN:\nmov.u32 %c, %a;\nmov.u32 %a, %b;\nmov.u32 %b, %c;\n"
         "sub.u32 %r, %r, 1;\nsetp.ne.u32 %p, %r, 0;\n@%p bra AGAIN;\n"
         "ld.shared.u32 %v, [%a+64];\n",
         8, "second"},
        {"selp.b32 %c, %a, %b, %p;\ncvt.u64.u32 %o, %c;\ncvta.shared.u64 %o, %o;\n"
         "ld.u32 %v, [%o+64];\n",
         8, "first"},
        /* made in a way that is not followed: held to all of shared memory */
        {"selp.b32 %c, %a, %b, %p;\nxor.b32 %c, %c, 0;\nld.shared.u32 %v, [%c+4];\n", 0, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char ptx[2048];
        snprintf(ptx, sizeof ptx,
                 PTX_HEAD ".visible .entry k()\n{\n.reg .b32 %%a, %%b, %%c, %%t, %%r, %%v;\n"
                          ".reg .b64 %%o;\n.reg .pred %%p;\n.shared .align 4 .b8 first[64];\n"
                          ".shared .align 4 .b8 second[64];\n.shared .align 4 .b8 third[64];\n"
                          "mov.u32 %%t, %%tid.x;\nmov.u32 %%a, first;\nmov.u32 %%b, second;\n"
                          "setp.lt.u32 %%p, %%t, 4;\n%sret;\n}\n",
                 rows[i].access);
        struct device *device = fixture_open(1, 1000 * SECOND);
        struct device_launch_result result =
            fixture_launch(device, fixture_load(device, ptx), 1, 8, NULL);
        assert_int_equal(result.finding_count, rows[i].threads > 0);
        if (rows[i].threads > 0) {
            const struct finding_record *record =
                fixture_finding(&result, FINDING_RECORD_SHARED_OUT_OF_BOUNDS);
            assert_int_equal(record->count, rows[i].threads);
            assert_int_equal(record->object_bytes, 64);
            assert_string_equal(record->text, rows[i].object);
        }
        device_close(device);
    }
}

/* What lies before the start of a space has an offset that wraps, at as many bits as the address is
 * computed with, and generic addresses of other windows. */
static void test_before_the_start(void **state)
{
    (void)state;
    static const struct {
        const char *access;
        enum finding_record_kind kind;
        int64_t distance_bytes, object_bytes;
        const char *object;
    } rows[] = {
        {"mov.u32 %a, first;\nld.shared.u32 %v, [%a+-4];\n", FINDING_RECORD_SHARED_OUT_OF_BOUNDS,
         -4, 16, "first"},
        {"mov.u64 %o, first;\nld.shared.u32 %v, [%o+-8];\n", FINDING_RECORD_SHARED_OUT_OF_BOUNDS,
         -8, 16, "first"},
        {"cvta.shared.u64 %o, first;\nld.u32 %v, [%o+-12];\n", FINDING_RECORD_SHARED_OUT_OF_BOUNDS,
         -12, 16, "first"},
        {"mov.u32 %a, 0x80000000;\nld.shared.u32 %v, [%a];\n", FINDING_RECORD_SHARED_OUT_OF_BOUNDS,
         -INT64_C(0x80000000), 16, "first"},
        {"mov.u32 %a, second;\nld.shared.u32 %v, [%a+64];\n", FINDING_RECORD_SHARED_OUT_OF_BOUNDS,
         32, 32, "second"},
        {"mov.u64 %o, 0x8000000000000000;\nld.shared.u32 %v, [%o];\n",
         FINDING_RECORD_SHARED_OUT_OF_BOUNDS, INT64_MIN, 16, "first"},
        {"mov.u64 %o, own;\nld.local.u32 %v, [%o+-4];\n", FINDING_RECORD_LOCAL_OUT_OF_BOUNDS, -4,
         32, ""},
        {"cvta.local.u64 %o, own;\nld.u32 %v, [%o+-16];\n", FINDING_RECORD_LOCAL_OUT_OF_BOUNDS, -16,
         32, ""},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char ptx[1024];
        snprintf(ptx, sizeof ptx,
                 PTX_HEAD ".visible .entry k()\n{\n.reg .b32 %%a, %%v;\n.reg .b64 %%o;\n"
                          ".local .align 16 .b8 own[32];\n.shared .align 16 .b8 first[16];\n"
                          ".shared .align 16 .b8 second[32];\n%sret;\n}\n",
                 rows[i].access);
        struct device *device = fixture_open(1, 1000 * SECOND);
        struct device_launch_result result =
            fixture_launch(device, fixture_load(device, ptx), 1, 1, NULL);
        const struct finding_record *record = fixture_finding(&result, rows[i].kind);
        assert_int_equal(record->distance_bytes, rows[i].distance_bytes);
        assert_int_equal(record->object_bytes, rows[i].object_bytes);
        assert_string_equal(record->text, rows[i].object);
        device_close(device);
    }
}

/* Dynamic shared memory begins behind the static one; its size is that of the launch. */
static void test_dynamic_shared(void **state)
{
    (void)state;
    static const char ptx[] = PTX_HEAD
        ".extern .shared .align 16 .b8 dynamic[];\n"
        ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %t, %a, %v;\n"
        ".reg .b64 %o, %at;\n.shared .align 4 .b8 fixed[20];\n"
        "ld.param.u64 %o, [out];\nmov.u32 %t, %tid.x;\nst.shared.u32 [fixed+16], 7;\n"
        "mov.u32 %a, dynamic;\nmad.lo.u32 %a, %t, 4, %a;\nst.shared.u32 [%a], %t;\n"
        "st.shared.u32 [%a+128], %a;\nld.shared.u32 %v, [%a];\n"
        "mul.wide.u32 %at, %t, 4;\nadd.s64 %o, %o, %at;\nst.global.u32 [%o], %v;\nret;\n}\n";
    struct device *device = fixture_open(1, 1000 * SECOND);
    uint64_t out = fixture_allocate(device, 128);
    struct device_launch launch = {.module = fixture_load(device, ptx),
                                   .grid = {1, 1, 1},
                                   .block = {32, 1, 1},
                                   .dynamic_shared_bytes = 256,
                                   .parameters = &out};
    struct device_launch_result result;
    uint32_t values[32];
    device_launch(device, &launch, &result);
    assert_int_equal(result.finding_count, 0);
    device_read(device, out, values, sizeof values);
    assert_int_equal(values[31], 31);
    launch.dynamic_shared_bytes = 248;
    device_launch(device, &launch, &result);
    const struct finding_record *record =
        fixture_finding(&result, FINDING_RECORD_SHARED_OUT_OF_BOUNDS);
    assert_int_equal(result.finding_count, 1);
    assert_int_equal(record->count, 2);
    assert_int_equal(record->address, 32 + 248);
    assert_string_equal(record->text, "dynamic");
    assert_int_equal(record->object_bytes, 248);
    assert_int_equal(record->distance_bytes, 0);
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocations),       cmocka_unit_test(test_allocations_again),
        cmocka_unit_test(test_host_access),       cmocka_unit_test(test_variables_and_snapshot),
        cmocka_unit_test(test_base_of_access),    cmocka_unit_test(test_out_of_bounds),
        cmocka_unit_test(test_kinds_of_pointers), cmocka_unit_test(test_shared_bounds),
        cmocka_unit_test(test_selected_bounds),   cmocka_unit_test(test_before_the_start),
        cmocka_unit_test(test_dynamic_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
