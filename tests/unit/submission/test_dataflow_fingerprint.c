/* test_dataflow_fingerprint.c: what of PTX plays a part in its marks and what does not; PTX that is hostile;
 * and CUDA sources through nvcc: a disguised copy has the same marks, another solution has not.
 */
#include "submission/dataflow_fingerprint.h"

#include "../nvcc_run.h"

#include <stdint.h>
#include <string.h>

#define DATA GPUGRADE_SOURCE_DIR "/tests/unit/submission/data/"
#define HEAD ".version 9.0\n.target sm_75\n.address_size 64\n"

enum { PTX_BYTES_MAX = 4 << 20 };

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

static struct device_code make(const char *text, size_t length)
{
    const struct fat_module module = {.text = text, .length = length, .arch = 75};
    const struct fat_program program = {.modules = &module, .module_count = 1};
    struct device_code code = dataflow_fingerprint_make(arena, "tiled", &program);

    assert_string_equal(code.program, "tiled");
    for (size_t i = 1; i < code.mark_count; i++) {
        assert_true(code.marks[i] > code.marks[i - 1]);
    }
    return code;
}

static struct device_code make_text(const char *text)
{
    return make(text, strlen(text));
}

static size_t shared_marks(const struct device_code *left, const struct device_code *right)
{
    size_t shared = 0;

    for (size_t i = 0, k = 0; i < left->mark_count && k < right->mark_count;) {
        if (left->marks[i] == right->marks[k]) {
            shared++;
            i++;
            k++;
        } else if (left->marks[i] < right->marks[k]) {
            i++;
        } else {
            k++;
        }
    }
    return shared;
}

static bool is_same(const struct device_code *left, const struct device_code *right)
{
    return left->mark_count == right->mark_count && shared_marks(left, right) == left->mark_count;
}

static const char plain[] =
    HEAD ".func (.param .b32 r0) twice(.param .b32 x)\n{\n.reg .b32 %r<4>;\n"
         "ld.param.u32 %r1, [x];\nadd.s32 %r2, %r1, %r1;\nst.param.b32 [r0], %r2;\nret;\n}\n"
         ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
         ".reg .pred %p<3>; .reg .b32 %r<9>; .reg .b64 %rd<5>;\n"
         ".shared .align 4 .b8 tile[64];\n"
         "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\n"
         "setp.ge.s32 %p1, %r2, %r1;\n@%p1 bra DONE;\n"
         "shl.b32 %r3, %r2, 2;\nmov.u32 %r4, tile;\nadd.s32 %r5, %r4, %r3;\n"
         "st.shared.u32 [%r5], %r1;\nmul.wide.s32 %rd2, %r2, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
         "ld.shared.u32 %r6, [%r5+4];\nst.global.u32 [%rd3], %r6;\nDONE:\nret;\n}\n";

/* The same with other names, numbers, order, places and constants. */
static const char renamed[] =
    HEAD ".file 1 \"other.cu\"\n"
         ".visible .entry kernel(.param .u32 count, .param .u64 out)\n{\n"
         ".shared .align 4 .b8 cache[128];\n"
         ".reg .b64 %q<9>; .reg .b32 %s<19>; .reg .pred %c<7>;\n.loc 1 4 2\n"
         "mov.u32 %s12, %tid.x;\nld.param.u32 %s11, [count];\n"
         "setp.ge.s32 %c6, %s12, %s11;\n@%c6 bra $L_end;\n.loc 1 5 9\n"
         "mul.wide.s32 %q2, %s12, 8;\nld.param.u64 %q1, [out];\nadd.s64 %q3, %q2, %q1;\n"
         "mov.u32 %s4, cache;\nshl.b32 %s3, %s12, 3;\nadd.s32 %s5, %s3, %s4;\n"
         "st.shared.u32 [%s5], %s11;\nld.shared.u32 %s6, [%s5+8];\nst.global.u32 [%q3], %s6;\n"
         "$L_end:\nret;\n}\n"
         ".func (.param .b32 out) zweimal(.param .b32 in)\n{\n.reg .b32 %x<4>;\n"
         "ld.param.u32 %x1, [in];\nadd.s32 %x2, %x1, %x1;\nst.param.b32 [out], %x2;\nret;\n}\n";

