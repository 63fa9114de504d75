/* test_value_origins.c: which line stored a word and which one made its value, through launches,
 * shared memory and copies. */
#include "../nvcc_run.h"
#include "emulated_fixture.h"

#define SECOND UINT64_C(1000000000)

/* to[i] = from[i], the last of four 7: line 10, or 11. */
static const char pad_ptx[] = PTX_HEAD
    ".file 1 \"pad.cu\"\n.visible .entry pad(.param .u64 from, .param .u64 to)\n{\n"
    ".reg .b64 %f, %t, %x;\n.reg .b32 %i, %v;\n.reg .pred %p;\n"
    "ld.param.u64 %f, [from];\nld.param.u64 %t, [to];\nmov.u32 %i, %tid.x;\n"
    "mul.wide.u32 %x, %i, 4;\nadd.u64 %f, %f, %x;\nadd.u64 %t, %t, %x;\nsetp.eq.u32 %p, %i, 3;\n"
    ".loc 1 10 5\nld.global.u32 %v, [%f];\nst.global.u32 [%t], %v;\n"
    ".loc 1 11 5\n@%p st.global.u32 [%t], 7;\nret;\n}\n";

/* to[i] = tile[i ^ 1] for tile[i] = from[i]: line 22; then to[0] += 1: line 23. */
static const char swap_ptx[] = PTX_HEAD
    ".file 1 \"swap.cu\"\n.visible .entry swap(.param .u64 from, .param .u64 to)\n{\n"
    ".shared .align 8 .b8 tile[16];\n.reg .b64 %f, %t, %x;\n.reg .b32 %i, %v, %s, %o;\n"
    ".reg .pred %p;\nld.param.u64 %f, [from];\nld.param.u64 %t, [to];\nmov.u32 %i, %tid.x;\n"
    "mul.wide.u32 %x, %i, 4;\nadd.u64 %f, %f, %x;\nadd.u64 %t, %t, %x;\nsetp.eq.u32 %p, %i, 0;\n"
    "mov.u32 %s, tile;\nshl.b32 %o, %i, 2;\nadd.u32 %s, %s, %o;\n"
    ".loc 1 21 5\nld.global.u32 %v, [%f];\nst.shared.u32 [%s], %v;\nbar.sync 0;\n"
    "xor.b32 %s, %s, 4;\n.loc 1 22 5\nld.shared.u32 %v, [%s];\nst.global.u32 [%t], %v;\n"
    ".loc 1 23 5\nadd.u32 %v, %v, 1;\n@%p st.global.u32 [%t], %v;\nret;\n}\n";

/* Has an instruction that reads a texture, for a thread that there is not. */
static const char sampled_ptx[] =
    PTX_HEAD ".visible .entry sampled(.param .u64 from, .param .u64 to)\n{\n"
             ".reg .b64 %f;\n.reg .b32 %i;\n.reg .f32 %r<4>;\n.reg .pred %p;\n"
             "ld.param.u64 %f, [from];\nmov.u32 %i, %tid.x;\nsetp.gt.u32 %p, %i, 99;\n"
             "@%p tex.1d.v4.f32.s32 {%r0, %r1, %r2, %r3}, [%f, {%i}];\nret;\n}\n";

static void expect_origin(struct device *device, uint64_t address, uint32_t last, uint32_t made)
{
    struct device_origin origin;

    device_find_origin(device, address, 4, &origin);
    assert_int_equal(origin.last.place.line, last);
    assert_int_equal(origin.last.is_known, last != 0);
    assert_int_equal(origin.made.place.line, made);
    assert_int_equal(origin.made.is_known, made != 0);
    assert_int_equal(origin.launch != 0, last != 0);
}

/* The first byte of four words that nothing has loaded, and the line that loads those before it. */
static void expect_unloaded(struct device *device, uint64_t address, uint64_t unloaded,
                            uint32_t loader)
{
    struct device_origin origin;

    device_find_origin(device, address, 16, &origin);
    assert_int_equal(origin.unloaded, unloaded);
    assert_int_equal(origin.loader.place.line, loader);
}

