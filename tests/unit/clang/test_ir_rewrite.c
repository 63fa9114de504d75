/* test_ir_rewrite.c: what a module in LLVM's text form loses. */
#include "clang/ir_rewrite.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SHARED "@_ZZ4fillPfE4tile = "
#define TYPE "addrspace(3) global [64 x float] undef, align 4"

static void assert_rewritten(const char *from, const char *to)
{
    struct text module;
    struct text out;

    text_init(&module);
    text_init(&out);
    text_append(&module, from);
    ir_rewrite(module.bytes, module.length, &out);
    assert_string_equal(out.bytes != NULL ? out.bytes : "", to);
    text_release(&module);
    text_release(&out);
}

/* LLVM refuses other letters in names that are not internal. */
static void names_of_shared_variables_are_plain(void **state)
{
    (void)state;
    assert_rewritten("@\"a\\C3\\B6\" = internal " TYPE "\n@\"a\\C3\\A4\" = internal " TYPE
                     "\n@\"v\\C3\\B6\" = global i32 0\n  load ptr @\"a\\C3\\A4\", "
                     "@\"a\\C3\\B6\", @\"v\\C3\\B6\", c\"a\\C3\\B6\"\n",
                     "@\"a_C3_B6\" = " TYPE "\n@\"a_C3_A4\" = " TYPE
                     "\n@\"v\\C3\\B6\" = global i32 0\n  load ptr @\"a_C3_A4\", "
                     "@\"a_C3_B6\", @\"v\\C3\\B6\", c\"a\\C3\\B6\"\n");
}

static void internal_shared_variables_are_external(void **state)
{
    (void)state;
    assert_rewritten(SHARED "internal " TYPE "\n", SHARED TYPE "\n");
    assert_rewritten(SHARED "internal " TYPE, SHARED TYPE); /* no newline at the end */
    assert_rewritten("x\n" SHARED "internal " TYPE ", !dbg !5\n\n@b = internal unnamed_addr " TYPE
                     "\ndefine void @f() {\n}\n",
                     "x\n" SHARED TYPE ", !dbg !5\n\n@b = unnamed_addr " TYPE
                     "\ndefine void @f() {\n}\n");
    assert_rewritten("@\"odd name\" = internal " TYPE "\n", "@\"odd name\" = " TYPE "\n");
}

static void values_need_not_be_set(void **state)
{
    (void)state;
    assert_rewritten("define internal noundef i32 @f(ptr noundef %0, i32 noundef %1) #2 {\n"
                     "  %3 = call noundef i32 @g(i32 noundef %1)\n  ret i32 %3\n}\n"
                     "declare noundef i32 @g(i32 noundef)\n",
                     "define internal i32 @f(ptr %0, i32 %1) #2 {\n"
                     "  %3 = call i32 @g(i32 %1)\n  ret i32 %3\n}\n"
                     "declare i32 @g(i32)\n");
}

/* clang 19 notes at the module's end what is a kernel; clang 20 says it in the head. */
static void pointers_of_kernels_are_global(void **state)
{
    static const struct {
        const char *convention, *note;
    } rows[] = {
        {"", "!5 = !{ptr @k, !\"kernel\", i32 1}\n"},
        {"ptx_kernel ", ""},
    };
    struct arena *arena = arena_new();

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_rewritten(
            arena_printf(
                arena,
                "define dso_local %svoid @k(ptr noalias noundef %%0, i32 noundef %%1, "
                "ptr noundef byval(%%struct.s) align 8 %%2, ptr noundef %%3) #0 {\n"
                "  store ptr %%0, ptr %%5, align 8\n  store i32 %%1, ptr %%6, align 4\n"
                "  store ptr %%3, ptr %%7, align 8\n  store ptr %%2, ptr %%8\n}\n"
                "define void @f(ptr noundef %%0) {\n  store ptr %%0, ptr %%2, align 8\n}\n%s",
                rows[i].convention, rows[i].note),
            arena_printf(arena,
                         "define dso_local %svoid @k(ptr addrspace(1) noalias %%0, i32 %%1, "
                         "ptr byval(%%struct.s) align 8 %%2, ptr addrspace(1) %%3) #0 {\n"
                         "  %%gpugrade.0 = addrspacecast ptr addrspace(1) %%0 to ptr\n"
                         "  store ptr %%gpugrade.0, ptr %%5, align 8\n"
                         "  store i32 %%1, ptr %%6, align 4\n"
                         "  %%gpugrade.3 = addrspacecast ptr addrspace(1) %%3 to ptr\n"
                         "  store ptr %%gpugrade.3, ptr %%7, align 8\n  store ptr %%2, ptr %%8\n}\n"
                         "define void @f(ptr %%0) {\n  store ptr %%0, ptr %%2, align 8\n}\n%s",
                         rows[i].convention, rows[i].note));
    }
    arena_free(arena);
}