static void names_order_and_layout_play_no_part(void **state)
{
    (void)state;
    struct device_code left = make_text(plain), right = make_text(renamed);

    assert_int_equal(left.instructions, 18);
    assert_true(left.mark_count > 14);
    assert_true(is_same(&left, &right));
}

/* Another operation, type or special register: that mark and those behind it are others. */
static void what_is_computed_plays_a_part(void **state)
{
    static const struct {
        const char *from, *to;
        size_t changed; /* marks */
    } changes[] = {
        {"st.global.u32 [%rd3], %r6", "st.global.b32 [%rd3], %r6", 1},
        {"setp.ge.s32", "setp.gt.s32", 2}, /* and the branch */
        {"shl.b32 %r3, %r2, 2", "shl.b32 %r3, %r2, %r1", 5},
        {"st.shared.u32 [%r5], %r1", "st.shared.u32 [%r5], %r2", 1},
        {"add.s32 %r5, %r4, %r3", "sub.s32 %r5, %r4, %r3", 4},
        {"@%p1 bra", "@!%p1 bra", 1},
        {"%tid.x", "%tid.y", 10},
    };
    (void)state;
    struct device_code before = make_text(plain);

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        const char *at = strstr(plain, changes[i].from);
        const char *text = arena_printf(arena, "%.*s%s%s", (int)(at - plain), plain, changes[i].to,
                                        at + strlen(changes[i].from));
        struct device_code after = make_text(text);
        if (before.mark_count - shared_marks(&before, &after) != changes[i].changed) {
            fail_msg("%s: %zu of %zu marks are kept", changes[i].to, shared_marks(&before, &after),
                     before.mark_count);
        }
    }
}

static void a_loop_has_as_many_marks_as_its_body(void **state)
{
    char *text = arena_strdup(arena, HEAD ".visible .entry k(.param .u64 p)\n{\n"
                                          ".reg .f32 %f<9>; .reg .b64 %rd<3>;\n"
                                          "ld.param.u64 %rd1, [p];\nmov.f32 %f1, 0f00000000;\n");
    (void)state;

    for (int i = 0; i < 100; i++) {
        text = arena_printf(arena,
                            "%sld.global.f32 %%f2, [%%rd1+%d];\nfma.rn.f32 %%f1, %%f2, "
                            "%%f2, %%f1;\n",
                            text, 4 * i);
    }
    struct device_code code = make_text(arena_printf(arena,
                                                     "%sst.global.f32 [%%rd1], %%f1;\nret;\n"
                                                     "}\n",
                                                     text));
    assert_int_equal(code.instructions, 204);
    assert_int_equal(code.mark_count, 6);
}

/* A jump is known by its direction, wherever it stands. */
static void jumps_go_back_or_forth(void **state)
{
    static const char start[] = HEAD ".visible .entry k(.param .u32 n)\n{\n.reg .pred %p<2>; "
                                     ".reg .b32 %r<4>;\nld.param.u32 %r1, [n];\n";
    static const char back[] = "AGAIN:\nsub.u32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r1, 0;\n"
                               "@%p1 bra AGAIN;\nret;\n}\n";
    static const char forth[] = "sub.u32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r1, 0;\n"
                                "@%p1 bra AGAIN;\nAGAIN:\nret;\n}\n";
    (void)state;
    struct device_code left = make_text(arena_printf(arena, "%s%s", start, back));
    struct device_code right = make_text(arena_printf(arena, "%s%s", start, forth));
    struct device_code later =
        make_text(arena_printf(arena, "%smov.u32 %%r2, %%tid.x;\n%s", start, back));

    assert_int_equal(left.mark_count, 5);
    assert_int_equal(shared_marks(&left, &right), 4);
    assert_int_equal(shared_marks(&left, &later), 5);
}