/* Arrays of four words: `arrays[0]` is filled by the host with numbers that all differ. */
static void allocate_arrays(struct device *device, uint64_t arrays[3])
{
    for (uint32_t i = 0; i < 3; i++) {
        arrays[i] = fixture_allocate(device, 16);
    }
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t value = 100 + i;
        assert_true(device_write(device, arrays[0] + 4 * (uint64_t)i, &value, 4));
    }
}

static void test_values_lead_back_to_their_stores(void **state)
{
    (void)state;
    struct device *device = fixture_open(4, 1000 * SECOND);
    uint32_t pad = fixture_load(device, pad_ptx);
    uint32_t swap = fixture_load(device, swap_ptx);
    uint64_t arrays[3];

    allocate_arrays(device, arrays);
    device_follow(device, true);
    const uint64_t padded[2] = {arrays[0], arrays[1]};
    const uint64_t swapped[2] = {arrays[1], arrays[2]};
    expect_unloaded(device, arrays[0], 0, 0);
    struct device_launch_result result = fixture_launch(device, pad, 1, 3, padded);
    expect_unloaded(device, arrays[0], 12, 10);
    result = fixture_launch(device, pad, 1, 4, padded);
    expect_unloaded(device, arrays[0], 16, 10);
    assert_int_equal(result.status, LAUNCH_DONE);
    assert_false(result.is_counted);
    expect_origin(device, arrays[0], 0, 0);
    expect_origin(device, arrays[1], 10, 0);
    expect_origin(device, arrays[1] + 12, 11, 11);
    result = fixture_launch(device, swap, 1, 4, swapped);
    assert_int_equal(result.status, LAUNCH_DONE);
    expect_origin(device, arrays[2], 23, 23);
    expect_origin(device, arrays[2] + 4, 22, 0);
    expect_origin(device, arrays[2] + 8, 22, 11);
    expect_origin(device, arrays[2] + 12, 22, 0);
    expect_unloaded(device, arrays[2], 0, 0);
    assert_true(device_copy(device, arrays[0], arrays[2] + 4, 8));
    expect_unloaded(device, arrays[2] + 4, 8, 0);
    expect_origin(device, arrays[0], 22, 0);
    expect_origin(device, arrays[0] + 4, 22, 11);
    expect_origin(device, arrays[0] + 8, 0, 0);
    assert_true(device_fill(device, arrays[0] + 4, 4, 0, 4));
    expect_origin(device, arrays[0] + 4, 0, 0);
    expect_origin(device, arrays[0], 22, 0);
    device_follow(device, false);
    expect_origin(device, arrays[0], 0, 0);
    assert_true(fixture_launch(device, swap, 1, 4, swapped).is_counted);
    device_close(device);
}

/* Launches a kernel on two arrays from a place of the program. */
static void launch_at(struct device *device, uint32_t module, uint32_t site, uint64_t from,
                      uint64_t to)
{
    const uint64_t parameters[2] = {from, to};
    const struct device_launch launch = {.module = module,
                                         .grid = {1, 1, 1},
                                         .block = {4, 1, 1},
                                         .parameters = parameters,
                                         .site = site};
    struct device_launch_result result;

    device_launch(device, &launch, &result);
    assert_int_equal(result.status, LAUNCH_DONE);
}

static void expect_lost(struct device *device, uint64_t output, uint32_t site)
{
    struct device_origin origin;

    device_find_origin(device, output, 16, &origin);
    assert_int_equal(origin.lost_site, site);
}

