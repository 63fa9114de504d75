/* test_ptx_parse.c: PTX text that nvcc prints, or could, and what becomes of it. */
#include "ptx/ptx.h"
#include "ptx/ptx_matrix.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD ".version 9.0\n.target sm_75\n.address_size 64\n"
#define REGISTERS                                                                                  \
    ".reg .pred %p<5>; .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n"                     \
    ".reg .f32 %f<9>; .reg .f64 %fd<9>;\n"                                                         \
    ".shared .align 4 .b8 tile[64]; .local .align 8 .b8 depot[32];\n"

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
    enum error error = ptx_parse(arena, text, strlen(text), &module, &diagnostic);

    if (error != ERROR_NONE) {
        fail_msg("line %d: %s", diagnostic.line, diagnostic.message);
    }
    return module;
}

/* Parses one kernel with these statements; the kernel has parameters p (u64) and q (u32). */
static const struct ptx_function *parse_body(const char *statements)
{
    const char *text =
        arena_printf(arena,
                     HEAD ".global .align 4 .b32 counter;\n"
                          ".extern .shared .align 16 .b8 dyn[];\n"
                          ".func (.param .b32 r0) twice(.param .b32 x);\n"
                          ".visible .entry k(.param .u64 p, .param .u32 q)\n{\n%s%s\n"
                          "ret;\n}\n",
                     REGISTERS, statements);
    const struct ptx_module *module = parse(text);
    const struct ptx_function *function = ptx_find_function(module, "k");

    assert_non_null(function);
    return function;
}

static const struct ptx_instruction *parse_one(const char *statement)
{
    const struct ptx_function *function = parse_body(statement);

    assert_int_equal(function->instruction_count, 2);
    return &function->instructions[0];
}

static uint64_t immediate_of(const char *statement)
{
    const struct ptx_instruction *instruction = parse_one(statement);
    const struct ptx_operand *last = &instruction->operands[instruction->operand_count - 1];

    assert_int_not_equal(instruction->opcode, PTX_OP_UNKNOWN);
    assert_int_equal(last->kind, PTX_OPERAND_IMMEDIATE);
    return last->bits;
}

static void test_head_of_a_module(void **state)
{
    const struct ptx_module *module = parse(HEAD "// nothing\n/* at\nall */");

    (void)state;
    assert_int_equal(module->version_major, 9);
    assert_int_equal(module->version_minor, 0);
    assert_int_equal(module->target, 75);
    assert_int_equal(module->function_count, 0);
    assert_int_equal(module->file_count, 1);
    assert_int_equal(module->location_count, 1);
}

static void test_pragma_nounroll_marks_what_follows(void **state)
{
    const struct ptx_module *module = parse(HEAD ".entry k()\n{\nL:\n.pragma \"nounroll\";\n"
                                                 "bar.sync 0;\nbar.sync 1;\n"
                                                 ".pragma \"other\";\nbra L;\n}\n");
    const struct ptx_instruction *instructions = ptx_find_function(module, "k")->instructions;

    (void)state;
    assert_true(instructions[0].is_after_nounroll);
    assert_false(instructions[1].is_after_nounroll);
    assert_false(instructions[2].is_after_nounroll);
}

static void test_entry_parameters_are_laid_out(void **state)
{
    const struct ptx_module *module =
        parse(HEAD ".visible .entry k(\n .param .u8 a,\n .param .u64 .ptr .global .align 1 b,\n"
                   ".param .u32 c,\n .param .align 16 .b8 d[20]\n)\n.maxntid 256, 1, 1\n"
                   ".minnctapersm 2\n{\n ret;\n}\n"
                   ".entry fixed()\n.reqntid 32\n{ ret; }\n");
    const struct ptx_function *function = ptx_find_function(module, "k");

    (void)state;
    assert_true(function->is_entry);
    assert_false(function->is_declaration);
    assert_int_equal(function->parameter_count, 4);
    assert_string_equal(function->parameters[1].name, "b");
    assert_int_equal(function->parameters[1].offset, 8);
    assert_int_equal(function->parameters[1].alignment, 8);
    assert_int_equal(function->parameters[2].offset, 16);
    assert_int_equal(function->parameters[3].offset, 32);
    assert_int_equal(function->parameters[3].bytes, 20);
    assert_int_equal(function->parameter_bytes, 52);
    assert_int_equal(function->min_blocks, 2);
    assert_int_equal(function->max_threads[0], 256);
    assert_int_equal(function->max_threads[1], 1);
    assert_int_equal(function->required_threads[0], 0);
    function = ptx_find_function(module, "fixed");
    assert_int_equal(function->required_threads[0], 32);
    assert_int_equal(function->required_threads[2], 1);
    assert_null(ptx_find_function(module, "absent"));
}

