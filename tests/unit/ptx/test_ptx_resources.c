/* test_ptx_resources.c: values that live at once in small kernels, and what is estimated from it.
 */
#include "ptx/ptx_resources.h"

#include "base/text.h"
#include "ptx/register_pressure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD ".version 9.0\n.target sm_75\n.address_size 64\n"
#define REGISTERS                                                                                  \
    ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<40>; .reg .b64 %rd<9>;\n"                    \
    ".reg .f32 %f<9>;\n"

static struct arena *arena;

static int set_up(void **state)
{
    (void)state;
    arena = arena_new();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_free(arena);
    return 0;
}

static const struct ptx_module *parse(const char *text)
{
    const struct ptx_module *module = NULL;
    struct diagnostic diagnostic = {0};

    if (ptx_parse(arena, text, strlen(text), &module, &diagnostic) != ERROR_NONE) {
        fail_msg("line %d: %s", diagnostic.line, diagnostic.message);
    }
    return module;
}

/* A kernel k with parameters p and q, and what stands before and after its head. */
static const struct ptx_module *kernel(const char *before, const char *bounds, const char *body)
{
    return parse(arena_printf(arena,
                              "%s%s.visible .entry k(.param .u64 p, .param .u32 q)%s\n"
                              "{\n%s%s\nret;\n}\n",
                              HEAD, before, bounds, REGISTERS, body));
}

static struct register_pressure pressure_of(const char *body)
{
    const struct ptx_module *module = kernel("", "", body);
    struct register_pressure pressure;
    struct kernel_flow flow;

    uint64_t work = PTX_RESOURCES_WORK;

    kernel_flow_make(arena, ptx_find_function(module, "k"), false, &flow);
    assert_true(register_pressure_find(arena, &flow, &work, &pressure));
    return pressure;
}

static struct ptx_resources estimate(const struct ptx_module *module, uint32_t major,
                                     uint32_t minor)
{
    uint64_t work = PTX_RESOURCES_WORK;
    struct ptx_resources resources;

    ptx_resources_estimate(module, ptx_find_function(module, "k"), major, minor, &work, &resources);
    return resources;
}

static void test_straight_line(void **state)
{
    (void)state;
    /* %r1 and %r2 live together, then their sum alone */
    const struct register_pressure pressure = pressure_of("mov.u32 %r1, %tid.x;\n"
                                                          "mov.u32 %r2, %tid.y;\n"
                                                          "add.s32 %r3, %r1, %r2;\n"
                                                          "st.shared.u32 [0], %r3;");
    assert_int_equal(pressure.written, 2);
}

static void test_copies_are_one_value(void **state)
{
    (void)state;
    assert_int_equal(pressure_of("mov.u32 %r1, %tid.x;\n"
                                 "mov.u32 %r2, %r1;\n"
                                 "st.shared.u32 [0], %r1;\n"
                                 "st.shared.u32 [4], %r2;")
                         .written,
                     1);
}

static void test_long_values_take_two(void **state)
{
    (void)state;
    /* two 64-bit values, and the 32 bits that both come from */
    assert_int_equal(pressure_of("mov.u32 %r1, %tid.x;\n"
                                 "cvt.u64.u32 %rd1, %r1;\n"
                                 "mul.wide.u32 %rd2, %r1, 8;\n"
                                 "st.shared.u64 [0], %rd1;\n"
                                 "st.shared.u64 [8], %rd2;\n"
                                 "st.shared.u32 [16], %r1;")
                         .written,
                     5);
}

static void test_parameters_and_constants_are_free(void **state)
{
    (void)state;
    assert_int_equal(pressure_of("ld.param.u32 %r1, [q];\n"
                                 "mov.u32 %r2, 7;\n"
                                 "mov.u32 %r3, %ntid.x;\n"
                                 "st.shared.u32 [0], %r1;\n"
                                 "st.shared.u32 [4], %r2;\n"
                                 "st.shared.u32 [8], %r3;")
                         .written,
                     0);
}

static void test_predicates_are_free(void **state)
{
    (void)state;
    assert_int_equal(pressure_of("mov.u32 %r1, %tid.x;\n"
                                 "setp.eq.s32 %p1, %r1, 1;\n"
                                 "setp.eq.s32 %p2, %r1, 2;\n"
                                 "@%p1 bra L;\n@%p2 bra L;\n"
                                 "st.shared.u32 [0], %r1;\nL:")
                         .written,
                     1);
}