/* A launch is lost whose stores nothing uses, if those of another one of its kernel are used. */
static void test_launches_whose_stores_are_lost(void **state)
{
    (void)state;
    struct device *device = fixture_open(4, 1000 * SECOND);
    uint32_t pad = fixture_load(device, pad_ptx);
    uint32_t swap = fixture_load(device, swap_ptx);
    const uint64_t scratch = fixture_allocate(device, 16);
    uint64_t arrays[3];
    char host[16];

    allocate_arrays(device, arrays);
    device_follow(device, true);
    launch_at(device, pad, 1, arrays[0], arrays[1]);
    launch_at(device, swap, 2, arrays[1], scratch); /* the only one of its kernel */
    launch_at(device, pad, 3, arrays[1], arrays[2]);
    expect_lost(device, arrays[2], 0);
    launch_at(device, swap, 4, arrays[1], arrays[2]);
    expect_lost(device, arrays[2], 2);
    assert_true(device_read(device, scratch, host, 16));
    expect_lost(device, arrays[2], 3); /* which was overwritten */
    device_follow(device, true);
    launch_at(device, pad, 1, arrays[0], scratch);
    launch_at(device, pad, 2, arrays[0], arrays[2]);
    expect_lost(device, arrays[2], 1);
    launch_at(device, pad, 1, arrays[0], arrays[1]);
    launch_at(device, pad, 2, arrays[1], arrays[2]);
    expect_lost(device, arrays[2], 0); /* from that place comes one that is used */
    device_follow(device, true);
    launch_at(device, pad, 1, arrays[0], scratch);
    launch_at(device, pad, 2, arrays[0], arrays[2]);
    assert_true(device_copy(device, arrays[1], scratch, 16));
    expect_lost(device, arrays[2], 0);
    device_follow(device, true);
    launch_at(device, pad, 1, arrays[0], scratch);
    launch_at(device, pad, 2, arrays[0], arrays[2]);
    expect_lost(device, arrays[2], 1);
    launch_at(device, fixture_load(device, sampled_ptx), 3, arrays[0], arrays[1]);
    expect_lost(device, arrays[2], 0); /* reads of textures are not followed */
    device_close(device);
}

/* As many launches, and from as many places, as there is room for; one more makes all unknown. */
static void test_many_launches_whose_stores_are_lost(void **state)
{
    (void)state;
    enum { MOST = 4096 };
    struct device *device = fixture_open(4, 1000 * SECOND);
    uint32_t pad = fixture_load(device, pad_ptx);
    const uint64_t scratch = fixture_allocate(device, 16);
    uint64_t arrays[3];

    allocate_arrays(device, arrays);
    device_follow(device, true);
    for (uint32_t i = 1; i < MOST; i++) {
        launch_at(device, pad, 1, arrays[0], arrays[1]);
    }
    launch_at(device, pad, MOST, arrays[1], arrays[2]);
    expect_lost(device, arrays[2], 0);
    expect_lost(device, arrays[1], MOST);
    launch_at(device, pad, MOST, arrays[0], scratch);
    expect_lost(device, arrays[1], 0);
    device_close(device);
}

/* What the host has read is not looked at without end; then it may have used anything. */
static void test_reads_without_end_may_use_all(void **state)
{
    (void)state;
    struct device *device = fixture_open(4, 1000 * SECOND);
    uint32_t pad = fixture_load(device, pad_ptx);
    const uint64_t scratch = fixture_allocate(device, 16);
    const size_t bytes = (size_t)16 << 20;
    const uint64_t large = fixture_allocate(device, bytes);
    char *host = malloc(bytes);
    uint64_t arrays[3];

    assert_non_null(host);
    allocate_arrays(device, arrays);
    device_follow(device, true);
    launch_at(device, pad, 1, arrays[0], scratch);
    launch_at(device, pad, 2, arrays[0], arrays[2]);
    for (int i = 0; i < 17; i++) {
        expect_lost(device, arrays[2], i < 16 ? 1 : 0);
        assert_true(device_read(device, large, host, bytes));
    }
    free(host);
    device_close(device);
}

static void test_too_much_to_follow_leaves_nothing_known(void **state)
{
    (void)state;
    struct device *device = fixture_open(4, 1000 * SECOND);
    uint32_t pad = fixture_load(device, pad_ptx);
    uint64_t arrays[3];

    allocate_arrays(device, arrays);
    device_follow(device, true);
    const uint64_t padded[2] = {arrays[0], arrays[1]};
    fixture_launch(device, pad, 1, 4, padded);
    const uint64_t large = fixture_allocate(device, UINT64_C(64) << 20);
    expect_origin(device, arrays[1], 10, 0);
    for (int i = 0; i < 10; i++) {
        assert_true(device_copy(device, large, large + (UINT64_C(32) << 20), UINT64_C(32) << 20));
    }
    expect_origin(device, arrays[1], 0, 0);
    device_close(device);
}