static void test_fields_of_instructions(void **state)
{
    const struct ptx_instruction *one;

    (void)state;
    one = parse_one("@!%p1 mad.lo.s32 %r1, %r2, %r3, -1;");
    assert_int_equal(one->opcode, PTX_OP_MAD);
    assert_int_equal(one->type, PTX_S32);
    assert_int_equal(one->flags, PTX_FLAG_LO);
    assert_int_equal(one->operand_count, 4);
    assert_true(one->guard >= 0);
    assert_true(one->guard_negated);
    one = parse_one("fma.rn.ftz.f32 %f1, %f2, %f3, 0f3F800000;");
    assert_int_equal(one->rounding, PTX_ROUND_RN);
    assert_int_equal(one->flags, PTX_FLAG_FTZ);
    assert_int_equal(one->operands[3].bits, 0x3F800000);
    one = parse_one("setp.lt.and.f32 %p1|%p2, %f1, %f2, !%p3;");
    assert_int_equal(one->compare, PTX_CMP_LT);
    assert_int_equal(one->sub, PTX_SUB_AND);
    assert_int_equal(one->operand_count, 5);
    assert_int_equal(one->operands[1].kind, PTX_OPERAND_REGISTER);
    assert_true(one->operands[4].negated);
    one = parse_one("setp.lo.u32 %p1, %r1, 7;");
    assert_int_equal(one->compare, PTX_CMP_LO);
    assert_int_equal(one->operands[1].kind, PTX_OPERAND_SINK);
    assert_int_equal(one->operand_count, 4);
    one = parse_one("cvt.rzi.s32.f32 %r1, %f1;");
    assert_int_equal(one->type, PTX_S32);
    assert_int_equal(one->source_type, PTX_F32);
    assert_int_equal(one->rounding, PTX_ROUND_RZI);
    one = parse_one("shf.l.wrap.b32 %r1, %r2, %r3, 5;");
    assert_int_equal(one->flags, PTX_FLAG_SHIFT_LEFT | PTX_FLAG_WRAP);
    one = parse_one("mul.wide.u32 %rd1, %r1, 4;");
    assert_int_equal(one->flags, PTX_FLAG_WIDE);
    one = parse_one("membar.gl;");
    assert_int_equal(one->memory_scope, PTX_MEMORY_SCOPE_GPU);
    one = parse_one("mov.u32 %r1, %ctaid.y;");
    assert_int_equal(one->operands[1].kind, PTX_OPERAND_SPECIAL);
    assert_int_equal(one->operands[1].special, PTX_SPECIAL_CTAID_Y);
}

static void test_barriers_and_warp_operations(void **state)
{
    const struct ptx_instruction *one;

    (void)state;
    one = parse_one("bar.sync 0;");
    assert_int_equal(one->sub, PTX_SUB_SYNC);
    assert_int_equal(one->operand_count, 1);
    assert_int_equal(one->flags, PTX_FLAG_ALIGNED);
    one = parse_one("barrier.sync 1, 64;");
    assert_int_equal(one->opcode, PTX_OP_BARRIER);
    assert_int_equal(one->operand_count, 2);
    assert_int_equal(one->flags, 0);
    one = parse_one("bar.warp.sync 0xffffffff;");
    assert_int_equal(one->opcode, PTX_OP_BAR);
    assert_int_equal(one->sub, PTX_SUB_WARP_SYNC);
    one = parse_one("bar.red.popc.u32 %r1, 0, %p1;");
    assert_int_equal(one->sub, PTX_SUB_POPC);
    assert_int_equal(one->operand_count, 3);
    one = parse_one("bar.red.and.pred %p2, 0, 64, !%p1;");
    assert_int_equal(one->sub, PTX_SUB_AND);
    assert_int_equal(one->operand_count, 4);
    assert_true(one->operands[3].negated);
    one = parse_one("shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;");
    assert_int_equal(one->sub, PTX_SUB_BFLY);
    assert_int_equal(one->operand_count, 6);
    assert_int_equal(one->operands[5].bits, 0xFFFFFFFF);
    one = parse_one("shfl.sync.up.b32 %r1, %r2, 1, 0, -1;");
    assert_int_equal(one->operands[1].kind, PTX_OPERAND_SINK);
    one = parse_one("vote.sync.ballot.b32 %r1, %p1, -1;");
    assert_int_equal(one->sub, PTX_SUB_BALLOT);
    one = parse_one("vote.sync.uni.pred %p2, %p1, -1;");
    assert_int_equal(one->sub, PTX_SUB_UNI);
    one = parse_one("atom.shared.cas.b32 %r1, [%r2+4], %r3, 1;");
    assert_int_equal(one->sub, PTX_SUB_CAS);
    assert_int_equal(one->space, PTX_SPACE_SHARED);
    assert_int_equal(one->operand_count, 4);
    one = parse_one("red.global.add.f32 [%rd1], %f1;");
    assert_int_equal(one->sub, PTX_SUB_ADD);
}