static void test_addresses_are_folded(void **state)
{
    (void)state;
    assert_int_equal(pressure_of("mov.u32 %r1, %tid.x;\n"
                                 "add.s32 %r2, %r1, 4;\n"
                                 "add.s32 %r3, %r1, 8;\n"
                                 "st.shared.u32 [%r2], 0;\n"
                                 "st.shared.u32 [%r3], 0;\n"
                                 "st.shared.u32 [%r1], 0;")
                         .written,
                     1);
}

/* A sum and a counter live around the loop, %r3 as well as it is read after it. */
static void test_loop(void **state)
{
    (void)state;
    const struct register_pressure pressure = pressure_of("mov.u32 %r3, %tid.x;\n"
                                                          "mov.u32 %r1, 0;\n"
                                                          "mov.u32 %r2, 0;\n"
                                                          "L:\n"
                                                          "add.s32 %r1, %r1, %r3;\n"
                                                          "add.s32 %r2, %r2, 1;\n"
                                                          "setp.lt.s32 %p1, %r2, 10;\n"
                                                          "@%p1 bra L;\n"
                                                          "st.shared.u32 [0], %r1;\n"
                                                          "st.shared.u32 [4], %r3;");
    assert_int_equal(pressure.written, 3);
}

/* As written one value lives at a time; the loads may all be done first. */
static void test_loads_may_be_hoisted(void **state)
{
    const char *body = "";

    (void)state;
    for (int i = 0; i < 8; i++) {
        body = arena_printf(arena,
                            "%sld.shared.f32 %%f%d, [%d];\n"
                            "add.f32 %%f8, %%f8, %%f%d;\n",
                            i == 0 ? "mov.f32 %f8, 0f00000000;\n" : body, i, 4 * i, i);
    }
    const struct register_pressure pressure =
        pressure_of(arena_printf(arena, "%sst.shared.f32 [64], %%f8;", body));
    assert_int_equal(pressure.written, 2);
    assert_int_equal(pressure.early.live, 9);
}

/* The machine multiplies and adds at once: %r1 and two sums, but no product. */
static void test_products_are_part_of_sums(void **state)
{
    (void)state;
    assert_int_equal(pressure_of("mov.u32 %r1, %tid.x;\n"
                                 "ld.param.u64 %rd1, [p];\n"
                                 "mul.wide.s32 %rd2, %r1, 4;\n"
                                 "add.s64 %rd3, %rd1, %rd2;\n"
                                 "add.s64 %rd4, %rd3, %rd2;\n"
                                 "st.global.u32 [%rd3], 0;\n"
                                 "st.global.u32 [%rd4], 0;")
                         .written,
                     4);
}

/* Addresses of shared memory have 32 bits, whatever the text says. */
static void test_shared_addresses_take_one(void **state)
{
    (void)state;
    assert_int_equal(pressure_of("mov.u32 %r1, %tid.x;\n"
                                 "cvt.u64.u32 %rd1, %r1;\n"
                                 "mul.lo.s64 %rd2, %rd1, %rd1;\n"
                                 "st.shared.u32 [%rd2], 0;\n"
                                 "st.shared.u32 [%rd2+4], 0;")
                         .written,
                     1);
}

/* A loop of one load, with `pragma` at its start. */
static struct register_pressure loop_pressure(const char *pragma)
{
    return pressure_of(arena_printf(arena,
                                    "mov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, 0;\n"
                                    "mov.f32 %%f1, 0f00000000;\n"
                                    "L:\n%s"
                                    "ld.shared.f32 %%f2, [%%r1];\nadd.f32 %%f1, %%f1, %%f2;\n"
                                    "add.s32 %%r1, %%r1, 4;\nadd.s32 %%r2, %%r2, 1;\n"
                                    "setp.lt.s32 %%p1, %%r2, 100;\n@%%p1 bra L;\n"
                                    "st.shared.f32 [0], %%f1;",
                                    pragma));
}

