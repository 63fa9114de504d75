/* ptx_resources.c: see ptx_resources.h.
 *
 * The registers by three estimates of what a kernel would use if there were no end to them:
 *
 *   near    its values in an order that hides latencies, and BASE
 *   early   the same, if all loads of a block are started at once
 *   far     the same, if innermost loops are written out
 *
 * and by a budget: ptxas hoists loads and writes loops out up to the number of registers with which
 * a multiprocessor still holds all of its threads (32 of 2048 threads, 40 of 1536, 64 of 1024).
 *
 *   least   between near and early, but not more than the budget, less a margin; more if values as
 *           written need it
 *   most    between near and far, and a margin; not more than the budget, unless values need more
 *
 * Small numbers are even: an odd bound below EVEN_BELOW moves inwards.
 */
#include "ptx/ptx_resources.h"

#include "ptx/kernel_shape.h"
#include "ptx/register_pressure.h"

#include <string.h>

enum { REGISTERS_MIN = 4, REGISTERS_MAX = 255 };

/* What it takes to find an instruction's values. */
enum { WORK_PER_INSTRUCTION = 100 };

/* And those that it names. */
enum { WORK_PER_NAMING = 8 };

/* Estimates and margins are in hundredths of a register. */
enum { UNIT = 100, BASE = 500, KEPT_SHARE = 35, KEPT_MAX = 12, EVEN_BELOW = 24 };

/* A kernel's margins grow with what it needs beyond SMALL, and with its instructions beyond SHORT
 * up to LONG. */
enum { SMALL = 9 * UNIT, SHORT = 20, LONG = 100 };

/* However an assembler orders them, so many of the values live at once. */
enum { LEAST_PER_VALUE = 60 };

/* What the calling convention of outside functions takes. */
enum { CALL_LEAST = 24, CALL_MOST = 30 };

enum { LOCAL_WORDS_MAX = 24, UNKNOWN_MOST = 20 * UNIT, OVER_BUDGET = 4 * UNIT };

/* In hundredths: registers, or registers for each unit. Fitted to the kernels of two thirds of the
 * programs of tests/bench/registers.py and of generated ones, compiled by nvcc and clang, so that
 * the logarithm of the width and a price for each number that is missed are least together. */
struct margins {
    uint16_t least, least_grows; /* below */
    uint16_t least_early;        /* share of early beyond near */
    uint16_t least_budget;       /* below the budget, where early is beyond it */
    uint16_t least_long_steps;   /* raises it */
    uint16_t most, most_grows, most_loop_grows;
    uint16_t most_far; /* share of far beyond near */
    uint16_t instruction, steps, long_steps, local_word, call;
    uint16_t end_value, end; /* values as written, times that, and that, may be beyond the budget */
};

static const struct margins margins_of_7 = {
    .least = 360,
    .least_grows = 53,
    .least_early = 521,
    .least_budget = 2691,
    .least_long_steps = 825,
    .most = 322,
    .most_grows = 27,
    .most_loop_grows = 27,
    .most_far = 54,
    .instruction = 29,
    .steps = 329,
    .long_steps = 529,
    .call = 358,
    .end_value = 160,
};
static const struct margins margins_of_8 = {
    .least = 211,
    .least_grows = 60,
    .least_early = 400,
    .least_budget = 593,
    .least_long_steps = 878,
    .most = 495,
    .most_grows = 4,
    .most_loop_grows = 21,
    .most_far = 70,
    .instruction = 23,
    .steps = 155,
    .long_steps = 709,
    .local_word = 23,
    .call = 255,
    .end_value = 170,
    .end = 390,
};
static const struct margins margins_of_9 = {
    .least = 195,
    .least_grows = 64,
    .least_early = 2091,
    .least_budget = 1156,
    .least_long_steps = 638,
    .most = 450,
    .most_loop_grows = 37,
    .most_far = 48,
    .instruction = 15,
    .steps = 291,
    .long_steps = 1640,
    .local_word = 27,
    .call = 230,
    .end_value = 178,
    .end = 503,
};