static void test_addresses(void **state)
{
    const struct ptx_instruction *one;

    (void)state;
    one = parse_one("ld.global.nc.f32 %f1, [%rd1+-8];");
    assert_int_equal(one->operands[1].kind, PTX_OPERAND_MEMORY);
    assert_int_equal(one->operands[1].offset, -8);
    assert_true(one->operands[1].reg >= 0);
    assert_int_equal(one->flags, PTX_FLAG_NC);
    one = parse_one("st.shared.u32 [tile+12], %r1;");
    assert_int_equal(one->operands[0].reg, -1);
    assert_int_equal(one->operands[0].scope, PTX_SCOPE_FUNCTION);
    assert_int_equal(one->operands[0].symbol, 0);
    assert_int_equal(one->operands[0].offset, 12);
    one = parse_one("ld.global.u32 %r1, [counter];");
    assert_int_equal(one->operands[1].scope, PTX_SCOPE_MODULE);
    one = parse_one("ld.param.u32 %r1, [q];");
    assert_int_equal(one->operands[1].scope, PTX_SCOPE_PARAMETER);
    assert_int_equal(one->operands[1].symbol, 1);
    one = parse_one("st.u32 [64], %r1;");
    assert_int_equal(one->operands[0].reg, -1);
    assert_int_equal(one->operands[0].symbol, -1);
    assert_int_equal(one->operands[0].offset, 64);
    one = parse_one("mov.u32 %r1, tile;");
    assert_int_equal(one->operands[1].kind, PTX_OPERAND_SYMBOL);
    one = parse_one("mov.u64 %rd1, twice;");
    assert_int_equal(one->operands[1].scope, PTX_SCOPE_CODE);
    one = parse_one("mov.u32 %r1, dyn+16;");
    assert_int_equal(one->operands[1].offset, 16);
    one = parse_one("cvta.global.u64 %rd1, counter;");
    assert_int_equal(one->operands[1].scope, PTX_SCOPE_MODULE);
}

static void test_vectors(void **state)
{
    const struct ptx_function *function =
        parse_body("ld.global.v4.f32 {%f1, %f2, _, %f4}, [%rd1];\n"
                   "st.shared.v2.u32 [tile], {%r1, 5};\n"
                   "mov.b64 {%r1, %r2}, %rd1;\nmov.b32 %r1, {%rs1, %rs2};\n");
    const struct ptx_operand *vector = &function->instructions[0].operands[0];

    (void)state;
    assert_int_equal(function->instructions[0].vector, 4);
    assert_int_equal(vector->kind, PTX_OPERAND_VECTOR);
    assert_int_equal(vector->element_count, 4);
    assert_int_equal(function->elements[vector->element_first + 2].kind, PTX_OPERAND_SINK);
    vector = &function->instructions[1].operands[1];
    assert_int_equal(function->elements[vector->element_first + 1].bits, 5);
    assert_int_equal(function->instructions[2].opcode, PTX_OP_MOV);
    assert_int_equal(function->instructions[2].operands[0].element_count, 2);
    assert_int_equal(function->instructions[3].opcode, PTX_OP_MOV);
    assert_int_equal(function->element_count, 10);
}

static void test_immediates_have_the_bits_of_their_type(void **state)
{
    (void)state;
    assert_true(immediate_of("mov.u32 %r1, 0x1F;") == 31);
    assert_true(immediate_of("mov.u32 %r1, 017;") == 15);
    assert_true(immediate_of("mov.u32 %r1, 0b101U;") == 5);
    assert_true(immediate_of("add.s32 %r1, %r1, -1;") == 0xFFFFFFFF);
    assert_true(immediate_of("add.s64 %rd1, %rd1, -1;") == UINT64_MAX);
    assert_true(immediate_of("add.s16 %rs1, %rs1, -32768;") == 0x8000);
    assert_true(immediate_of("shl.b64 %rd1, %rd1, -1;") == 0xFFFFFFFF);
    assert_true(immediate_of("mov.u64 %rd1, 18446744073709551615;") == UINT64_MAX);
    assert_true(immediate_of("mul.wide.s32 %rd1, %r1, -4;") == 0xFFFFFFFC);
    assert_true(immediate_of("mov.f32 %f1, 0fBF800000;") == 0xBF800000);
    assert_true(immediate_of("mov.f32 %f1, -1.5;") == 0xBFC00000);
    assert_true(immediate_of("mov.f32 %f1, 0d3FF0000000000000;") == 0x3F800000);
    assert_true(immediate_of("mov.f64 %fd1, 0f3F800000;") == UINT64_C(0x3FF0000000000000));
    assert_true(immediate_of("mov.f64 %fd1, 25e-1;") == UINT64_C(0x4004000000000000));
    assert_true(immediate_of("mov.pred %p1, -1;") == 1);
    assert_true(immediate_of("mov.u32 %r1, 4+2-1;") == 5);
    assert_true(immediate_of("cvt.s64.s32 %rd1, -2;") == 0xFFFFFFFE);
}

static void test_registers_are_made_when_used(void **state)
{
    const struct ptx_module *module =
        parse(HEAD ".entry k() { .reg .b32 %r<1000000>, plain; .reg .b64 %rd<3>;\n"
                   "mov.u32 %r999999, 1; mov.u32 plain, %r999999; mov.u64 %rd0, 2; ret; }");
    const struct ptx_function *function = &module->functions[0];

    (void)state;
    assert_int_equal(function->register_count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct ptx_register *reg = &function->registers[i];
        bool is_wide = strcmp(reg->name, "%rd0") == 0;
        assert_int_equal(reg->type, is_wide ? PTX_B64 : PTX_B32);
    }
    assert_int_equal(function->instructions[0].operands[0].reg,
                     function->instructions[1].operands[1].reg);
}

