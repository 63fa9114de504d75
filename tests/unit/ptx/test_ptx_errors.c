/* test_ptx_errors.c: PTX text that is wrong, and whether the message names its line; large text. */
#include "ptx/ptx.h"

#include "base/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD ".version 9.0\n.target sm_75\n.address_size 64\n"

struct row {
    const char *text;
    int line;
    enum error error;
    const char *word; /* that the message must hold */
};

static const struct row rows[] = {
    {"", 1, ERROR_SYNTAX, ".version"},
    {"hello", 1, ERROR_SYNTAX, "hello"},
    {".version nine", 1, ERROR_SYNTAX, "nine"},
    {".version 9.0\n.address_size 32", 2, ERROR_UNSUPPORTED, "32"},
    {HEAD "/* no end", 4, ERROR_SYNTAX, "comment"},
    {HEAD ".entry k() {\n mov.u32 r, 1;\n}", 5, ERROR_SYNTAX, "\"r\""},
    {HEAD ".entry k() {\n .reg .u32 r;\n mov.u32 r, x;\n}", 6, ERROR_SYNTAX, "\"x\""},
    {HEAD ".entry k() {\n .reg .b32 %r<3>;\n mov.u32 %r3, 1;\n}", 6, ERROR_SYNTAX, "%r3"},
    {HEAD ".entry k() {\n .reg .b32 %r<3>;\n mov.u32 %r01, 1;\n}", 6, ERROR_SYNTAX, "%r01"},
    {HEAD ".entry k() {\n .reg .v2 .u32 v;\n mov.u32 v.z, 1;\n}", 6, ERROR_SYNTAX, "v.z"},
    {HEAD ".entry k() {\n .reg .v4 .u32 v<3>;\n}", 5, ERROR_SYNTAX, "<"},
    {HEAD ".entry k() {\n .reg .v4 .u32 v;\n mov.u32 v.x.y, 1;\n}", 6, ERROR_SYNTAX, "v.x.y"},
    {HEAD ".entry k() {\n\n bra L;\n ret;\n}", 6, ERROR_SYNTAX, "\"L\""},
    {HEAD ".entry k() {\n bra L;\n { L: }\n}", 5, ERROR_SYNTAX, "\"L\""},
    {HEAD ".entry k() {\n .reg .u32 r;\n @r ret;\n}", 6, ERROR_SYNTAX, "predicate"},
    {HEAD ".entry k() {\n .reg .u32 r;\n .reg .u64 r;\n}", 6, ERROR_SYNTAX, "already declared"},
    {HEAD ".entry k() {\n L:\n L: ret;\n}", 6, ERROR_SYNTAX, "already declared"},
    {HEAD ".entry k() {\n ret", 5, ERROR_SYNTAX, "end of the text"},
    {HEAD ".entry k() {\n ret; }\n.entry k() { ret; }", 6, ERROR_SYNTAX, "two"},
    {HEAD ".func f(.param .b32 a);\n.func f(.param .b64 a) { ret; }", 5, ERROR_SYNTAX, "other"},
    {HEAD ".func f(.param .b32 a);\n.entry k() { call f; ret; }", 5, ERROR_SYNTAX, "\"f\""},
    {HEAD ".func f(.param .b32 a);\n.entry k() { .param .b64 x; call f, (x); }", 5, ERROR_SYNTAX,
     "\"f\""},
    {HEAD ".func f(.reg .b32 a) { ret; }", 4, ERROR_UNSUPPORTED, ".reg"},
    {HEAD ".global .u32 x[2] = {1, 2, 3};", 4, ERROR_SYNTAX, "8 bytes"},
    {HEAD ".global .u32 x[2][2] = {{1, 2, 3}, {4}};", 4, ERROR_SYNTAX, "dimensions"},
    {HEAD ".global .u32 x[2] = {{{1}}};", 4, ERROR_SYNTAX, "nested"},
    {HEAD ".global .u64 x = nowhere;", 4, ERROR_SYNTAX, "nowhere"},
    {HEAD ".global .u32 x[];", 4, ERROR_SYNTAX, "[]"},
    {HEAD ".global .align 3 .u32 x;", 4, ERROR_SYNTAX, "power of two"},
    {HEAD ".global .b64 x[1099511627776];", 4, ERROR_LIMIT, "bytes"},
    {HEAD ".global .b8 x[1000000000] = {1};", 4, ERROR_LIMIT, "initial"},
    {HEAD ".global .b64 x[0][1099511627776][1099511627776];", 4, ERROR_LIMIT, "bytes"},
    {HEAD ".file 70000 \"x\"", 4, ERROR_LIMIT, "65535"},
    {HEAD ".global .u32 x = 0f3F8;", 4, ERROR_SYNTAX, "8 digits"},
    {HEAD ".global .u32 x = 99999999999999999999;", 4, ERROR_SYNTAX, "64 bits"},
    {HEAD ".global .u32 x = 12ab;", 4, ERROR_SYNTAX, "number"},
    {HEAD ".global .texref t;", 4, ERROR_SYNTAX, ".texref"},
    {HEAD "\001", 4, ERROR_SYNTAX, "byte"},
};