/* Four loads at once, if the text lets the loop be written out. */
static void test_loops_may_be_written_out(void **state)
{
    (void)state;
    assert_int_equal(loop_pressure(".pragma \"nounroll\";\n").unrolled.live, 4);
    assert_int_equal(loop_pressure("").listed.live, 4);
    assert_in_range(loop_pressure("").unrolled.live, 7, 8);
}

static void test_outside_functions_take_registers(void **state)
{
    (void)state;
    const struct ptx_resources outside =
        estimate(kernel(".extern .func other();\n", "", "call.uni other, ();\n"), 8, 0);
    const struct ptx_resources own =
        estimate(kernel(".func other()\n{\nret;\n}\n", "", "call.uni other, ();\n"), 8, 0);
    assert_int_equal(outside.registers_least, 24);
    assert_in_range(outside.registers_most, 24, 32);
    assert_in_range(own.registers_least, 4, 12);
}

/* A module whose kernels cost too much: the rest has the widest interval at once. */
static void test_work_has_an_end(void **state)
{
    const struct ptx_module *module = kernel("", "", "st.shared.u32 [0], 1;\n");
    struct ptx_resources resources;
    uint64_t work = PTX_RESOURCES_WORK;

    (void)state;
    ptx_resources_estimate(module, ptx_find_function(module, "k"), 9, 0, &work, &resources);
    assert_in_range(work, 1, PTX_RESOURCES_WORK - 1);
    assert_in_range(resources.registers_most, 4, 20);
    work = 5;
    ptx_resources_estimate(module, ptx_find_function(module, "k"), 9, 0, &work, &resources);
    assert_int_equal(resources.registers_least, 4);
    assert_int_equal(resources.registers_most, 255);
    assert_int_equal(resources.static_shared_bytes, 0);
}

static void test_shared_memory_is_laid_out(void **state)
{
    (void)state;
    const struct ptx_module *module =
        kernel(".shared .align 4 .b8 unused[4096];\n.shared .align 16 .b8 named[64];\n"
               ".extern .shared .align 16 .b8 dynamic[];\n",
               "",
               ".shared .align 1 .b8 flag[1];\n.shared .align 8 .b8 tile[128];\n"
               "mov.u32 %r1, named;\nst.shared.u32 [%r1], 0;\nst.shared.u32 [tile], 0;\n"
               "mov.u32 %r2, dynamic;\nst.shared.u32 [%r2], 0;\n");
    /* 1, on to 8, 136, on to 144, 208 */
    assert_int_equal(estimate(module, 9, 0).static_shared_bytes, 208);
}

static void test_shared_memory_of_functions(void **state)
{
    (void)state;
    const struct ptx_module *module =
        kernel(".shared .align 4 .b8 theirs[32];\n"
               ".func helper()\n{\nst.shared.u32 [theirs], 0;\nret;\n}\n",
               "", "call.uni helper, ();\n");
    assert_int_equal(estimate(module, 9, 0).static_shared_bytes, 32);
}

/* Many kernels that call one large function: when no work is left for it, it may name all. */
static void test_naming_has_an_end(void **state)
{
    const struct ptx_module *module =
        kernel(".shared .align 4 .b8 theirs[32];\n.shared .align 4 .b8 other[64];\n"
               ".func helper()\n{\nst.shared.u32 [theirs], 0;\nret;\n}\n",
               "", "call.uni helper, ();\n");
    struct ptx_resources resources;
    uint64_t work = PTX_RESOURCES_WORK;

    (void)state;
    ptx_resources_estimate(module, ptx_find_function(module, "k"), 9, 0, &work, &resources);
    assert_int_equal(resources.static_shared_bytes, 32);
    work = 5;
    ptx_resources_estimate(module, ptx_find_function(module, "k"), 9, 0, &work, &resources);
    assert_int_equal(resources.static_shared_bytes, 96);
    assert_int_equal(work, 5);
}

static void test_bounds_of_the_text(void **state)
{
    (void)state;
    const struct ptx_resources bounded = estimate(kernel("", " .maxntid 16, 16, 2", ""), 9, 0);
    assert_int_equal(bounded.max_threads, 512);
    assert_int_equal(estimate(kernel("", " .reqntid 64", ""), 9, 0).max_threads, 64);
    assert_int_equal(estimate(kernel("", "", ""), 9, 0).max_threads, 0);
    assert_in_range(estimate(kernel("", " .maxnreg 16", ""), 9, 0).registers_most, 4, 24);
    assert_int_equal(estimate(kernel("", "", ".local .align 8 .b8 depot[48];\n"), 9, 0).local_bytes,
                     48);
}