static void test_blocks_have_registers_and_labels_of_their_own(void **state)
{
    const struct ptx_function *function =
        parse_body("{ .reg .u32 t; L: mov.u32 t, 1; @%p1 bra L; }\n"
                   "{ .reg .u64 t; L: mov.u64 t, 2; @%p1 bra L; bra OUT; }\n"
                   "OUT:\n");
    const struct ptx_instruction *code = function->instructions;

    (void)state;
    assert_int_not_equal(code[0].operands[0].reg, code[2].operands[0].reg);
    assert_int_equal(code[1].operands[0].kind, PTX_OPERAND_LABEL);
    assert_int_equal(code[1].operands[0].target, 0);
    assert_int_equal(code[3].operands[0].target, 2);
    assert_int_equal(code[4].operands[0].target, 5);
}

static void test_the_innermost_declaration_counts(void **state)
{
    const struct ptx_function *function =
        parse_body(".reg .b32 %x1; .reg .b32 %y<4>;\n"
                   "{ .reg .b64 %x<3>; .reg .b64 %y1; mov.u64 %x1, 1; mov.u64 %y1, 2; }\n"
                   "mov.u32 %x1, 3; mov.u32 %y1, 4;\n");

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(function->instructions[i].opcode, PTX_OP_MOV);
    }
    assert_int_equal(function->register_count, 4);
}

static void test_functions_end(void **state)
{
    const struct ptx_module *module =
        parse(HEAD ".entry a() { bra L; ret; L: }\n.func b() { .reg .pred p; @p ret; }\n"
                   ".entry c() { exit; }\n.entry d() { }\n");

    (void)state;
    assert_int_equal(module->functions[0].instruction_count, 3);
    assert_int_equal(module->functions[0].instructions[0].operands[0].target, 2);
    assert_int_equal(module->functions[0].instructions[2].opcode, PTX_OP_EXIT);
    assert_int_equal(module->functions[1].instruction_count, 2);
    assert_int_equal(module->functions[1].instructions[1].opcode, PTX_OP_RET);
    assert_int_equal(module->functions[2].instruction_count, 1);
    assert_int_equal(module->functions[3].instruction_count, 1);
}

static void test_branch_tables(void **state)
{
    const struct ptx_function *function =
        parse_body("T: .branchtargets A, B, A;\nbrx.idx %r1, T;\nA: exit;\nB: trap;\n");
    const struct ptx_instruction *branch = &function->instructions[0];
    const struct ptx_operand *targets = function->elements + branch->operands[1].element_first;

    (void)state;
    assert_int_equal(branch->opcode, PTX_OP_BRX_IDX);
    assert_int_equal(branch->operands[1].element_count, 3);
    assert_int_equal(targets[0].kind, PTX_OPERAND_LABEL);
    assert_int_equal(targets[0].target, 1);
    assert_int_equal(targets[1].target, 2);
    assert_int_equal(targets[2].target, 1);
}

static void test_calls(void **state)
{
    const struct ptx_function *function =
        parse_body("{ .param .b32 a; st.param.b32 [a+0], %r1; .param .b32 r;\n"
                   "call.uni (r), twice, (a); ld.param.b32 %r2, [r+0]; }\n"
                   "{ .param .b32 a; .param .b32 r;\n"
                   "P: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
                   "call (r), %rd1, (a), P; }\n");
    const struct ptx_instruction *call = &function->instructions[1];
    const struct ptx_operand *argument = &function->elements[call->arguments_first];

    (void)state;
    assert_int_equal(call->opcode, PTX_OP_CALL);
    assert_int_equal(call->flags, PTX_FLAG_UNI);
    assert_int_equal(call->operands[0].kind, PTX_OPERAND_FUNCTION);
    assert_int_equal(call->operands[0].symbol, 0);
    assert_int_equal(call->arguments_count, 1);
    assert_int_equal(call->returns_count, 1);
    assert_int_equal(argument->kind, PTX_OPERAND_SYMBOL);
    assert_string_equal(function->variables[argument->symbol].name, "a");
    assert_int_equal(function->variables[argument->symbol].space, PTX_SPACE_PARAM);
    assert_int_equal(function->instructions[3].operands[0].kind, PTX_OPERAND_REGISTER);
}

static void test_returns_are_symbols(void **state)
{
    const struct ptx_module *module =
        parse(HEAD ".func (.param .align 8 .b8 r0[16]) f(.param .b32 x);\n"
                   ".visible .func (.param .align 8 .b8 r0[16]) f(.param .b32 x)\n"
                   "{ st.param.b64 [r0+8], 1; ret; }\n");
    const struct ptx_function *function = &module->functions[0];

    (void)state;
    assert_int_equal(module->function_count, 1);
    assert_false(function->is_declaration);
    assert_int_equal(function->return_count, 1);
    assert_int_equal(function->returns[0].bytes, 16);
    assert_int_equal(function->instructions[0].operands[0].scope, PTX_SCOPE_RETURN);
}