static void test_errors_name_their_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct arena *arena = arena_new();
        const struct ptx_module *module = NULL;
        struct diagnostic diagnostic = {0};
        enum error error =
            ptx_parse(arena, rows[i].text, strlen(rows[i].text), &module, &diagnostic);

        if (error != rows[i].error || diagnostic.line != rows[i].line ||
            strstr(diagnostic.message, rows[i].word) == NULL) {
            fail_msg("row %zu: error %d, line %d: %s", i, (int)error, diagnostic.line,
                     diagnostic.message);
        }
        assert_null(module);
        assert_int_equal(diagnostic.blame, BLAME_STUDENT);
        arena_free(arena);
    }
}

/* Each prefix of a text is parsed from memory that ends there: a sanitizer sees reads behind it. */
static void test_no_prefix_is_read_past_its_end(void **state)
{
    static const char text[] =
        HEAD ".global .u32 x[2] = {0xFF, -1};\n.entry k(.param .u64 p) {\n"
             ".reg .b32 %r<4>; .reg .f32 f;\n// note\n/* note */\n.loc 1 2 3\n"
             "L: mov.u32 %r1, 0b11; mov.f32 f, 0f3F800000; mov.f32 f, 1.5e3;\n"
             "{ bra L; } frob.x \"a\\\"b\", %r1;\n}\n";

    (void)state;
    for (size_t length = 0; length < sizeof text; length++) {
        struct arena *arena = arena_new();
        const struct ptx_module *module;
        char *copy = malloc(length > 0 ? length : 1);

        assert_non_null(copy);
        memcpy(copy, text, length);
        ptx_parse(arena, copy, length, &module, NULL);
        free(copy);
        arena_free(arena);
    }
}

static enum error parse_text(const struct text *text, struct arena *arena,
                             const struct ptx_module **out_module)
{
    return ptx_parse(arena, text->bytes, text->length, out_module, NULL);
}

static void test_deep_nesting_is_refused(void **state)
{
    struct arena *arena = arena_new();
    const struct ptx_module *module;
    struct text text;

    (void)state;
    text_init(&text);
    text_append(&text, HEAD ".entry k() ");
    text_append_repeated(&text, '{', 100000);
    assert_int_equal(parse_text(&text, arena, &module), ERROR_LIMIT);
    text_clear(&text);
    text_append(&text, HEAD ".entry k() ");
    text_append_repeated(&text, '{', 60);
    text_append_repeated(&text, '}', 60);
    assert_int_equal(parse_text(&text, arena, &module), ERROR_NONE);
    text_release(&text);
    arena_free(arena);
}

/* 100000 registers, 100000 labels and as many branches: more than linear time would be noticed. */
static void test_many_names(void **state)
{
    enum { COUNT = 100000 };
    struct arena *arena = arena_new();
    const struct ptx_module *module;
    struct text text;

    (void)state;
    text_init(&text);
    text_append(&text, HEAD ".entry k() {\n.reg .b32 %r<100000>;\n");
    for (int i = 0; i < COUNT; i++) {
        text_printf(&text, ".reg .u32 x%d;\nL%d: mov.u32 x%d, %%r%d;\nbra L%d;\n", i, i, i, i,
                    COUNT - 1 - i);
    }
    text_append(&text, "}\n");
    assert_int_equal(parse_text(&text, arena, &module), ERROR_NONE);
    assert_int_equal(module->functions[0].register_count, 2 * COUNT);
    assert_int_equal(module->functions[0].instruction_count, 2 * COUNT + 1);
    assert_int_equal(module->functions[0].instructions[1].operands[0].target, 2 * (COUNT - 1));
    text_release(&text);
    arena_free(arena);
}

static void test_too_many_instructions(void **state)
{
    struct arena *arena = arena_new();
    const struct ptx_module *module;
    struct text text;

    (void)state;
    text_init(&text);
    text_append(&text, HEAD ".entry k() {\n");
    for (int i = 0; i < (1 << 19) + 1; i++) {
        text_append(&text, "ret;\n");
    }
    text_append(&text, "}\n");
    assert_int_equal(parse_text(&text, arena, &module), ERROR_LIMIT);
    text_release(&text);
    arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors_name_their_line),
        cmocka_unit_test(test_no_prefix_is_read_past_its_end),
        cmocka_unit_test(test_deep_nesting_is_refused),
        cmocka_unit_test(test_many_names),
        cmocka_unit_test(test_too_many_instructions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