static void what_does_not_parse_has_no_marks(void **state)
{
    static const char *const texts[] = {
        "",
        "\n",
        "no ptx",
        HEAD,
        HEAD ".visible .entry k()\n{\nadd.s32 %r1, %r2, %r3;\nret;\n}\n",
        HEAD ".visible .entry k()\n{\n.reg .b32 %r<4294967295>;\nadd.s32 %r1, %r2, "
             "%r4294967290;\nret;\n}\n",
        HEAD ".visible .entry k()\n{\n"};
    (void)state;

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct device_code code = make_text(texts[i]);
        assert_int_equal(code.mark_count, 0);
        assert_int_equal(code.instructions, 0);
    }
}

/* Cut off anywhere and with any byte changed, it is read or it is not. */
static void damaged_text_does_no_harm(void **state)
{
    (void)state;
    for (size_t length = 0; length < sizeof plain; length++) {
        char *text = arena_strndup(arena, plain, length);
        make(text, length);
        text = arena_strdup(arena, plain);
        text[length < sizeof plain - 1 ? length : 0] = (char)("{}[]%;,.\x80\0"[length % 10]);
        make(text, sizeof plain - 1);
    }
}

static void modules_are_put_together_up_to_a_limit(void **state)
{
    char *filler = arena_alloc(arena, DATAFLOW_FINGERPRINT_TEXT_MAX);
    (void)state;

    memset(filler, ' ', DATAFLOW_FINGERPRINT_TEXT_MAX);
    struct fat_module modules[] = {
        {.text = plain, .length = sizeof plain - 1},
        {.text = "broken", .length = 6},
        {.text = renamed, .length = sizeof renamed - 1},
        {.text = filler, .length = DATAFLOW_FINGERPRINT_TEXT_MAX},
        {.text = plain, .length = sizeof plain - 1},
    };
    const struct fat_program program = {.modules = modules, .module_count = 5};
    struct device_code all = dataflow_fingerprint_make(arena, "tiled", &program);
    struct device_code one = make_text(plain);

    assert_int_equal(all.instructions, 36);
    assert_true(is_same(&all, &one));
}

/* The marks of a source in data/. */
static struct device_code build(const char *nvcc, const char *folder, const char *name)
{
    const char *path = arena_printf(arena, "%s/%s.ptx", folder, name);
    const char *const arguments[] = {nvcc,
                                     "-ptx",
                                     "-lineinfo",
                                     "-w",
                                     "-arch=compute_75",
                                     "-o",
                                     path,
                                     arena_printf(arena, DATA "%s.cu", name),
                                     NULL};
    size_t length = 0;

    nvcc_run(arguments);
    const char *text = nvcc_output(arena, path, PTX_BYTES_MAX, &length);
    return make(text, length);
}

static void copies_are_alike_and_other_solutions_are_not(void **state)
{
    const char *nvcc = nvcc_find(arena);
    char *folder = NULL;
    (void)state;

    if (nvcc == NULL) {
        print_message("skipped: there is no nvcc\n");
        skip();
    }
    assert_int_equal(folder_make_temporary(arena, &folder, NULL), ERROR_NONE);
    struct device_code original = build(nvcc, folder, "smoothing");
    struct device_code copy = build(nvcc, folder, "smoothing_copied");
    struct device_code other = build(nvcc, folder, "smoothing_alone");
    folder_remove(folder);
    assert_true(original.mark_count > 80);
    assert_true(shared_marks(&original, &copy) * 10 >= original.mark_count * 9);
    assert_true(shared_marks(&original, &other) * 2 < original.mark_count);
}

int main(void)
{
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        T(names_order_and_layout_play_no_part),    T(what_is_computed_plays_a_part),
        T(a_loop_has_as_many_marks_as_its_body),   T(jumps_go_back_or_forth),
        T(what_does_not_parse_has_no_marks),       T(damaged_text_does_no_harm),
        T(modules_are_put_together_up_to_a_limit), T(copies_are_alike_and_other_solutions_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
