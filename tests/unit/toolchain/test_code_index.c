/* test_code_index.c: what an index says of PTX: the shared memory that a kernel has, the names of
 * files, which kernels are a library's. */
#include "toolchain/code_index.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Variables of the module are shared by the functions that name them; one with `extern` has no size
 * of its own. */
static const char text[] = ".version 9.0\n"
                           ".target sm_75\n"
                           ".address_size 64\n"
                           ".shared .align 4 .b8 tile[1024];\n"
                           ".shared .align 16 .b8 sums[40];\n"
                           ".extern .shared .align 16 .b8 at_launch[];\n"
                           ".global .align 4 .b8 plain[64];\n"
                           ".func inner()\n"
                           "{ .reg .f32 %f<2>; ld.shared.f32 %f1, [sums+4]; ret; }\n"
                           ".func outer()\n"
                           "{ .reg .b32 %r<2>; mov.u32 %r1, tile; call.uni inner, (); ret; }\n"
                           ".visible .entry nothing()\n"
                           "{ .reg .f32 %f<2>; ld.global.f32 %f1, [plain]; ret; }\n"
                           ".visible .entry dynamic()\n"
                           "{ .reg .f32 %f<2>; ld.shared.f32 %f1, [at_launch]; ret; }\n"
                           ".visible .entry own()\n"
                           "{ .reg .f32 %f<2>; .shared .align 4 .b8 mine[12];\n"
                           "  ld.shared.f32 %f1, [mine]; ret; }\n"
                           ".visible .entry named()\n"
                           "{ .reg .f32 %f<2>; .reg .b32 %r<2>; ld.shared.f32 %f1, [tile];\n"
                           "  mov.u32 %r1, tile; ret; }\n"
                           ".visible .entry called()\n"
                           "{ call.uni outer, (); call.uni outer, (); ret; }\n";

static void shared_memory_is_what_a_kernel_names(void **state)
{
    static const struct {
        const char *kernel;
        uint32_t bytes;
    } rows[] = {{"nothing", 0}, {"dynamic", 0}, {"own", 12}, {"named", 1024}, {"called", 1064}};
    const struct fat_module module = {.text = text, .length = sizeof text - 1};
    const struct fat_program program = {.modules = &module, .module_count = 1};
    struct arena *arena = arena_new();
    struct code_index index;
    struct diagnostic diagnostic = {.message = ""};

    (void)state;
    if (code_index_read(arena, &program, NULL, &index, &diagnostic) != ERROR_NONE) {
        fail_msg("%s", diagnostic.message);
    }
    assert_int_equal(index.module_count, 1);
    assert_int_equal(index.modules[0].kernel_count, sizeof rows / sizeof rows[0]);
    for (size_t i = 0; i < index.modules[0].kernel_count; i++) {
        assert_string_equal(index.modules[0].kernels[i].plain_name, rows[i].kernel);
        assert_int_equal(index.modules[0].kernels[i].static_shared_bytes, rows[i].bytes);
    }
    arena_free(arena);
}

/* A #line names what it likes: what is longer than a file's name can be is none. */
static void names_of_files_are_bounded(void **state)
{
    static const size_t lengths[] = {1024, 1025, 100000};
    struct arena *arena = arena_new();
    struct code_index index;
    struct text ptx;

    (void)state;
    text_init(&ptx);
    text_append(&ptx, ".version 9.0\n.target sm_75\n.address_size 64\n");
    for (size_t i = 0; i < 3; i++) {
        text_printf(&ptx, ".file %zu \"/s/", i + 1);
        for (size_t j = 0; j < lengths[i]; j++) {
            text_append_char(&ptx, 'f');
        }
        text_append(&ptx, "\"\n");
    }
    const struct fat_module module = {.text = ptx.bytes, .length = ptx.length};
    const struct fat_program program = {.modules = &module, .module_count = 1};
    assert_int_equal(code_index_read(arena, &program, "/s", &index, NULL), ERROR_NONE);
    assert_true(index.modules[0].file_count >= 3);
    size_t first = index.modules[0].file_count - 3;
    assert_int_equal(strlen(index.modules[0].files[first]), 1024);
    assert_string_equal(index.modules[0].files[first + 1], "");
    assert_string_equal(index.modules[0].files[first + 2], "");
    text_release(&ptx);
    arena_free(arena);
}

/* Kernels with lines in the folder, without any, of a library with a functor of the folder inlined,
 * and of the folder with a library's function inlined. */
static const char lines[] = ".version 9.0\n"
                            ".target sm_75\n"
                            ".address_size 64\n"
                            ".visible .entry own()\n"
                            "{ .reg .b32 %r<2>;\n"
                            "  .loc 1 3 0\n  mov.u32 %r1, 1; ret; }\n"
                            ".visible .entry bare()\n"
                            "{ .reg .b32 %r<2>; mov.u32 %r1, 1; ret; }\n"
                            ".visible .entry library()\n"
                            "{ .reg .b32 %r<2>;\n"
                            "  .loc 2 9 0\n  mov.u32 %r1, 1;\n"
                            "  .loc 1 5 0, function_name $L__info_string0, inlined_at 2 9 0\n"
                            "  mov.u32 %r1, 2; ret; }\n"
                            ".visible .entry helped()\n"
                            "{ .reg .b32 %r<2>;\n"
                            "  .loc 1 7 0\n  mov.u32 %r1, 1;\n"
                            "  .loc 2 4 0, function_name $L__info_string0, inlined_at 1 7 0\n"
                            "  mov.u32 %r1, 2; ret; }\n"
                            ".file 1 \"/s/mine.cu\"\n"
                            ".file 2 \"/usr/include/cub/for.cuh\"\n"
                            ".section .debug_str\n"
                            "{\n"
                            "$L__info_string0:\n"
                            ".b8 102,0\n"
                            "}\n";

static void library_kernels_lie_outside_of_the_folder(void **state)
{
    static const bool are_library[] = {false, false, true, false};
    static const char *const folders[] = {"/s", NULL}; /* without one nothing is known */
    const struct fat_module module = {.text = lines, .length = sizeof lines - 1};
    const struct fat_program program = {.modules = &module, .module_count = 1};
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {.message = ""};

    (void)state;
    for (size_t k = 0; k < 2; k++) {
        struct code_index index;
        if (code_index_read(arena, &program, folders[k], &index, &diagnostic) != ERROR_NONE) {
            fail_msg("%s", diagnostic.message);
        }
        assert_int_equal(index.modules[0].kernel_count, 4);
        for (size_t i = 0; i < 4; i++) {
            assert_int_equal(index.modules[0].kernels[i].is_library,
                             folders[k] != NULL && are_library[i]);
        }
    }
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shared_memory_is_what_a_kernel_names),
                                       cmocka_unit_test(names_of_files_are_bounded),
                                       cmocka_unit_test(library_kernels_lie_outside_of_the_folder)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