static void test_variables_and_initial_values(void **state)
{
    static const float grid[6] = {1.0F, 1.5F, 0.0F, -2.0F, 0.0F, 0.0F};
    const struct ptx_module *module =
        parse(HEAD ".visible .const .align 4 .u32 edge = 16;\n"
                   ".global .f32 grid[2][3] = {{0f3F800000, 1.5}, {-2.0}};\n"
                   ".global .align 1 .b8 text[] = {104, 105, 0};\n"
                   ".global .align 8 .u64 where[2] = {generic(text)+2, grid};\n"
                   ".global .u8 packed[3] = {7, 0xFF(generic(text)), 0XFF00(text+1)};\n"
                   ".global .s16 small = -2;\n"
                   ".extern .shared .align 16 .b8 dyn[];\n"
                   ".global .attribute(.managed) .align 4 .u32 shared_with_host;\n"
                   ".extern .global .u32 later;\n.global .u32 later = 3;\n"
                   ".global .v4 .f32 four;\n");
    const struct ptx_variable *variable = ptx_find_variable(module, "edge");

    (void)state;
    assert_int_equal(variable->space, PTX_SPACE_CONST);
    assert_int_equal(variable->bytes, 4);
    assert_int_equal(variable->initial[0], 16);
    variable = ptx_find_variable(module, "grid");
    assert_int_equal(variable->bytes, sizeof grid);
    assert_memory_equal(variable->initial, grid, sizeof grid);
    variable = ptx_find_variable(module, "text");
    assert_int_equal(variable->bytes, 3);
    assert_int_equal(variable->initial[1], 105);
    variable = ptx_find_variable(module, "where");
    assert_int_equal(variable->relocation_count, 2);
    assert_string_equal(variable->relocations[0].symbol, "text");
    assert_int_equal(variable->relocations[0].addend, 2);
    assert_true(variable->relocations[0].is_generic);
    assert_int_equal(variable->relocations[0].bytes, 8);
    assert_int_equal(variable->relocations[1].offset, 8);
    assert_false(variable->relocations[1].is_generic);
    variable = ptx_find_variable(module, "packed");
    assert_int_equal(variable->initial[0], 7);
    assert_int_equal(variable->relocations[1].bytes, 1);
    assert_int_equal(variable->relocations[1].shift, 8);
    assert_int_equal(variable->relocations[1].addend, 1);
    variable = ptx_find_variable(module, "small");
    assert_int_equal(variable->initial[0], 0xFE);
    assert_int_equal(variable->initial[1], 0xFF);
    variable = ptx_find_variable(module, "dyn");
    assert_true(variable->is_extern);
    assert_int_equal(variable->bytes, 0);
    assert_int_equal(variable->alignment, 16);
    variable = ptx_find_variable(module, "later");
    assert_false(variable->is_extern);
    assert_int_equal(variable->initial[0], 3);
    assert_int_equal(ptx_find_variable(module, "four")->bytes, 16);
    assert_int_equal(ptx_find_variable(module, "four")->alignment, 16);
    assert_null(ptx_find_variable(module, "shared_with_host")->initial);
}

static void test_locations(void **state)
{
    const struct ptx_module *module =
        parse(HEAD ".entry k() {\n.reg .u32 a;\n.loc 1 10 3\nmov.u32 a, 1;\n"
                   ".loc 2 7 5, function_name $L__info_string0, inlined_at 1 10 3\nmov.u32 a, 2;\n"
                   ".loc 2 9 1, function_name $L__info_string0+4, inlined_at 2 7 5\nmov.u32 a, 3;\n"
                   ".loc 1 0 0\nmov.u32 a, 4;\n.loc 1 10 3\nret;\n}\n"
                   ".file 1 \"/course/k.cu\"\n.file 2 \"inline.h\", 17, 400\n"
                   ".section .debug_str\n{\n$L__info_string0:\n.b8 95,90,0\n}\n");
    const struct ptx_instruction *code = module->functions[0].instructions;
    const struct ptx_location *place = &module->locations[code[2].location];

    (void)state;
    assert_int_equal(module->file_count, 3);
    assert_string_equal(module->files[1], "/course/k.cu");
    assert_string_equal(module->files[2], "inline.h");
    assert_int_equal(place->file, 2);
    assert_int_equal(place->line, 9);
    place = &module->locations[place->inlined_at];
    assert_int_equal(place->line, 7);
    place = &module->locations[place->inlined_at];
    assert_int_equal(place->file, 1);
    assert_int_equal(place->line, 10);
    assert_int_equal(place->column, 3);
    assert_int_equal(place->inlined_at, 0);
    assert_int_equal(code[3].location, 0);
    assert_int_equal(code[4].location, code[0].location);
    assert_int_equal(module->functions[0].location, code[0].location);
    assert_int_equal(code[0].text_line, 7);
}