static void vectors_are_copied_at_once(void **state)
{
    (void)state;
    assert_rewritten(
        "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %5, ptr align 16 %a.b, i64 16, "
        "i1 false), !dbg !21, !tbaa.struct !9\n"
        "  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %5, ptr align 8 %6, i64 8, "
        "i1 false)\n",
        "  %gpugrade.vector.0 = load <4 x i32>, ptr %a.b, align 16, !dbg !21\n"
        "  store <4 x i32> %gpugrade.vector.0, ptr %5, align 16, !dbg !21\n"
        "  %gpugrade.vector.1 = load <2 x i32>, ptr %6, align 8\n"
        "  store <2 x i32> %gpugrade.vector.1, ptr %5, align 8\n");
}

static void others_stay(void **state)
{
    static const char *const rows[] = {
        "",
        "\n\n",
        "@",
        SHARED TYPE "\n",
        "@tile = external addrspace(3) global [0 x float], align 4\n",
        "@a = internal addrspace(1) global i32 0, align 4\n",
        "@a = internal addrspace(4) constant [4 x i32] zeroinitializer\n",
        "@a = internal addrspace(3) constant i32 0\n",
        "@a = internal constant [4 x i8] c\"abc\\00\"\n",
        "define internal void @f() {\n  store float 0.0, ptr addrspace(3) @tile\n}\n",
        "  %x = internal " TYPE "\n",
        "; @a = internal " TYPE "\n",
        "@a = internal\naddrspace(3) global i32 undef\n",
        "@a = internal constant [9 x i8] c\"a noundef\"\n",
        "!7 = !{!\"a noundef\"}\n",
        "  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %5, ptr align 4 %6, i64 16, i1 false)\n",
        "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %5, ptr align 16 %6, i64 48, i1 false)\n",
        "  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %5, ptr align 8 %6, i64 8, i1 true)\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_rewritten(rows[i], rows[i]);
    }
}

static void files_are_rewritten(void **state)
{
    static const char from_text[] = "@a = internal " TYPE "\n";
    struct arena *arena = arena_new();
    struct diagnostic diagnostic = {.message = ""};
    char *folder;
    char *text;
    size_t length;

    (void)state;
    assert_int_equal(folder_make_temporary(arena, &folder, NULL), ERROR_NONE);
    const char *from = arena_printf(arena, "%s/from", folder);
    const char *to = arena_printf(arena, "%s/to", folder);
    assert_int_equal(ir_rewrite_file(arena, from, to, &diagnostic), ERROR_NOT_FOUND);
    assert_non_null(strstr(diagnostic.message, from));
    assert_int_equal(file_write_mode(from, 0644, from_text, strlen(from_text), NULL), ERROR_NONE);
    assert_int_equal(ir_rewrite_file(arena, from, to, &diagnostic), ERROR_NONE);
    assert_int_equal(file_read(arena, to, 4096, BLAME_ENVIRONMENT, &text, &length, NULL),
                     ERROR_NONE);
    assert_string_equal(text, "@a = " TYPE "\n");
    assert_true(folder_remove(folder));
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(internal_shared_variables_are_external),
        cmocka_unit_test(names_of_shared_variables_are_plain),
        cmocka_unit_test(values_need_not_be_set),
        cmocka_unit_test(pointers_of_kernels_are_global),
        cmocka_unit_test(vectors_are_copied_at_once),
        cmocka_unit_test(others_stay),
        cmocka_unit_test(files_are_rewritten),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
