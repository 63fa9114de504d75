/* test_nvcc_spellings.c: what nvcc alone takes, and what looks like such. */
#include "clang/nvcc_spellings.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Rewrites `from`, which must become `to`; "" if it stays as it is. */
static void assert_rewritten(const char *from, const char *to)
{
    struct arena *arena = arena_new();
    struct text text;

    text_init(&text);
    bool is_changed = nvcc_spellings_rewrite(arena, from, strlen(from), &text);
    assert_string_equal(text.bytes != NULL ? text.bytes : "", to[0] != '\0' ? to : from);
    assert_int_equal(is_changed, to[0] != '\0');
    text_release(&text);
    arena_free(arena);
}

static void brackets_are_joined(void **state)
{
    (void)state;
    assert_rewritten("f<< <1, 2>> >(p);", "f<<< 1, 2>>> (p);");
    assert_rewritten("f <<   <1, 2>>   >(p);", "f <<<   1, 2>>>   (p);");
    assert_rewritten("f<<\t<1, 2>> \t>(p);", "f<<<\t1, 2>>> \t(p);");
    assert_rewritten("f<<<1, 2>> >(p);", "f<<<1, 2>>> (p);");
    assert_rewritten("f<< <1, 2>>>(p);", "f<<< 1, 2>>>(p);");
    assert_rewritten("f<int><< <1, 2>> >(p); g<< <3, 4>> >(q);\n",
                     "f<int><<< 1, 2>>> (p); g<<< 3, 4>>> (q);\n");
    assert_rewritten("#define RUN(k, n) k<< <n, 64>> >()\n",
                     "#define RUN(k, n) k<<< n, 64>>> ()\n");
    assert_rewritten("#define RUN \\\n    f<< <1, \\\n    2>> >()\n",
                     "#define RUN \\\n    f<<< 1, \\\n    2>>> ()\n");
}

static void braces_get_their_type(void **state)
{
    (void)state;
    assert_rewritten("f<<<{1, 2}, {3}>>>(p);", "f<<<dim3{1, 2}, dim3{3}>>>(p);");
    assert_rewritten("f<<<n, {3}, 0, s>>>({4});", "f<<<n, dim3{3}, 0, s>>>({4});");
    assert_rewritten("f<< <{a ? b : g<1, 2>(c), {2}}, h(1, {2})>> >(p);",
                     "f<<< dim3{a ? b : g<1, 2>(c), {2}}, h(1, {2})>>> (p);");
    assert_rewritten("#define RUN f<<<{1}, \\\n {2}\nint x[] = {1, 2};",
                     "#define RUN f<<<dim3{1}, \\\n dim3{2}\nint x[] = {1, 2};");
}

static void alignment_comes_first(void **state)
{
    (void)state;
    assert_rewritten("__shared__ alignas(16) float t[4];", "alignas(16) __shared__ float t[4];");
    assert_rewritten("extern __shared__\n    alignas(f(8, 2)) char s[];",
                     "alignas(f(8, 2))\n    extern __shared__ char s[];");
    assert_rewritten("static const __constant__ alignas(T) T c = {};",
                     "alignas(T) static const __constant__ T c = {};");
}

static void main_returns_int(void **state)
{
    (void)state;
    assert_rewritten("main() {}", "int main() {}");
    assert_rewritten("#include <x>\nmain(int n, char **v)\n{\n}\n",
                     "#include <x>\nint main(int n, char **v)\n{\n}\n");
    assert_rewritten("void f() {}\nmain() {}", "void f() {}\nint main() {}");
}

