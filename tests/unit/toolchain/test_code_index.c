/* test_code_index.c: what an index says of PTX: the shared memory that a kernel has. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shared_memory_is_what_a_kernel_names),
                                       cmocka_unit_test(names_of_files_are_bounded)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