/* to[i] = from[i] + tile[i ^ 1], tile[i] = from[i] * 3: the tile is read in line 32; to[3] stays. A
 * thread whose element is 102 also stores 7 in to[3]: line 34. */
static const char sum_ptx[] = PTX_HEAD
    ".file 1 \"sum.cu\"\n.visible .entry sum(.param .u64 from, .param .u64 to)\n{\n"
    ".shared .align 8 .b8 tile[16];\n.reg .b64 %f, %t, %x;\n.reg .b32 %i, %v, %w, %s, %o;\n"
    ".reg .pred %p;\nld.param.u64 %f, [from];\nld.param.u64 %t, [to];\nmov.u32 %i, %tid.x;\n"
    "mul.wide.u32 %x, %i, 4;\nadd.u64 %f, %f, %x;\nadd.u64 %x, %t, %x;\n"
    "mov.u32 %s, tile;\nshl.b32 %o, %i, 2;\nadd.u32 %s, %s, %o;\n"
    ".loc 1 31 5\nld.global.u32 %v, [%f];\nmul.lo.u32 %w, %v, 3;\nst.shared.u32 [%s], %w;\n"
    "bar.sync 0;\nxor.b32 %s, %s, 4;\n.loc 1 32 5\nld.shared.u32 %w, [%s];\n"
    "add.u32 %w, %w, %v;\nsetp.lt.u32 %p, %i, 3;\n@%p st.global.u32 [%x], %w;\n"
    "setp.ne.u32 %p, %v, 102;\n@%p bra DONE;\n"
    ".loc 1 34 5\nst.global.u32 [%t + 12], 7;\nDONE:\nret;\n}\n";

/* to[0] = the sum of from[0] to from[2], by shuffles: line 41; then to[0] += from[0], atomically. */
static const char fold_ptx[] = PTX_HEAD
    ".file 1 \"fold.cu\"\n.visible .entry fold(.param .u64 from, .param .u64 to)\n{\n"
    ".reg .b64 %f, %t, %x;\n.reg .b32 %i, %v, %w, %x1;\n"
    ".reg .pred %p;\nld.param.u64 %f, [from];\nld.param.u64 %t, [to];\nmov.u32 %i, %tid.x;\n"
    "mul.wide.u32 %x, %i, 4;\nadd.u64 %f, %f, %x;\nsetp.eq.u32 %p, %i, 0;\n"
    ".loc 1 40 5\nld.global.u32 %v, [%f];\n.loc 1 41 5\n"
    "shfl.sync.down.b32 %w, %v, 2, 31, 15;\nadd.u32 %w, %w, %v;\n"
    "shfl.sync.down.b32 %x1, %v, 1, 31, 15;\nadd.u32 %w, %w, %x1;\n"
    "@%p st.global.u32 [%t], %w;\n@%p red.global.add.u32 [%t], %v;\nret;\n}\n";

/* The bytes to[i] = from[i] + from[i + 1]. */
static const char bytes_ptx[] =
    PTX_HEAD ".file 1 \"bytes.cu\"\n.visible .entry bytes(.param .u64 from, .param .u64 to)\n{\n"
             ".reg .b64 %f, %t, %x;\n.reg .b32 %i, %w;\n.reg .b16 %a, %b;\n.reg .f32 %g, %h;\n"
             "ld.param.u64 %f, [from];\nld.param.u64 %t, [to];\nmov.u32 %i, %tid.x;\n"
             "cvt.u64.u32 %x, %i;\nadd.u64 %f, %f, %x;\nadd.u64 %t, %t, %x;\n"
             "ld.global.u8 %a, [%f];\nld.global.u8 %b, [%f + 1];\ncvt.rn.f32.u16 %g, %a;\n"
             "cvt.rn.f32.u16 %h, %b;\nadd.f32 %g, %g, %h;\ncvt.rzi.u32.f32 %w, %g;\n"
             "st.global.u8 [%t], %w;\nret;\n}\n";

