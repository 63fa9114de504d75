/* test_spaced_launches.c: brackets of launches with blanks in them, and what looks like such. */
#include "clang/spaced_launches.h"

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
    size_t length = strlen(from);
    char *text = malloc(length + 1);

    assert_non_null(text);
    memcpy(text, from, length + 1);
    bool is_changed = spaced_launches_rewrite(text, length);
    assert_string_equal(text, to[0] != '\0' ? to : from);
    assert_int_equal(is_changed, to[0] != '\0');
    assert_int_equal(strlen(text), length);
    free(text);
}

static void brackets_are_joined(void **state)
{
    (void)state;
    assert_rewritten("f<< <1, 2>> >(p);", "f<<< 1, 2>>> (p);");
    assert_rewritten("f <<   <1, 2>>   >(p);", "f <<<   1, 2>>>   (p);");
    assert_rewritten("f<<\t<1, 2>> \t>(p);", "f<<< 1, 2>>>\t (p);");
    assert_rewritten("f<<<1, 2>> >(p);", "f<<<1, 2>>> (p);");
    assert_rewritten("f<< <1, 2>>>(p);", "f<<< 1, 2>>>(p);");
    assert_rewritten("f<int><< <1, 2>> >(p); g<< <3, 4>> >(q);\n",
                     "f<int><<< 1, 2>>> (p); g<<< 3, 4>>> (q);\n");
    assert_rewritten("#define RUN(k, n) k<< <n, 64>> >()\n",
                     "#define RUN(k, n) k<<< n, 64>>> ()\n");
    assert_rewritten("#define RUN \\\n    f<< <1, \\\n    2>> >()\n",
                     "#define RUN \\\n    f<<< 1, \\\n    2>>> ()\n");
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
        "#include <vector>\n",
        "a <<= 1; a >>= 1; a << = 1;",
        "<<",
        ">> ",
        "<< ",
        ">>",
        ">",
        "<< /* */ <",
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
    char text[] = "f<< <1>> >()";

    (void)state;
    assert_false(spaced_launches_rewrite(text, 3));
    assert_string_equal(text, "f<< <1>> >()");
    assert_true(spaced_launches_rewrite(text, 5));
    assert_string_equal(text, "f<<< 1>> >()");
    char nul[] = "\0f<< <1>>\0>";
    assert_true(spaced_launches_rewrite(nul, sizeof nul - 1));
    assert_memory_equal(nul, "\0f<<< 1>>\0>", sizeof nul);
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

static enum error join(struct site *site, const char *source)
{
    return spaced_launches_join(site->arena, &site->plan, source,
                                arena_printf(site->arena, "%s/out", site->folder), NULL);
}

static void included_files_are_joined(void **state)
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
    assert_int_equal(join(site, source), ERROR_NONE);
    assert_int_equal(site->plan.both.count, 3);
    assert_string_equal(site->plan.both.items[1], "-ivfsoverlay");
    assert_string_equal(site->plan.both.items[2],
                        arena_printf(site->arena, "%s/out/joined.yaml", site->folder));
    const char *overlay = get(site, "joined.yaml");
    assert_non_null(strstr(overlay, "/y.cuh\""));
    assert_non_null(strstr(overlay, "/deep.cuh\""));
    assert_null(strstr(overlay, "/x.cu\""));
    assert_null(strstr(overlay, "/z.cuh\""));
    assert_null(strstr(overlay, "unreached"));
    assert_string_equal(get(site, "joined-1"), "#include \"x.cu\"\n#define RUN f<<< 1, 2>>> ()\n");
    assert_string_equal(get(site, "joined-3"), "void z() { f<<< 3, 4>>> (); }\n");
}

static void nothing_is_shown_without_need(void **state)
{
    struct site *site = *state;

    assert_int_equal(join(site, put(site, "x.cu", "void x() { f<<<1, 2>>>(); }\n")), ERROR_NONE);
    assert_int_equal(site->plan.both.count, 0);
    assert_int_equal(join(site, "/nowhere/x.cu"), ERROR_NONE);
    assert_int_equal(site->plan.both.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(brackets_are_joined),
        cmocka_unit_test(all_else_stays),
        cmocka_unit_test(templates_keep_their_meaning),
        cmocka_unit_test(bytes_past_the_end_stay),
        cmocka_unit_test_setup_teardown(included_files_are_joined, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_is_shown_without_need, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
