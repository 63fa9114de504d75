/* address_base.c: see address_base.h.
 *
 *           UNCLEAR           a symbol, a value from memory, several pointers
 *          /       \
 *      NUMBER   a pointer     no address; that pointer plus numbers
 *          \       /
 *            UNSET            nothing writes it
 *
 * The instructions are gone through until nothing changes, in whatever order they are executed.
 */
#include "ptx/address_base.h"

#include "ptx/flow_values.h"

#include <string.h>

enum { BASE_UNSET, BASE_NUMBER, BASE_UNCLEAR };

enum { POINTER_BYTES = 8, PASSES_MAX = 64 };

struct base_search {
    const struct ptx_function *function;
    const struct kernel_arguments *parameters;
    uint64_t *bases; /* [register_count] */
    uint64_t result; /* of the instruction that is looked at */
    bool is_changed;
};

static bool is_address(uint64_t base)
{
    return base >= BASE_UNCLEAR;
}

static uint64_t join(uint64_t a, uint64_t b)
{
    if (a == BASE_UNSET || a == b) {
        return b;
    }
    return b == BASE_UNSET ? a : BASE_UNCLEAR;
}

/* Of a sum: at most one of the two is an address. */
static uint64_t sum_of(uint64_t a, uint64_t b)
{
    if (a == BASE_UNSET || b == BASE_UNSET) {
        return BASE_UNSET;
    }
    if (is_address(a) && is_address(b)) {
        return BASE_UNCLEAR;
    }
    return is_address(a) ? a : b;
}

static uint64_t base_of(const struct base_search *search, const struct ptx_operand *operand)
{
    switch (operand->kind) {
    case PTX_OPERAND_REGISTER:
        return search->bases[operand->reg];
    case PTX_OPERAND_IMMEDIATE:
    case PTX_OPERAND_SPECIAL:
        return BASE_NUMBER;
    default:
        return BASE_UNCLEAR;
    }
}

/* What a kernel reads of its parameters. */
static uint64_t parameter_base(const struct base_search *search,
                               const struct ptx_instruction *instruction)
{
    const struct ptx_function *function = search->function;
    const struct ptx_operand *from = &instruction->operands[1];
    uint64_t value;

    if (!function->is_entry || instruction->vector > 1 || from->kind != PTX_OPERAND_MEMORY ||
        from->reg >= 0 || from->scope != PTX_SCOPE_PARAMETER || from->symbol < 0 ||
        from->offset < 0 || ptx_type_bytes(instruction->type) != POINTER_BYTES) {
        return BASE_UNCLEAR;
    }
    const struct ptx_parameter *parameter = &function->parameters[from->symbol];
    if ((uint64_t)from->offset > parameter->bytes ||
        parameter->bytes - (uint64_t)from->offset < sizeof value) {
        return BASE_UNCLEAR;
    }
    /* both are little endian */
    memcpy(&value, search->parameters->bytes + parameter->offset + from->offset, sizeof value);
    return value > BASE_UNCLEAR &&
                   search->parameters->is_pointer(search->parameters->context, value)
               ? value
               : BASE_NUMBER;
}

/* Of an instruction that does not keep addresses. */
static uint64_t mixture_of(const struct base_search *search,
                           const struct ptx_instruction *instruction)
{
    if (instruction->opcode == PTX_OP_UNKNOWN || instruction->opcode == PTX_OP_CALL) {
        return BASE_UNCLEAR;
    }
    for (size_t i = 1; i < instruction->operand_count && i < PTX_OPERANDS_MAX; i++) {
        if (is_address(base_of(search, &instruction->operands[i]))) {
            return BASE_UNCLEAR;
        }
    }
    return BASE_NUMBER;
}

static uint64_t result_of(const struct base_search *search,
                          const struct ptx_instruction *instruction)
{
    const struct ptx_operand *operands = instruction->operands;
    const uint64_t a = base_of(search, &operands[1]);
    const uint64_t b = base_of(search, &operands[2]);

    switch (instruction->opcode) {
    case PTX_OP_LD:
        return instruction->space == PTX_SPACE_PARAM ? parameter_base(search, instruction)
                                                     : (uint64_t)BASE_UNCLEAR;
    case PTX_OP_MOV:
    case PTX_OP_CVTA:
        return a;
    case PTX_OP_SELP:
        return join(a, b);
    case PTX_OP_ADD:
        return sum_of(a, b);
    case PTX_OP_SUB:
        return is_address(b) ? (uint64_t)BASE_UNCLEAR : sum_of(a, b);
    case PTX_OP_MAD:
        return is_address(a) || is_address(b) ? (uint64_t)BASE_UNCLEAR
                                              : base_of(search, &operands[3]);
    default:
        return mixture_of(search, instruction);
    }
}

static void set_base(void *context, size_t index, int32_t reg, bool is_base)
{
    struct base_search *search = context;
    uint64_t *base = &search->bases[reg];
    const bool is_wide = ptx_type_bytes(search->function->registers[reg].type) == POINTER_BYTES;
    const uint64_t joined = join(*base, is_wide ? search->result : (uint64_t)BASE_NUMBER);

    (void)index;
    (void)is_base;
    search->is_changed = search->is_changed || joined != *base;
    *base = joined;
}

void address_bases_find(const struct ptx_function *function,
                        const struct kernel_arguments *parameters, uint64_t *out_bases)
{
    struct base_search search = {
        .function = function, .parameters = parameters, .bases = out_bases, .is_changed = true};

    memset(out_bases, 0, function->register_count * sizeof *out_bases);
    for (int pass = 0; pass < PASSES_MAX && search.is_changed; pass++) {
        search.is_changed = false;
        for (size_t i = 0; i < function->instruction_count; i++) {
            search.result = result_of(&search, &function->instructions[i]);
            flow_visit(function, i, true, set_base, &search);
        }
    }
    for (size_t i = 0; i < function->register_count; i++) {
        const bool is_known = !search.is_changed && out_bases[i] > BASE_UNCLEAR;
        out_bases[i] = is_known ? out_bases[i] : 0;
    }
}

uint64_t address_base_of(const struct ptx_function *function,
                         const struct ptx_instruction *instruction, const uint64_t *bases)
{
    const bool is_inside = instruction >= function->instructions &&
                           instruction < function->instructions + function->instruction_count;
    uint64_t found = 0;
    size_t count = 0;

    for (size_t i = 0; is_inside && i < instruction->operand_count && i < PTX_OPERANDS_MAX; i++) {
        const struct ptx_operand *operand = &instruction->operands[i];
        if (operand->kind == PTX_OPERAND_MEMORY) {
            found = operand->reg >= 0 ? bases[operand->reg] : 0;
            count++;
        }
    }
    return count == 1 ? found : 0;
}