/* A kernel with bounds and so many values at once that nothing folds away. */
static const struct ptx_module *many_values(const char *bounds, int count)
{
    struct text body;

    text_init(&body);
    text_printf(&body, ".reg .b32 %%v<%d>;\n", count);
    for (int i = 0; i < count; i++) {
        text_printf(&body, "ld.volatile.shared.u32 %%v%d, [%d];\n", i, 4 * i);
    }
    text_append(&body, "bar.sync 0;\n");
    for (int i = 0; i < count; i++) {
        text_printf(&body, "st.volatile.shared.u32 [%d], %%v%d;\n", 4 * i, count - 1 - i);
    }
    const struct ptx_module *module = kernel("", bounds, body.bytes);
    text_release(&body);
    return module;
}

static void test_estimate_follows_the_values(void **state)
{
    (void)state;
    const struct ptx_resources many = estimate(many_values("", 60), 9, 0);
    const struct ptx_resources none = estimate(kernel("", "", ""), 9, 0);
    assert_in_range(many.registers_least, 36, 62); /* beyond the budget of 32 */
    assert_in_range(many.registers_most, 62, 120);
    assert_in_range(none.registers_least, 4, 6);
    assert_in_range(none.registers_most, 6, 14);
}

/* What ptxas 13.0 says that a kernel uses which needs more; 255: it leaves the bounds out. */
static void test_bounds_limit_registers(void **state)
{
    static const struct {
        const char *bounds;
        uint32_t of_75, of_80, of_86, of_89, of_90, of_120;
    } rows[] = {
        {" .maxntid 1024", 64, 64, 64, 64, 64, 64},
        {" .reqntid 32, 32", 64, 64, 64, 64, 64, 64},
        {" .maxntid 128 .minnctapersm 8", 64, 64, 64, 64, 64, 64},
        {" .maxntid 128 .minnctapersm 12", 255, 40, 40, 40, 40, 40},
        {" .maxntid 128 .minnctapersm 13", 255, 32, 255, 255, 32, 255},
        {" .maxntid 32 .minnctapersm 17", 255, 96, 255, 96, 96, 96},
        {" .maxntid 32 .minnctapersm 24", 255, 80, 255, 80, 80, 80},
        {" .maxntid 32 .minnctapersm 25", 255, 72, 255, 255, 72, 255},
        {" .maxntid 32 .minnctapersm 33", 255, 255, 255, 255, 255, 255},
        {" .maxnreg 40", 40, 40, 40, 40, 40, 40},
        {" .maxnreg 16", 24, 24, 24, 24, 24, 24},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct ptx_module *module = many_values(rows[i].bounds, 120);
        const struct {
            uint32_t major, minor, expected;
        } of[] = {{7, 5, rows[i].of_75}, {8, 0, rows[i].of_80}, {8, 6, rows[i].of_86},
                  {8, 9, rows[i].of_89}, {9, 0, rows[i].of_90}, {12, 0, rows[i].of_120}};
        for (size_t k = 0; k < sizeof of / sizeof of[0]; k++) {
            const struct ptx_resources got = estimate(module, of[k].major, of[k].minor);
            if (of[k].expected == 255 ? got.registers_most < 120
                                      : got.registers_most != of[k].expected) {
                fail_msg("%s of %u.%u: %u to %u", rows[i].bounds, (unsigned)of[k].major,
                         (unsigned)of[k].minor, (unsigned)got.registers_least,
                         (unsigned)got.registers_most);
            }
            assert_in_range(got.registers_least, 4, got.registers_most);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_straight_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_copies_are_one_value, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_long_values_take_two, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_parameters_and_constants_are_free, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_predicates_are_free, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_addresses_are_folded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_loop, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_loads_may_be_hoisted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_products_are_part_of_sums, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_shared_addresses_take_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_loops_may_be_written_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_outside_functions_take_registers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_work_has_an_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_shared_memory_is_laid_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_shared_memory_of_functions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_naming_has_an_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bounds_of_the_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_estimate_follows_the_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bounds_limit_registers, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