/* What depends on the compute capability. */
static const struct target {
    uint32_t major, minor; /* from this one on */
    uint32_t budget;
    bool loads_pointers;     /* flow_values.h */
    uint32_t constant_bytes; /* before the parameters; 0: ptxas counts none of them */
    uint32_t warps, blocks;  /* that a multiprocessor holds */
    const struct margins *margins;
} targets[] = {
    {7, 5, 64, false, 352, 32, 16, &margins_of_7}, {8, 0, 32, false, 352, 64, 32, &margins_of_8},
    {8, 6, 40, false, 352, 48, 16, &margins_of_8}, {8, 9, 40, false, 352, 48, 24, &margins_of_8},
    {9, 0, 32, true, 0, 64, 32, &margins_of_9},    {12, 0, 40, true, 0, 48, 24, &margins_of_9},
};

static const struct target *target_of(uint32_t major, uint32_t minor)
{
    size_t found = 0;

    for (size_t i = 1; i < sizeof targets / sizeof targets[0]; i++) {
        if (major > targets[i].major || (major == targets[i].major && minor >= targets[i].minor)) {
            found = i;
        }
    }
    return &targets[found];
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t without_end(const struct pressure *pressure)
{
    return BASE + UNIT * (int64_t)pressure->live +
           KEPT_SHARE * smaller((int64_t)pressure->kept - pressure->live, KEPT_MAX);
}

static int64_t share(int64_t percent, int64_t of)
{
    return percent * larger(of, 0) / UNIT;
}

static int64_t least_of(const struct target *target, const struct kernel_shape *shape,
                        const struct register_pressure *pressure)
{
    const struct margins *margins = target->margins;
    const int64_t budget = UNIT * (int64_t)target->budget;
    const int64_t near = without_end(&pressure->listed);
    const int64_t early = without_end(&pressure->early);
    const int64_t wanted = smaller(near + share(margins->least_early, early - near), budget);
    int64_t least = wanted - margins->least - share(margins->least_grows, wanted - SMALL) +
                    (shape->has_long_steps ? margins->least_long_steps : 0);

    if (early > budget + OVER_BUDGET) {
        least = larger(least, budget - margins->least_budget);
    }
    least = larger(least, LEAST_PER_VALUE * (int64_t)pressure->written);
    return shape->has_outside_call ? larger(least, CALL_LEAST * UNIT) : least;
}

/* What is added for instructions that become many or need room of their own, and for local arrays,
 * which ptxas may keep in registers. */
static int64_t added_of(const struct margins *margins, const struct kernel_shape *shape,
                        uint32_t local_bytes)
{
    return (shape->has_long_steps ? margins->long_steps : 0) +
           margins->local_word * smaller(local_bytes / 4, LOCAL_WORDS_MAX) +
           (shape->has_call ? margins->call : 0) + (shape->has_unknown ? UNKNOWN_MOST : 0);
}

static int64_t most_of(const struct target *target, const struct kernel_shape *shape,
                       const struct register_pressure *pressure, uint32_t local_bytes)
{
    const struct margins *margins = target->margins;
    const int64_t budget = UNIT * (int64_t)target->budget;
    const int64_t near = without_end(&pressure->listed);
    const int64_t far = without_end(&pressure->unrolled);
    const int64_t grown = larger(smaller(near, budget) - SMALL, 0);
    const int64_t long_by = larger(smaller(shape->instructions, LONG) - SHORT, 0);
    const int64_t own = added_of(margins, shape, local_bytes);
    int64_t most = near + share(margins->most_far, far - near) + margins->most +
                   share(margins->most_grows, grown) + margins->instruction * long_by + own;
    const int64_t values = margins->end_value * (int64_t)pressure->written + margins->end;

    most += shape->has_loop ? share(margins->most_loop_grows, grown) : 0;
    most += shape->has_steps ? margins->steps : 0;
    most = smaller(most, larger(budget, values) + own);
    return shape->has_outside_call ? larger(most, CALL_MOST * UNIT) : most;
}

static void estimate_registers(const struct target *target, const struct kernel_shape *shape,
                               const struct register_pressure *pressure, struct ptx_resources *out)
{
    int64_t least = (least_of(target, shape, pressure) + UNIT / 2) / UNIT;
    int64_t most = (most_of(target, shape, pressure, out->local_bytes) + UNIT / 2) / UNIT;

    least += least < EVEN_BELOW ? least % 2 : 0;
    most -= most < EVEN_BELOW ? most % 2 : 0;
    least = smaller(larger(least, REGISTERS_MIN), REGISTERS_MAX);
    most = smaller(larger(most, least), REGISTERS_MAX);
    out->registers_least = (uint32_t)least;
    out->registers_most = (uint32_t)most;
}

/* With how many registers a thread may have so many blocks of so many threads fit. A multiprocessor
 * has four parts with a quarter of the warps and registers each. ptxas leaves out a number of
 * blocks that never fits. */
static uint32_t registers_of_bounds(const struct ptx_function *kernel, const struct target *target,
                                    uint32_t threads)
{
    enum { WARP = 32, PARTS = 4, REGISTERS_OF_PART = 16384, REGISTERS_UNIT = 8 };
    const uint64_t warps = ((uint64_t)threads + WARP - 1) / WARP;
    const bool fits =
        kernel->min_blocks <= target->blocks && warps * kernel->min_blocks <= target->warps;
    const uint64_t all = fits && kernel->min_blocks > 0 ? warps * kernel->min_blocks : warps;
    const uint64_t of_part = (all + PARTS - 1) / PARTS;

    return (uint32_t)(REGISTERS_OF_PART / of_part / WARP / REGISTERS_UNIT * REGISTERS_UNIT);
}

/* Bounds that the text itself sets; ptxas takes none below 24. */
static void limit_registers(const struct ptx_function *kernel, const struct target *target,
                            struct ptx_resources *out)
{
    enum { LIMIT_MIN = 24 };
    uint32_t limit = REGISTERS_MAX;

    if (out->max_threads > 0) {
        limit = registers_of_bounds(kernel, target, out->max_threads);
    }
    if (kernel->max_registers > 0 && kernel->max_registers < limit) {
        limit = kernel->max_registers;
    }
    limit = limit < LIMIT_MIN ? LIMIT_MIN : limit;
    out->registers_most = out->registers_most > limit ? limit : out->registers_most;
    if (out->registers_least > out->registers_most) {
        out->registers_least = out->registers_most;
    }
}

/* Memory ****************************************************************************************/

/* Where dynamic shared memory starts. */
enum { DYNAMIC_ALIGNMENT = 16 };

/* The shared variables that a kernel names. */
struct named_shared {
    const struct ptx_module *module;
    bool *variables; /* [module->variable_count] */
    bool *functions; /* [module->function_count] visited */
    uint32_t *left;  /* functions to visit, each once */
    size_t left_count;
    uint64_t bytes;
    bool has_dynamic;
};

static uint64_t whole_units(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static void place(struct named_shared *named, const struct ptx_variable *variable)
{
    const uint64_t alignment = variable->alignment == 0 ? 1 : variable->alignment;

    named->bytes = whole_units(named->bytes, alignment) + variable->bytes;
    named->has_dynamic |= variable->is_extern && variable->bytes == 0;
}

static void name_operand(struct named_shared *named, const struct ptx_operand *operand)
{
    if (operand->symbol < 0) {
        return;
    }
    if (operand->scope == PTX_SCOPE_MODULE) {
        named->variables[operand->symbol] = true;
    } else if (operand->scope == PTX_SCOPE_CODE && !named->functions[operand->symbol]) {
        named->functions[operand->symbol] = true;
        named->left[named->left_count++] = (uint32_t)operand->symbol;
    }
}

static void name_in(struct named_shared *named, const struct ptx_function *function)
{
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        for (size_t k = 0; k < instruction->operand_count && k < PTX_OPERANDS_MAX; k++) {
            name_operand(named, &instruction->operands[k]);
        }
    }
    for (size_t i = 0; i < function->element_count; i++) {
        name_operand(named, &function->elements[i]);
    }
    for (size_t i = 0; i < function->variable_count; i++) {
        if (function->variables[i].space == PTX_SPACE_SHARED) {
            place(named, &function->variables[i]);
        }
    }
}

/* False if no work is left for it. */
static bool spend(uint64_t *work_left, uint64_t work)
{
    bool is_left = work < *work_left;

    *work_left -= is_left ? work : 0;
    return is_left;
}

/* Without work that is left for the functions that a kernel calls, they may name all variables. */
static uint64_t shared_bytes(struct arena *scratch, const struct ptx_module *module,
                             const struct ptx_function *kernel, uint64_t *work_left)
{
    bool is_complete = true;
    struct named_shared named = {
        .module = module,
        .variables = arena_array(scratch, module->variable_count, sizeof *named.variables),
        .functions = arena_array(scratch, module->function_count, sizeof *named.functions),
        .left = arena_array(scratch, module->function_count, sizeof *named.left),
    };

    name_in(&named, kernel);
    while (named.left_count > 0 && is_complete) {
        const struct ptx_function *called = &module->functions[named.left[--named.left_count]];
        is_complete = spend(work_left, WORK_PER_NAMING * (uint64_t)(called->instruction_count +
                                                                    called->element_count + 1));
        if (is_complete) {
            name_in(&named, called);
        }
    }
    for (size_t i = 0; i < module->variable_count; i++) {
        bool is_named = named.variables[i] || !is_complete;
        if (module->variables[i].space == PTX_SPACE_SHARED && is_named) {
            place(&named, &module->variables[i]);
        }
    }
    return named.has_dynamic ? whole_units(named.bytes, DYNAMIC_ALIGNMENT) : named.bytes;
}

static uint64_t declared_bytes(const struct ptx_variable *variables, size_t count,
                               enum ptx_space space)
{
    uint64_t bytes = 0;

    for (size_t i = 0; i < count; i++) {
        bytes += variables[i].space == space ? variables[i].bytes : 0;
    }
    return bytes;
}

static uint32_t fitting(uint64_t bytes)
{
    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

static uint32_t product_of(const uint32_t threads[3])
{
    const uint64_t product = (uint64_t)threads[0] * threads[1];

    return product == 0 ? 0 : fitting(product > UINT32_MAX ? product : product * threads[2]);
}

void ptx_resources_estimate(const struct ptx_module *module, const struct ptx_function *kernel,
                            uint32_t compute_major, uint32_t compute_minor, uint64_t *work_left,
                            struct ptx_resources *out_resources)
{
    const struct target *target = target_of(compute_major, compute_minor);
    struct arena *scratch = arena_new();
    struct register_pressure pressure;
    struct kernel_shape shape;
    struct kernel_flow flow;
    const uint64_t constants =
        (target->constant_bytes > 0 ? kernel->parameter_bytes + target->constant_bytes : 0) +
        declared_bytes(module->variables, module->variable_count, PTX_SPACE_CONST);

    *out_resources = (struct ptx_resources){
        .registers_least = REGISTERS_MIN,
        .registers_most = REGISTERS_MAX,
        .static_shared_bytes = fitting(shared_bytes(scratch, module, kernel, work_left)),
        .local_bytes =
            fitting(declared_bytes(kernel->variables, kernel->variable_count, PTX_SPACE_LOCAL)),
        .constant_bytes = fitting(constants),
        .max_threads = product_of(kernel->required_threads[0] > 0 ? kernel->required_threads
                                                                  : kernel->max_threads),
    };
    if (spend(work_left, WORK_PER_INSTRUCTION * (uint64_t)kernel->instruction_count)) {
        kernel_flow_make(scratch, kernel, target->loads_pointers, &flow);
        if (register_pressure_find(scratch, &flow, work_left, &pressure)) {
            kernel_shape_find(module, &flow, &shape);
            estimate_registers(target, &shape, &pressure, out_resources);
        }
    }
    limit_registers(kernel, target, out_resources);
    arena_free(scratch);
}
