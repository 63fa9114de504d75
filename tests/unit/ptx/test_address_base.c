/* test_address_base.c: which pointer an address is made of, and that what is not certain has none.
 */
#include "ptx/address_base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { P = 0x1000, Q = 0x2000, N = 7 };

static bool is_pointer(const void *context, uint64_t value)
{
    (void)context;
    return value == P || value == Q;
}

/* The base of the last access to global memory of a kernel of p, q and the number n. */
static uint64_t base_of(const char *body)
{
    static const uint64_t values[] = {P, Q, N};
    const struct kernel_arguments parameters = {(const uint8_t *)values, is_pointer, NULL};
    struct arena *arena = arena_new();
    const struct ptx_module *module = NULL;
    struct diagnostic diagnostic = {0};
    const char *text =
        arena_printf(arena,
                     ".version 9.0\n.target sm_75\n.address_size 64\n.global .u32 g[4];\n"
                     ".visible .entry k(.param .u64 p, .param .u64 q, .param .u64 n)\n{\n"
                     ".reg .pred %%c; .reg .b32 %%r<9>; .reg .b64 %%a, %%b, %%n, %%t<9>;\n"
                     "ld.param.u64 %%a, [p];\nld.param.u64 %%b, [q];\nld.param.u64 %%n, [n];\n"
                     "mov.u32 %%r1, %%tid.x;\nmul.wide.u32 %%t1, %%r1, 4;\n"
                     "setp.lt.u32 %%c, %%r1, 3;\n%s\nret;\n}\n",
                     body);
    uint64_t bases[64], found = 0;

    if (ptx_parse(arena, text, strlen(text), &module, &diagnostic) != ERROR_NONE) {
        fail_msg("line %d: %s", diagnostic.line, diagnostic.message);
    }
    const struct ptx_function *function = ptx_find_function(module, "k");
    assert_true(function->register_count <= sizeof bases / sizeof bases[0]);
    address_bases_find(function, &parameters, bases);
    for (size_t i = 0; i < function->instruction_count; i++) {
        if (function->instructions[i].space == PTX_SPACE_GLOBAL) {
            found = address_base_of(function, &function->instructions[i], bases);
        }
    }
    arena_free(arena);
    return found;
}

static void addresses_have_a_base(void **state)
{
    static const struct {
        const char *body;
        uint64_t base;
    } rows[] = {
        {"ld.global.u32 %r2, [%a];", P},
        {"cvta.to.global.u64 %t2, %b;\nadd.s64 %t3, %t1, %t2;\nld.global.u32 %r2, [%t3+8];", Q},
        {"mad.wide.s32 %t2, %r1, 4, %b;\nst.global.u32 [%t2], %r1;", Q},
        {"add.s64 %t2, %a, %n;\nsub.s64 %t3, %t2, %t1;\nld.global.u32 %r2, [%t3];", P},
        {"mov.u64 %t2, %a;\nL: ld.global.u32 %r2, [%t2];\nadd.s64 %t2, %t2, 4;\n@%c bra L;", P},
        {"add.s64 %t2, %a, 4;\nselp.b64 %t3, %a, %t2, %c;\nld.global.u32 %r2, [%t3];", P},
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(base_of(rows[i].body), rows[i].base);
    }
}

static void nothing_is_guessed(void **state)
{
    static const char *const bodies[] = {
        "ld.global.u32 %r2, [g];",
        "mov.u64 %t2, g;\nadd.s64 %t3, %t2, %t1;\nld.global.u32 %r2, [%t3];",
        "ld.global.u32 %r2, [%n];",
        "selp.b64 %t2, %a, %b, %c;\nld.global.u32 %r2, [%t2];",
        "mov.u64 %t2, %a;\n@%c mov.u64 %t2, %b;\nld.global.u32 %r2, [%t2];",
        "mov.u64 %t2, %n;\n@%c mov.u64 %t2, %b;\nld.global.u32 %r2, [%t2];",
        "sub.s64 %t2, %b, %a;\nadd.s64 %t3, %a, %t2;\nld.global.u32 %r2, [%t3];",
        "xor.b64 %t2, %a, %t1;\nld.global.u32 %r2, [%t2];",
        "ld.global.u64 %t2, [%a];\nld.global.u32 %r2, [%t2];",
        "mov.b64 {%r2, %r3}, %a;\nmov.b64 %t2, {%r2, %r3};\nld.global.u32 %r2, [%t2];",
    };
    (void)state;

    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        assert_int_equal(base_of(bodies[i]), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_have_a_base),
        cmocka_unit_test(nothing_is_guessed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
