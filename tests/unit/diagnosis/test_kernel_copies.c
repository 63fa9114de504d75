/* test_kernel_copies.c: a source with a kernel for each of several changes. */
#include "diagnosis/fixes/kernel_copies.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define V0 "_gpugrade_variant_0"
#define V1 "_gpugrade_variant_1"

static const char source[] = "static __device__ int next(int i)\n" /* 1 */
                             "{\n"
                             "    return i + 2;\n"
                             "}\n"
                             "__global__ void k(int *a)\n" /* 5 */
                             "{\n"
                             "    a[0] = next(a[1]);\n"
                             "}\n"
                             "__global__ void other(int *a) { a[0] = 1; } int x;\n"
                             "void run(int *a)\n" /* 10 */
                             "{\n"
                             "    k<<<1, 1>>>(a);\n"
                             "}\n";

static struct kernel_copies make(struct arena *arena, const struct line_fixes *changes,
                                 const bool *wanted, size_t count)
{
    static const struct source_file file = {"a.cu", source, sizeof source - 1};
    struct source_index *index = source_index_new(arena, &file, 1);

    return kernel_copies_make(arena, source_index_file(index, &file), changes, wanted, count,
                              "_gpugrade_variant_");
}

static const struct line_fixes in_device = {{{"a.cu", 3, "    return i + 2;", "    return i + 1;"}},
                                            1};
static const struct line_fixes in_kernel = {
    {{"a.cu", 7, "    a[0] = next(a[1]);", "    a[1] = next(a[1]);"}}, 1};
static const struct line_fixes in_host = {
    {{"a.cu", 12, "    k<<<1, 1>>>(a);", "    k<<<1, 2>>>(a);"}}, 1};
static const struct line_fixes in_shared_line = {
    {{"a.cu", 9, "__global__ void other(int *a) { a[0] = 1; } int x;",
      "__global__ void other(int *a) { a[0] = 2; } int x;"}},
    1};

/* Each change has the function that it changes, and all that lead to it. */
static void test_text(void **state)
{
    static const char expected[] =
        "static __device__ int next(int i)\n{\n    return i + 2;\n}\n"
        "static __device__ int next" V0 "(int i)\n{\n    return i + 1;\n}\n"
        "__global__ void k(int *a)\n{\n    a[0] = next(a[1]);\n}\n"
        "__global__ void k" V0 "(int *a)\n{\n    a[0] = next" V0 "(a[1]);\n}\n"
        "__global__ void k" V1 "(int *a)\n{\n    a[1] = next(a[1]);\n}\n"
        "__global__ void other(int *a) { a[0] = 1; } int x;\n"
        "void run(int *a)\n{\n    k<<<1, 1>>>(a);\n}\n"
        "void run" V0 "(int *a)\n{\n    k" V0 "<<<1, 1>>>(a);\n}\n"
        "void run" V1 "(int *a)\n{\n    k" V1 "<<<1, 1>>>(a);\n}\n";
    struct arena *arena = arena_new();
    const struct line_fixes changes[] = {in_device, in_kernel};
    const bool wanted[] = {true, true};
    const struct kernel_copies copies = make(arena, changes, wanted, 2);

    (void)state;
    assert_string_equal(copies.text, expected);
    assert_int_equal(copies.length, sizeof expected - 1);
    assert_int_equal(copies.taken, 2);
    assert_int_equal(copies.line_count, 5);
    assert_int_equal(copies.lines[0].change, 0);
    assert_int_equal(copies.lines[0].first, 5);
    assert_int_equal(copies.lines[0].last, 8);
    arena_free(arena);
}

/* A template may call what has the same name in another type: that is copied too. */
static void test_twins(void **state)
{
    static const char twins[] = "struct A {\n"
                                "    static __device__ float f(int i)\n"
                                "    {\n        return i;\n    }\n"
                                "};\n"
                                "struct B {\n"
                                "    static __device__ int f(int i)\n"
                                "    {\n        return i;\n    }\n"
                                "};\n"
                                "template <typename T> __global__ void k(int *a)\n"
                                "{\n    a[0] = T::f(a[1]);\n}\n";
    static const struct source_file file = {"a.cu", twins, sizeof twins - 1};
    static const struct line_fixes in_head = {{{"a.cu", 2, "    static __device__ float f(int i)",
                                                "    static __device__ float f(float i)"}},
                                              1};
    const bool wanted = true;
    struct arena *arena = arena_new();
    struct source_index *index = source_index_new(arena, &file, 1);
    const struct kernel_copies copies = kernel_copies_make(
        arena, source_index_file(index, &file), &in_head, &wanted, 1, "_gpugrade_variant_");

    (void)state;
    assert_int_equal(copies.taken, 1);
    assert_int_equal(copies.line_count, 3);
    assert_non_null(strstr(copies.text, "float f" V0 "(float i)"));
    assert_non_null(strstr(copies.text, "int f" V0 "(int i)"));
    assert_non_null(strstr(copies.text, "T::f" V0 "(a[1])"));
    arena_free(arena);
}

/* What is not wanted, host code, and code that shares a line stay alone. */
static void test_left_out(void **state)
{
    struct arena *arena = arena_new();
    const struct line_fixes changes[] = {in_device, in_host, in_shared_line};
    const bool wanted[] = {false, true, true};
    const struct kernel_copies copies = make(arena, changes, wanted, 3);

    (void)state;
    assert_string_equal(copies.text, source);
    assert_int_equal(copies.taken, 0);
    assert_int_equal(copies.line_count, 0);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_twins),
        cmocka_unit_test(test_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