static void test_what_is_not_known_keeps_its_text(void **state)
{
    static const char *const statements[] = {
        "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [counter, {%f1, %f2}];",
        "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1], {%f1, %f2};",
        "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%rd1, %f2}];",
        "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, %f1];",
        "tex.level.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];",
        "suld.b.2d.b32 {%r1}, [%rd1, {%r1, %r2}];",
        "st.global.v2.u32 [%rd1, {%r1, %r2}];",
        "frobnicate.u32 %r1, %r2;",
        "add.sticky.s32 %r1, %r2, %r3;",
        "add.s32 %r1, %r2;",
        "add.s32 %rd1, %r2, %r3;",
        "add.s32 %r1, %r2, 0f3F800000;",
        "add.f32 %f1, %f2, 1;",
        "add.cc.f32 %f1, %f2, %f3;",
        "mul.s32 %r1, %r2, %r3;",
        "mov.u32 %r1, %envreg3;",
        "cvt.s32.f32 %r1, %f1;",
        "cvt.f32.f64 %f1, %fd1;",
        "sqrt.approx.f64 %fd1, %fd2;",
        "atom.global.add.s64 %rd1, [%rd2], %rd3;",
        "atom.global.cas.b32 %r1, [%rd2], %r3;",
        "atom.global.add.u32 %r1, [%rd2], %r3, %r4;",
        "setp.eq.s32 %r1, %r2, %r3;",
        "mov.u32 %r1, %p1;",
        "selp.b32 %r1, %r2, %r3, %r4;",
        "ld.v2.u32 %r1, [%rd1];",
        "ld.u32 {%r1, %r2}, [%rd1];",
        "ld.shared.u32 %r1, [counter];",
        "ld.param.u64 %rd1, [q];",
        "ld.param.u32 %r1, [p+8];",
        "ld.u32 %r1, [%f1];",
        "st.param.u32 [q], %r1;",
        "bar.red.popc.u32 %r1, 0;",
        "bar.arrive 1;",
        "mov.b64 {%r1, %r2}, {%r3, %r4};",
    };

    (void)state;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        const char *guarded = arena_printf(arena, "@%%p1 %s", statements[i]);
        const struct ptx_instruction *one = parse_one(guarded);

        if (one->opcode != PTX_OP_UNKNOWN) {
            fail_msg("known after all: %s", statements[i]);
        }
        assert_memory_equal(one->text, statements[i], strlen(statements[i]) - 1);
        assert_int_equal(strlen(one->text), strlen(statements[i]) - 1);
        assert_true(one->guard >= 0);
        assert_int_equal(one->operand_count, 0);
    }
}