/* What a word is made of: a bit for each of four words, and in how many ways the first of them. */
static void expect_terms(struct device *device, uint64_t address, uint64_t words, unsigned bits,
                         uint32_t ways)
{
    struct device_term terms[8];
    size_t count = device_find_terms(device, address, 4, terms, 8);
    unsigned found = 0;

    assert_true(count <= 8);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(terms[i].bytes, 4);
        found |= 1U << (terms[i].address - words) / 4;
    }
    assert_int_equal(found, bits);
    assert_int_equal(count > 0 ? terms[count - 1].count : 0, ways);
}

static void test_values_are_made_of_words(void **state)
{
    (void)state;
    struct device *device = fixture_open(4, 1000 * SECOND);
    uint32_t sum = fixture_load(device, sum_ptx);
    uint64_t arrays[3];
    struct device_term terms[2];
    struct device_place fate;

    allocate_arrays(device, arrays);
    device_follow(device, true);
    const uint64_t summed[2] = {arrays[0], arrays[1]};
    assert_int_equal(fixture_launch(device, sum, 1, 4, summed).status, LAUNCH_DONE);
    expect_terms(device, arrays[1], arrays[0], 3, 1);
    expect_terms(device, arrays[1] + 8, arrays[0], 12, 1);
    expect_terms(device, arrays[1] + 12, arrays[0], 0, 0); /* a constant, chosen by a branch */
    assert_int_equal(device_find_terms(device, arrays[1], 4, terms, 2), 2);
    assert_int_equal(terms[0].load.place.line, 31);
    assert_int_equal(terms[0].place.place.line, 32);
    assert_int_equal(terms[1].place.place.line, 31);
    assert_int_equal(device_find_fate(device, arrays[0], &fate), TERM_DECIDES);
    assert_true(device_copy(device, arrays[2], arrays[1] + 4, 8));
    expect_terms(device, arrays[2] + 4, arrays[0], 12, 1);
    assert_int_equal(device_find_terms(device, arrays[2] + 8, 4, terms, 2), SIZE_MAX);
    device_close(device);
}

static void test_bytes_are_told_apart(void **state)
{
    (void)state;
    struct device *device = fixture_open(4, 1000 * SECOND);
    uint32_t bytes = fixture_load(device, bytes_ptx);
    uint64_t arrays[3];
    struct device_term terms[4];

    allocate_arrays(device, arrays);
    device_follow(device, true);
    const uint64_t summed[2] = {arrays[0], arrays[1]};
    assert_int_equal(fixture_launch(device, bytes, 1, 8, summed).status, LAUNCH_DONE);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(device_find_terms(device, arrays[1] + i, 1, terms, 4), 2);
        assert_int_equal(terms[0].bytes, 1);
        assert_int_equal(terms[0].address + terms[1].address - 2 * arrays[0], 2 * i + 1);
    }
    device_close(device);
}

static void test_shuffles_and_atomics_join(void **state)
{
    (void)state;
    struct device *device = fixture_open(4, 1000 * SECOND);
    uint32_t fold = fixture_load(device, fold_ptx);
    uint64_t arrays[3];
    struct device_place fate;

    allocate_arrays(device, arrays);
    device_follow(device, true);
    const uint64_t folded[2] = {arrays[0], arrays[1]};
    assert_int_equal(fixture_launch(device, fold, 1, 4, folded).status, LAUNCH_DONE);
    expect_terms(device, arrays[1], arrays[0], 7, 2);
    assert_int_equal(device_find_fate(device, arrays[0] + 8, &fate), TERM_READ);
    assert_int_equal(fate.place.line, 41);
    assert_int_equal(device_find_fate(device, arrays[2], &fate), TERM_LOADED);
    assert_false(fate.is_known);
    device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_lead_back_to_their_stores),
        cmocka_unit_test(test_launches_whose_stores_are_lost),
        cmocka_unit_test(test_many_launches_whose_stores_are_lost),
        cmocka_unit_test(test_reads_without_end_may_use_all),
        cmocka_unit_test(test_values_are_made_of_words),
        cmocka_unit_test(test_bytes_are_told_apart),
        cmocka_unit_test(test_shuffles_and_atomics_join),
        cmocka_unit_test(test_too_much_to_follow_leaves_nothing_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