static void managed_variables_become_two(void **state)
{
    (void)state;
    assert_rewritten("__managed__ int x;",
                     "__device__ int gpugrade_managed_x __asm__(\"x\"); GPUGRADE_MANAGED(x);");
    assert_rewritten(
        "static __device__ __managed__\nfloat t[2][N(1, 2)] = {{1, 2}};",
        "  __device__\nfloat gpugrade_managed_t[2][N(1, 2)] __asm__(\"t\") = {{1, 2}}; "
        "GPUGRADE_MANAGED(t);");
    assert_rewritten(
        "__managed__ __device__ const Pair<int, 3> *p = nullptr, **q, r{1, 2};",
        "__device__  const Pair<int, 3> *gpugrade_managed_p __asm__(\"p\") = nullptr; "
        "GPUGRADE_MANAGED(p); __device__ Pair<int, 3> **gpugrade_managed_q __asm__(\"q\"); "
        "GPUGRADE_MANAGED(q); __device__ Pair<int, 3> gpugrade_managed_r __asm__(\"r\"){1, 2}; "
        "GPUGRADE_MANAGED(r);");
}

static void all_else_stays(void **state)
{
    static const char *const rows[] = {
        "",
        "f<<<1, 2>>>(p);",
        "// f<< <1, 2>> >(p);\nint x;\n",
        "/* f<< <1, 2>> >(p);\n */ int x;\n",
        "puts(\"f<< <1, 2>> >(p);\");",
        "puts(R\"(f<< <1, 2>> >(p);)\"); puts(R\"x(>> >)\")x\");",
        "int c = '< <';",
        "a << b; a >> b; a < b > c; a < < b;",
        "a < << b; x <\n<< y;",
        "a <<\n< b;",
        "vector<vector<int> > v; vector<vector<int>> w;",
        "friend ostream &operator<< <T>(ostream &, const Matrix<T> &);",
        "friend ostream &operator << <>(ostream &, const Matrix<T> &);",
        "x.operator>> <int>(y);",
        "#include <vector>\n",
        "a <<= 1; a >>= 1; a << = 1;",
        "<<",
        ">> ",
        "<< ",
        ">>",
        ">",
        "<< /* */ <",
        "f<<<dim3{1, 2}, n>>>({3}, {4});",
        "alignas(16) __shared__ float t[4]; struct alignas(8) s {}; const alignas",
        "__shared__ __align__(16) float t[4]; __shared__ alignas",
        "int main() {} auto f = main(1); int domain() {}",
        "int x = 3; main(x); a.main() {}",
        "extern __managed__ int x;",
        "__managed__ int (*f)(int);",
        "#define M __managed__\nM int x;",
        "__managed__",
        "__managed__ int",
        "__managed__ int x",
        "__managed__ Pair<int, 3",
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_rewritten(rows[i], "");
    }
}

/* Nested templates become ">>>" too, which clang reads as three brackets where it expects them. */
static void templates_keep_their_meaning(void **state)
{
    (void)state;
    assert_rewritten("vector<vector<vector<int>> > v;", "vector<vector<vector<int>>>  v;");
}

/* Texts end where they end, not at a NUL. */
static void bytes_past_the_end_stay(void **state)
{
    struct arena *arena = arena_new();
    struct text text;

    (void)state;
    text_init(&text);
    assert_false(nvcc_spellings_rewrite(arena, "f<< <1>> >()", 3, &text));
    text_clear(&text);
    assert_true(nvcc_spellings_rewrite(arena, "f<< <1>> >()", 5, &text));
    assert_string_equal(text.bytes, "f<<< ");
    text_clear(&text);
    const char nul[] = "\0f<< <1>>\0>";
    assert_true(nvcc_spellings_rewrite(arena, nul, sizeof nul - 1, &text));
    assert_memory_equal(text.bytes, "\0f<<< 1>>\0>", sizeof nul - 1);
    text_release(&text);
    arena_free(arena);
}

/* A source with headers in a folder of its own. */
struct site {
    struct arena *arena;
    char *folder;
    struct compile_plan plan;
};