/* Each tier, every opcode at least once. */
static const char *const known_statements[] = {
    "rem.u64 %rd1, %rd2, %rd3;",
    "not.pred %p1, %p2;",
    "cnot.b32 %r1, %r2;",
    "neg.f64 %fd1, %fd2;",
    "abs.s32 %r1, %r2;",
    "min.NaN.f32 %f1, %f2, %f3;",
    "slct.u32.s32 %r1, %r2, %r3, %r4;",
    "set.eq.u32.f32 %r1, %f1, %f2;",
    "isspacep.shared %p1, %rd1;",
    "cvta.to.shared.u64 %rd1, %rd2;",
    "ldu.global.u32 %r1, [%rd1];",
    "st.volatile.shared.u32 [tile], %r1;",
    "ld.acquire.gpu.global.u32 %r1, [%rd1];",
    "st.release.sys.u32 [%rd1], %r1;",
    "ld.global.L1::no_allocate.u8 %rs1, [%rd1];",
    "ld.relaxed.cta.shared.s8 %r1, [tile+1];",
    "div.full.f32 %f1, %f2, %f3;",
    "div.rn.f64 %fd1, %fd2, %fd3;",
    "sqrt.rn.f32 %f1, %f2;",
    "rcp.approx.ftz.f64 %fd1, %fd2;",
    "rsqrt.approx.f32 %f1, %f2;",
    "sin.approx.f32 %f1, %f2;",
    "cos.approx.ftz.f32 %f1, %f2;",
    "lg2.approx.f32 %f1, %f2;",
    "ex2.approx.f32 %f1, %f2;",
    "tanh.approx.f32 %f1, %f2;",
    "activemask.b32 %r1;",
    "match.any.sync.b32 %r1, %r2, -1;",
    "match.all.sync.b64 %r1|%p1, %rd2, -1;",
    "fence.acq_rel.gpu;",
    "popc.b64 %r1, %rd1;",
    "clz.b32 %r1, %r2;",
    "brev.b64 %rd1, %rd2;",
    "bfind.shiftamt.u64 %r1, %rd1;",
    "bfe.s64 %rd1, %rd2, 3, 4;",
    "bfi.b32 %r1, %r2, %r3, 8, 8;",
    "bmsk.clamp.b32 %r1, 2, 3;",
    "prmt.b32.f4e %r1, %r2, %r3, %r4;",
    "lop3.b32 %r1, %r2, %r3, %r4, 0xE8;",
    "add.cc.u32 %r1, %r2, %r3;",
    "addc.cc.s64 %rd1, %rd2, %rd3;",
    "subc.u32 %r1, %r2, %r3;",
    "madc.hi.cc.u32 %r1, %r2, %r3, %r4;",
    "mad.wide.s32 %rd1, %r1, %r2, %rd2;",
    "mul24.lo.s32 %r1, %r2, %r3;",
    "mad24.hi.u32 %r1, %r2, %r3, %r4;",
    "sad.s32 %r1, %r2, %r3, %r4;",
    "copysign.f32 %f1, %f2, %f3;",
    "testp.normal.f32 %p1, %f1;",
    "trap;",
    "brkpt;",
    "nanosleep.u32 100;",
    "prefetch.global.L2 [%rd1];",
    "dp4a.u32.s32 %r1, %r2, %r3, %r4;",
    "dp2a.lo.s32.u32 %r1, %r2, %r3, %r4;",
    "redux.sync.add.s32 %r1, %r2, -1;",
    "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}];",
    "tex.a2d.v4.s32.f32 {%r1, %r2, %r3, %r4}|%p1, [%rd1, {%r1, %f1, %f2, %f2}];",
    "tex.level.cube.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%f1, %f2, %f3, %f3}], 0f3F800000;",
    "tex.grad.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, 0f00000000}], {%f1, %f2}, {%f3, "
    "%f4};",
    "tld4.g.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1, %f2}];",
    "suld.b.3d.v2.b64.clamp {%rd1, %rd2}, [%rd3, {%r1, %r2, 7, %r3}];",
    "sust.b.a1d.b8.zero [%rd1, {%r1, %r2}], {%r3};",
    "sust.p.2d.v4.b32.trap [%rd1, {%r1, %r2}], {%r3, %r3, %r3, %r3};",
    "sured.b.add.1d.u64.trap [%rd1, {%r1}], %rd2;",
    "sured.b.min.3d.s64.clamp [%rd1, {%r1, %r2, 7, %r3}], %rd2;",
    "sured.p.and.2d.b32.zero [%rd1, {%r1, %r2}], %r3;",
    "txq.level.height.b32 %r1, [%rd1], 2;",
    "txq.num_mipmap_levels.b32 %r1, [%rd1];",
    "suq.array_size.b32 %r1, [%rd1];",
    "cp.async.ca.shared.global [%r1], [%rd1], 4;",
    "cp.async.cg.shared::cta.global.L2::128B [%r1+16], [%rd1], 16, %r2;",
    "wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%rd1], "
    "%r1;",
    "wmma.load.b.sync.aligned.col.m8n32k16.global.u8 {%r1,%r2,%r3,%r4}, [%rd1];",
    "wmma.store.d.sync.aligned.col.m8n8k4.f64 [%rd1+8], {%fd1,%fd2}, 16;",
    "wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32 {%r1,%r2,%r3,%r4}, "
    "{%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, "
    "{%f1,%f2,%f3,%f4,%f5,%f6,%f7,%f8};",
    "mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.u8.s32 {%r1,%r2}, {%r3}, {%r4}, {%r5,%r6};",
    "ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 {%r1,%r2}, [%r3+16];",
    "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3], {%r1};",
    "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;",
    "cp.async.commit_group;",
    "cp.async.wait_group 3;",
    "cp.async.wait_all;",
    "cp.async.mbarrier.arrive.shared.b64 [%r1];",
    "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r1];",
    "mbarrier.init.shared.b64 [%r1], %r2;",
    "mbarrier.inval.shared::cta.b64 [%r1];",
    "mbarrier.arrive.shared.b64 %rd1, [%r1];",
    "mbarrier.arrive.release.cta.shared::cta.b64 _, [%r1], 4;",
    "mbarrier.arrive_drop.noComplete.shared.b64 %rd1, [%r1], %r2;",
    "mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1;",
    "mbarrier.test_wait.parity.acquire.cta.shared.b64 %p1, [%r1], %r2;",
    "mbarrier.pending_count.b64 %r1, %rd1;",
    "alloca.u64 %rd1, %rd2, 16;",
    "stacksave.u64 %rd1;",
    "fma.rn.f16x2 %r1, %r2, %r3, %r4;",
    "cvt.rn.f16.f32 %rs1, %f1;",
    "cvt.rn.f16x2.f32 %r1, %f1, %f2;",
    "cvt.rpi.f32.f32 %f1, %f2;",
    "cvt.rna.tf32.f32 %r1, %f1;",
    "cvt.rn.satfinite.relu.e4m3x2.f32 %rs1, %f1, %f2;",
    "cvt.rn.satfinite.e5m2x2.f16x2 %rs1, %r1;",
    "cvt.rn.f16x2.e4m3x2 %r1, %rs1;",
    "cvt.pack.sat.u16.s32 %r1, %r2, %r3;",
    "cvt.pack.sat.s4.s32.b32 %r1, %r2, %r3, %r4;",
    "cvt.sat.u8.s32 %rs1, %r1;",
    "atom.global.add.noftz.f16x2 %r1, [%rd1], %r2;",
    "atom.acq_rel.gpu.global.exch.b64 %rd1, [%rd2], %rd3;",
    "pmevent 3;",
    "bar.warp.sync %r1;",
    "fns.b32 %r1, %r2, 0, 1;",
    "mad.lo.cc.u32 %r1, %r2, %r3, %r4;",
    "atom.global.min.s64 %rd1, [%rd2], %rd3;",
    "ret.uni;",
    "mov.u32 %r1, WARP_SZ;",
    "mov.u64 %rd1, %clock64;",
    "vote.sync.any.pred %p1, !%p2, %r1;",
};

static void test_every_opcode_of_the_tiers_is_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known_statements / sizeof *known_statements; i++) {
        if (parse_one(known_statements[i])->opcode == PTX_OP_UNKNOWN) {
            fail_msg("not known: %s", known_statements[i]);
        }
    }
}

/* What is like an instruction for matrices and is none. */
static void test_matrices_that_do_not_exist(void **state)
{
    static const char *const statements[] = {
        "wmma.load.d.sync.aligned.row.m8n8k4.f64 {%fd1,%fd2}, [%rd1];",
        "wmma.load.a.sync.aligned.row.m16n16k8.f16 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, [%rd1];",
        "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1,%r2,%r3,%r4}, [%rd1];",
        "wmma.store.d.sync.aligned.row.m8n8k4.f64 {%fd1,%fd2}, [%rd1];",
        "wmma.mma.sync.aligned.row.m8n8k4.f64.f64.f64.f64 {%fd1,%fd2}, {%fd3}, {%fd4}, "
        "{%fd5,%fd6};",
        "mma.sync.aligned.m8n8k16.row.row.s32.s8.u8.s32 {%r1,%r2}, {%r3}, {%r4}, {%r5,%r6};",
        "mma.sync.aligned.m8n8k16.row.col.s32.s8.u8.s32 {%r1,%r2}, {%r3}, {%r4}, {%r5,%rd6};",
        "mma.sync.aligned.m8n8k4.row.col.f16.f16.f16.f16 {%r1,%r2}, {%r3,%r4}, {%r5,%r6}, "
        "{%r7,%r8};",
        "mma.sync.aligned.m8n8k16m.row.col.s32.s8.s8.s32 {%r1,%r2}, {%r3}, {%r4}, {%r5,%r6};",
        "ldmatrix.sync.aligned.m8n8.x3.shared.b16 {%r1,%r2,%r3}, [%r4];",
        "ldmatrix.sync.aligned.m8n8.x2.global.b16 {%r1,%r2}, [%rd4];",
        "movmatrix.sync.aligned.m8n8.b16 %r1, %r2;",
    };

    (void)state;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++) {
        if (parse_one(statements[i])->opcode != PTX_OP_UNKNOWN) {
            fail_msg("known: %s", statements[i]);
        }
    }
}

/* The fragments of all matrices hold each element once, or as often as another one. */
static void test_fragments_hold_the_whole_matrix(void **state)
{
    static const char *const statements[] = {
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, "
        "{%r5,%r6}, {%f5,%f6,%f7,%f8};",
        "wmma.mma.sync.aligned.row.col.m32n8k16.s32.s8.s8.s32 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, "
        "{%r1,%r2,%r3,%r4}, {%r1}, {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8};",
        "wmma.mma.sync.aligned.row.col.m8n32k16.s32.s8.s8.s32 {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8}, "
        "{%r1}, {%r1,%r2,%r3,%r4}, {%r1,%r2,%r3,%r4,%r5,%r6,%r7,%r8};",
    };

    (void)state;
    for (size_t i = 0; i < 4 * sizeof statements / sizeof *statements; i++) {
        uint8_t seen[32][32] = {{0}};
        struct ptx_fragment fragment =
            ptx_matrix_fragment(parse_one(statements[i / 4]), "dabc"[i % 4]);

        for (unsigned at = 0; at < 32 * fragment.elements; at++) {
            struct ptx_element_place place =
                ptx_fragment_place(&fragment, at / fragment.elements, at % fragment.elements);
            assert_in_range(place.row, 0, fragment.rows - 1);
            assert_in_range(place.column, 0, fragment.columns - 1);
            assert_int_equal(seen[place.row][place.column]++, 0);
        }
    }
}

static void test_names_of_tables(void **state)
{
    (void)state;
    assert_string_equal(ptx_type_name(PTX_BF16X2), "bf16x2");
    assert_int_equal(ptx_type_bytes(PTX_F64), 8);
    assert_int_equal(ptx_type_bytes(PTX_PRED), 0);
    assert_true(ptx_type_is_float(PTX_F16));
    assert_false(ptx_type_is_float(PTX_B32));
    assert_true(ptx_type_is_signed(PTX_S8));
    assert_false(ptx_type_is_signed(PTX_U8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_head_of_a_module, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pragma_nounroll_marks_what_follows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_entry_parameters_are_laid_out, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fields_of_instructions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_barriers_and_warp_operations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_addresses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_vectors, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_immediates_have_the_bits_of_their_type, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_registers_are_made_when_used, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_blocks_have_registers_and_labels_of_their_own, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_the_innermost_declaration_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_functions_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_branch_tables, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_calls, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_returns_are_symbols, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_variables_and_initial_values, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_locations, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_not_known_keeps_its_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_every_opcode_of_the_tiers_is_known, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_matrices_that_do_not_exist, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fragments_hold_the_whole_matrix, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_names_of_tables, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