static int set_up(void **state)
{
    static struct site site;

    site = (struct site){.arena = arena_new()};
    assert_int_equal(folder_make_temporary(site.arena, &site.folder, NULL), ERROR_NONE);
    assert_int_equal(folder_make(arena_printf(site.arena, "%s/include", site.folder), 0755, NULL),
                     ERROR_NONE);
    assert_int_equal(folder_make(arena_printf(site.arena, "%s/out", site.folder), 0755, NULL),
                     ERROR_NONE);
    *state = &site;
    return 0;
}

static int tear_down(void **state)
{
    struct site *site = *state;

    assert_true(folder_remove(site->folder));
    arena_free(site->arena);
    return 0;
}

static const char *put(struct site *site, const char *name, const char *text)
{
    const char *path = arena_printf(site->arena, "%s/%s", site->folder, name);

    assert_int_equal(file_write_mode(path, 0644, text, strlen(text), NULL), ERROR_NONE);
    return path;
}

static const char *get(struct site *site, const char *name)
{
    char *text;
    size_t length;

    assert_int_equal(file_read(site->arena,
                               arena_printf(site->arena, "%s/out/%s", site->folder, name), 1 << 20,
                               BLAME_ENVIRONMENT, &text, &length, NULL),
                     ERROR_NONE);
    return text;
}

static enum error show(struct site *site, const char *source)
{
    return nvcc_spellings_show(site->arena, &site->plan, source,
                               arena_printf(site->arena, "%s/out", site->folder), NULL);
}

static void included_files_are_respelt(void **state)
{
    struct site *site = *state;
    const char *source =
        put(site, "x.cu", "#include \"y.cuh\"\n#include <z.cuh>\n#include <none>\n");

    put(site, "y.cuh", "#include \"x.cu\"\n#define RUN f<< <1, 2>> >()\n");
    put(site, "include/z.cuh", "#include \"deep.cuh\"\n");
    put(site, "include/deep.cuh", "void z() { f<< <3, 4>> >(); }\n");
    put(site, "include/unreached.cuh", "void u() { f<< <5, 6>> >(); }\n");
    arguments_add(site->arena, &site->plan.both,
                  arena_printf(site->arena, "-I%s/include", site->folder));
    assert_int_equal(show(site, source), ERROR_NONE);
    assert_int_equal(site->plan.both.count, 3);
    assert_string_equal(site->plan.both.items[1], "-ivfsoverlay");
    assert_string_equal(site->plan.both.items[2],
                        arena_printf(site->arena, "%s/out/respelt.yaml", site->folder));
    const char *overlay = get(site, "respelt.yaml");
    assert_non_null(strstr(overlay, "/y.cuh\""));
    assert_non_null(strstr(overlay, "/deep.cuh\""));
    assert_null(strstr(overlay, "/x.cu\""));
    assert_null(strstr(overlay, "/z.cuh\""));
    assert_null(strstr(overlay, "unreached"));
    assert_string_equal(get(site, "respelt-1"), "#include \"x.cu\"\n#define RUN f<<< 1, 2>>> ()\n");
    assert_string_equal(get(site, "respelt-3"), "void z() { f<<< 3, 4>>> (); }\n");
}

static void nothing_is_shown_without_need(void **state)
{
    struct site *site = *state;

    assert_int_equal(show(site, put(site, "x.cu", "void x() { f<<<1, 2>>>(); }\n")), ERROR_NONE);
    assert_int_equal(site->plan.both.count, 0);
    assert_int_equal(show(site, "/nowhere/x.cu"), ERROR_NONE);
    assert_int_equal(site->plan.both.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brackets_are_joined),
        cmocka_unit_test(braces_get_their_type),
        cmocka_unit_test(alignment_comes_first),
        cmocka_unit_test(main_returns_int),
        cmocka_unit_test(managed_variables_become_two),
        cmocka_unit_test(all_else_stays),
        cmocka_unit_test(templates_keep_their_meaning),
        cmocka_unit_test(bytes_past_the_end_stay),
        cmocka_unit_test_setup_teardown(included_files_are_respelt, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_shown_without_need, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
